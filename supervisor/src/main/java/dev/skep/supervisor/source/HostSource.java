package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.time.Instant;
import java.util.List;

/** The hosts an org has rows of. */
@FunctionalInterface
public interface HostSource {
    /** One enrolled machine. */
    record Known(String id, String name, String kind, boolean nameConflict, Instant createdAt) {}

    List<Known> all(Principal principal);
}
