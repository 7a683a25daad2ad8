package dev.skep.transport.mcp;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A JSON-RPC message as a client sent it. */
public sealed interface McpMessage {
    int NOT_JSON = -32_700;
    int NO_REQUEST = -32_600;
    int NO_METHOD = -32_601;
    int BAD_PARAMETERS = -32_602;
    int HEADER_MISMATCH = -32_020;
    int MISSING_CAPABILITY = -32_021;
    int UNSUPPORTED_REVISION = -32_022;

    /**
     * Wants an answer.
     *
     * @param id as JSON
     */
    record Request(String id, String method, JsonFields parameters) implements McpMessage {}

    /** Wants none: a notification, or the answer to something that we never ask. */
    record Notice(String method, JsonFields parameters) implements McpMessage {}

    /** Is none that can be used; the answer says why. */
    record Unusable(Map<String, Object> answer) implements McpMessage {}

    /** One message; several at once are refused, as the newer revisions have it. */
    static McpMessage read(byte[] json) {
        JsonFields message;
        try {
            if (!Json.isObject(json)) {
                return new Unusable(error("null", NO_REQUEST, "send one message at a time"));
            }
            message = JsonFields.of(json);
        } catch (SkepException notJson) {
            return new Unusable(error("null", NOT_JSON, "send one JSON-RPC message"));
        }
        String id = message.json("id").orElse("null");
        if (!isId(id)) {
            return new Unusable(error("null", NO_REQUEST, "id must be a text or a number"));
        }
        if (!message.shown("jsonrpc").equals("2.0")) {
            return new Unusable(error(id, NO_REQUEST, "jsonrpc must be 2.0"));
        }
        String method = message.shown("method");
        Optional<JsonFields> parameters;
        try {
            parameters = message.object("params");
        } catch (SkepException notAnObject) {
            return new Unusable(error(id, BAD_PARAMETERS, "params must be an object"));
        }
        JsonFields given = parameters.orElseGet(() -> JsonFields.of(new byte[0]));
        return id.equals("null") || method.isEmpty()
                ? new Notice(method, given)
                : new Request(id, method, given);
    }

    private static boolean isId(String json) {
        return json.equals("null")
                || json.startsWith("\"")
                || json.startsWith("-")
                || Character.isDigit(json.charAt(0));
    }

    /** An answer with what was asked for. */
    static Map<String, Object> result(String id, Map<String, Object> result) {
        return answer(id, "result", result);
    }

    /** An answer that says why not. */
    static Map<String, Object> error(String id, int code, String message) {
        return answer(id, "error", Map.of("code", code, "message", message));
    }

    /** The same, with what programs read of it. */
    static Map<String, Object> error(String id, int code, String message, Object data) {
        return answer(id, "error", Map.of("code", code, "message", message, "data", data));
    }

    private static Map<String, Object> answer(String id, String kind, Map<String, Object> body) {
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("jsonrpc", "2.0");
        answer.put("id", Json.raw(id));
        answer.put(kind, body);
        return answer;
    }
}
