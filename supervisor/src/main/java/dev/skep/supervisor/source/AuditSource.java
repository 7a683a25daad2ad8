package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Who did what, when and from where. */
@FunctionalInterface
public interface AuditSource {
    /** One thing that was done. */
    record Entry(
            String id,
            Instant at,
            String actor,
            String action,
            String target,
            String from,
            String detail) {}

    /** Narrows the entries; what is empty does not. */
    record Filter(Optional<String> actor, Optional<String> action, Optional<String> target) {}

    /** The newest entries before an id, newest first. */
    List<Entry> newest(Principal principal, Filter filter, Optional<String> before, int limit);
}
