package dev.skep.registry.wire;

import dev.skep.registry.node.Registration;
import java.util.Optional;

/** What a client asks over the registry socket. */
public sealed interface Call {
    record Register(Registration registration) implements Call {}

    record Deregister(String nodeId) implements Call {}

    record ListNodes() implements Call {}

    record Ping() implements Call {}

    record ListDirectories(Optional<String> path) implements Call {}

    record SpawnAgent(String path, Optional<String> newFolder) implements Call {}

    /** A page of history; {@code before} is a line's id or its time, empty for the newest. */
    record ListConnections(String nodeId, int limit, String before) implements Call {}

    record Stats(Optional<String> nodeId) implements Call {}

    record ExportState() implements Call {}

    record ImportState(Document document) implements Call {}

    /** Cannot be done, for the reason given. */
    record Refused(String error) implements Call {}

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
