package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.live.Keyed;
import java.util.List;
import java.util.Optional;

/** The links of this process, and rows that were set aside. */
public interface LinkSource {
    List<LinkView> all(Principal principal);

    /** A row that was not stored, and why. */
    record QuarantinedRowView(
            String id, String host, String table, String key, String reason, String at)
            implements Keyed {}

    List<QuarantinedRowView> quarantine(Principal principal, int limit);

    /** The newest connections of one host or of all, newest first; none where nobody keeps them. */
    List<HostConnection> connections(Principal principal, Optional<String> host, int limit);
}
