package dev.skep.registry.routes;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import java.util.Optional;

/** Has a node forgotten that is no longer here, with its history, wherever it registered. */
@FunctionalInterface
public interface NodeRemoval {
    /**
     * Forgets it, or has its host asked; throws if it is here, or not known.
     *
     * @return the job that asks its host, where that is another
     */
    Optional<String> remove(Actor by, HostId host, String node);
}
