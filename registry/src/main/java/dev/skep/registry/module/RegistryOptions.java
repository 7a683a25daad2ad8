package dev.skep.registry.module;

import dev.skep.registry.node.NodeTimeouts;
import dev.skep.transport.http.Loopback;
import java.util.List;
import java.util.Set;

/**
 * How a registry of this process behaves.
 *
 * @param address where its own listener listens
 * @param port 31415 by default; 0 for any free one
 * @param machines machines that may be proxied to, wherever the registration came from
 * @param allowSpawn whether clients may start agents
 * @param agentCommand what starts an agent
 */
public record RegistryOptions(
        String address,
        int port,
        NodeTimeouts lifetime,
        Set<String> machines,
        Origins origins,
        boolean allowSpawn,
        List<String> agentCommand) {
    public static final int PORT = 31_415;

    public RegistryOptions {
        machines = Set.copyOf(machines);
        agentCommand = List.copyOf(agentCommand);
    }

    /**
     * Web origins whose pages may use a registry.
     *
     * @param isDefault whether they were not configured: then they are this machine's, and apply
     *     only if the registry serves this machine alone
     */
    public record Origins(Set<String> all, boolean isDefault) {
        public Origins {
            all = Set.copyOf(all);
        }

        /** Those that were configured. */
        public Set<String> chosen() {
            return isDefault ? Set.of() : all;
        }
    }

    /** The same at another address and port. */
    public RegistryOptions at(String otherAddress, int otherPort) {
        return new RegistryOptions(
                otherAddress, otherPort, lifetime, machines, origins, allowSpawn, agentCommand);
    }

    /** Whose pages may use the registry's own listener. */
    public Set<String> pages() {
        return isLoopback() ? origins.all() : origins.chosen();
    }

    public boolean isLoopback() {
        return Loopback.isLoopback(address);
    }
}
