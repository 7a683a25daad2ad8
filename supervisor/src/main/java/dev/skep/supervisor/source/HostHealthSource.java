package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Tells how the hosts of an org are. */
@FunctionalInterface
public interface HostHealthSource {
    List<HostHealth> of(Principal principal);

    /** Until when what was told last is true if nothing happens; empty if for ever. */
    default Optional<Instant> validUntil(Principal principal) {
        return Optional.empty();
    }
}
