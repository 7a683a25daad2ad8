package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The health of the hosts of an org. */
@FunctionalInterface
public interface HostHealthSource {
    List<HostHealth> of(Principal principal);

    /** Until when the last result is valid if nothing happens; empty if for ever. */
    default Optional<Instant> validUntil(Principal principal) {
        return Optional.empty();
    }
}
