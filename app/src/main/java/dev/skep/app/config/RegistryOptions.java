package dev.skep.app.config;

import dev.skep.registry.node.Lifetime;
import dev.skep.transport.http.Loopback;
import java.util.List;
import java.util.Set;

/**
 * How a registry of this process behaves.
 *
 * @param address where its own listener listens
 * @param port 31415 unless told otherwise; 0 for any free one
 * @param machines machines that may be proxied to whoever registered them
 * @param allowSpawn whether clients may start agents
 * @param agentCommand what starts an agent
 */
public record RegistryOptions(
        String address,
        int port,
        Lifetime lifetime,
        Set<String> machines,
        Set<String> origins,
        boolean allowSpawn,
        List<String> agentCommand) {
    public static final int PORT = 31_415;

    public static final RegistryOptions USUAL =
            new RegistryOptions(
                    "127.0.0.1", PORT, Lifetime.USUAL, Set.of(), Set.of(), false, List.of("pi"));

    public RegistryOptions {
        machines = Set.copyOf(machines);
        origins = Set.copyOf(origins);
        agentCommand = List.copyOf(agentCommand);
    }

    public boolean isLoopback() {
        return Loopback.isLoopback(address);
    }
}
