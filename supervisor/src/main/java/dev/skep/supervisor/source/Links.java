package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.util.List;

/** The links of this process, and rows that were set aside. */
public interface Links {
    List<LinkView> all(Principal principal);

    /** A row that was not stored, and why. */
    record SetAside(String id, String host, String table, String key, String reason, String at) {}

    List<SetAside> quarantine(Principal principal, int limit);
}
