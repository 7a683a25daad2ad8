package dev.skep.registry.wire;

import dev.skep.registry.node.NodeRegistration;
import java.util.Optional;

/** What a client asks over the registry socket. */
public sealed interface RegistryCall {
    record Register(NodeRegistration registration) implements RegistryCall {}

    record Deregister(String nodeId) implements RegistryCall {}

    record ListNodes() implements RegistryCall {}

    record Ping() implements RegistryCall {}

    record ListDirectories(Optional<String> path) implements RegistryCall {}

    record SpawnAgent(String path, Optional<String> newFolder) implements RegistryCall {}

    /** A page of history; {@code before} is a line's id or its time, empty for the newest. */
    record ListConnections(String nodeId, int limit, String before) implements RegistryCall {}

    record Stats(Optional<String> nodeId) implements RegistryCall {}

    record ExportState() implements RegistryCall {}

    record ImportState(StateDocument document) implements RegistryCall {}

    /** Cannot be done, for the reason given. */
    record Refused(String error) implements RegistryCall {}

    /** The name of the call in the registry's figures: that of its method. */
    default String label() {
        return switch (this) {
            case Register _ -> "register";
            case Deregister _ -> "deregister";
            case ListNodes _ -> "list_nodes";
            case Ping _ -> "ping";
            case ListDirectories _ -> "list_directories";
            case SpawnAgent _ -> "spawn_agent";
            case ListConnections _ -> "list_connections";
            case Stats _ -> "node_stats";
            case ExportState _ -> "export_state";
            case ImportState _ -> "import_state";
            case Refused _ -> "refused";
        };
    }
}
