package dev.skep.registry.wire;

import dev.skep.registry.node.NodeRegistration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Reads frames of the registry socket. */
public final class RegistryRequestReader {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private static final String NO_PARAMS = "Missing params";
    private static final String NO_NODE = "Invalid node info";
    private static final int PAGE = 50;
    private static final int LONGEST_PAGE = 500;
    private static final int MAX_PORT = 65_535;
    private static final long MAX_PID = 0xffff_ffffL;

    private RegistryRequestReader() {}

    /** The request in a frame; empty if the frame is none, which gets no answer. */
    public static Optional<RegistryRequest> read(String frame) {
        JsonNode root;
        try {
            root = MAPPER.readTree(frame);
        } catch (JacksonException notJson) {
            return Optional.empty();
        }
        JsonNode id = root.path("id");
        JsonNode method = root.path("method");
        boolean isRequest = root.isObject() && method.isString() && (isAbsent(id) || id.isString());
        if (!isRequest) {
            return Optional.empty();
        }
        JsonNode params =
                isAbsent(root.path("params")) ? MissingNode.getInstance() : root.path("params");
        return Optional.of(
                new RegistryRequest(
                        isAbsent(id) ? null : id.stringValue(),
                        call(method.stringValue(), params)));
    }

    private static RegistryCall call(String method, JsonNode params) {
        return switch (method) {
            case "register" -> register(params);
            case "deregister" ->
                    text(params, "id")
                            .<RegistryCall>map(RegistryCall.Deregister::new)
                            .orElseGet(() -> new RegistryCall.Refused("Missing params.id"));
            case "list_nodes" -> new RegistryCall.ListNodes();
            case "ping" -> new RegistryCall.Ping();
            case "list_directories" -> listDirectories(params);
            case "spawn_agent" -> spawn(params);
            case "list_connections" -> listConnections(params);
            case "node_stats" -> stats(params);
            case "export_state" -> new RegistryCall.ExportState();
            case "import_state" -> new RegistryCall.ImportState(new StateDocument(params));
            default -> new RegistryCall.Refused("Method not found: " + method);
        };
    }

    private static RegistryCall register(JsonNode params) {
        if (params.isMissingNode()) {
            return new RegistryCall.Refused(NO_PARAMS);
        }
        Optional<String> id = text(params, "id");
        Optional<String> machine = text(params, "machine");
        Optional<String> cwd = text(params, "cwd");
        Optional<String> status = text(params, "status");
        JsonNode port = params.path("port");
        JsonNode pid = params.path("pid");
        boolean wellFormed =
                id.isPresent()
                        && machine.isPresent()
                        && cwd.isPresent()
                        && status.filter(s -> s.equals("active") || s.equals("offline")).isPresent()
                        && isWhole(port, MAX_PORT)
                        && (isAbsent(pid) || isWhole(pid, MAX_PID));
        if (!wellFormed) {
            return new RegistryCall.Refused(NO_NODE);
        }
        try {
            return new RegistryCall.Register(
                    new NodeRegistration(
                            id.get(),
                            machine.get(),
                            cwd.get(),
                            port.intValue(),
                            isAbsent(pid) ? null : pid.longValue()));
        } catch (IllegalArgumentException cannotBeStored) {
            return new RegistryCall.Refused(NO_NODE);
        }
    }

    private static RegistryCall listDirectories(JsonNode params) {
        JsonNode path = params.path("path");
        return isAbsent(path) || path.isString()
                ? new RegistryCall.ListDirectories(text(params, "path"))
                : new RegistryCall.Refused("Invalid path: not a text");
    }

    private static RegistryCall spawn(JsonNode params) {
        Optional<String> path = text(params, "path");
        JsonNode folder = params.path("new_folder");
        if (path.isEmpty() || !(isAbsent(folder) || folder.isString())) {
            return new RegistryCall.Refused(NO_PARAMS);
        }
        return new RegistryCall.SpawnAgent(path.get(), text(params, "new_folder"));
    }

    private static RegistryCall listConnections(JsonNode params) {
        Optional<String> node = text(params, "node_id");
        if (node.isEmpty()) {
            return new RegistryCall.Refused("Missing params.node_id");
        }
        JsonNode limit = params.path("limit");
        int lines = isWhole(limit, Integer.MAX_VALUE) ? limit.intValue() : PAGE;
        return new RegistryCall.ListConnections(
                node.get(), Math.clamp(lines, 1, LONGEST_PAGE), text(params, "before").orElse(""));
    }

    private static RegistryCall stats(JsonNode params) {
        JsonNode node = params.path("node_id");
        return isAbsent(node) || node.isString()
                ? new RegistryCall.Stats(text(params, "node_id"))
                : new RegistryCall.Refused("Unknown node");
    }

    private static Optional<String> text(JsonNode params, String field) {
        JsonNode value = params.path(field);
        return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
    }

    private static boolean isWhole(JsonNode value, long atMost) {
        return value.isIntegralNumber()
                && value.canConvertToLong()
                && value.longValue() >= 0
                && value.longValue() <= atMost;
    }

    private static boolean isAbsent(@Nullable JsonNode value) {
        return value == null || value.isMissingNode() || value.isNull();
    }
}
