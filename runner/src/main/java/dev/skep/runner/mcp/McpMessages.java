package dev.skep.runner.mcp;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The messages of the protocol that a client sends. */
final class McpMessages {
    /** The first is asked for; what else a server chooses of these is taken. */
    static final List<String> REVISIONS =
            List.of("2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05");

    static final String TOOLS_CHANGED = "notifications/tools/list_changed";
    private static final int NO_METHOD = -32_601;
    private static final JsonMapper JSON = JsonMapper.shared();

    private McpMessages() {}

    static ObjectNode request(long id, String method, @Nullable JsonNode params) {
        ObjectNode message = notification(method, params);
        message.put("id", id);
        return message;
    }

    static ObjectNode notification(String method, @Nullable JsonNode params) {
        ObjectNode message = JSON.createObjectNode();
        message.put("jsonrpc", "2.0");
        message.put("method", method);
        if (params != null) {
            message.set("params", params);
        }
        return message;
    }

    /** Whether a message has the id of a request of ours. */
    static boolean sameId(JsonNode heard, ObjectNode request) {
        JsonNode id = heard.path("id");
        return id.isIntegralNumber() && id.asLong(0) == request.path("id").asLong(0);
    }

    static ObjectNode cancelled(JsonNode id, String why) {
        ObjectNode params = JSON.createObjectNode();
        params.set("requestId", id);
        params.put("reason", why);
        return notification("notifications/cancelled", params);
    }

    /** What a server asks of us: whether we are there, or what we do not do. */
    static ObjectNode answer(JsonNode asked) {
        ObjectNode message = JSON.createObjectNode();
        message.put("jsonrpc", "2.0");
        message.set("id", asked.path("id"));
        if (asked.path("method").asString("").equals("ping")) {
            message.set("result", JSON.createObjectNode());
        } else {
            ObjectNode error = JSON.createObjectNode();
            error.put("code", NO_METHOD);
            error.put("message", "this client has no such method");
            message.set("error", error);
        }
        return message;
    }

    static ObjectNode initialize() {
        ObjectNode info = JSON.createObjectNode();
        info.put("name", "skep");
        info.put("title", "Skep");
        info.put("version", "1");
        ObjectNode params = JSON.createObjectNode();
        params.put("protocolVersion", REVISIONS.getFirst());
        params.set("capabilities", JSON.createObjectNode());
        params.set("clientInfo", info);
        return params;
    }

    static ObjectNode call(String tool, JsonNode arguments) {
        ObjectNode params = JSON.createObjectNode();
        params.put("name", tool);
        params.set("arguments", arguments);
        return params;
    }

    static ObjectNode page(@Nullable String cursor) {
        ObjectNode params = JSON.createObjectNode();
        if (cursor != null) {
            params.put("cursor", cursor);
        }
        return params;
    }
}
