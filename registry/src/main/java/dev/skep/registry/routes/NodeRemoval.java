package dev.skep.registry.routes;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import java.util.Optional;

/** Removes a node that is offline, with its history, wherever it registered. */
@FunctionalInterface
public interface NodeRemoval {
    /**
     * Removes it, or asks its host to; throws if it is online or unknown.
     *
     * @return the job that asks its host, where that is another
     */
    Optional<String> remove(Actor by, HostId host, String node);
}
