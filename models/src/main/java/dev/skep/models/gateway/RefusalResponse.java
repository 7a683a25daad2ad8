package dev.skep.models.gateway;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * A refusal in a form that ends a turn with its reason, where other forms were seen to cost minutes
 * of trying again.
 */
record RefusalResponse(int status, Map<String, String> headers, String body) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String EVENTS = "text/event-stream; charset=utf-8";

    /** Programs made with the providers' own libraries ask before they try again. */
    private static final String AGAIN = "x-should-retry";

    byte[] bytes() {
        return body.getBytes(StandardCharsets.UTF_8);
    }

    /** An error of the wire. */
    static RefusalResponse error(GatewayWire wire, String why) {
        return switch (wire) {
            case ANTHROPIC -> anthropic(402, "billing_error", why);
            case CHAT -> openAi(402, "insufficient_quota", why);
            case RESPONSES -> new RefusalResponse(400, headers("text/plain; charset=utf-8"), why);
            case GOOGLE -> google(403, "PERMISSION_DENIED", why);
        };
    }

    /** For whoever is not known here. */
    static RefusalResponse stranger(GatewayWire wire) {
        String why = "this token is not valid (any more); the runner gives a new one at each start";
        return switch (wire) {
            case ANTHROPIC -> anthropic(401, "authentication_error", why);
            case CHAT, RESPONSES -> openAi(401, "invalid_api_key", why);
            case GOOGLE -> google(401, "UNAUTHENTICATED", why);
        };
    }

    static RefusalResponse notFound(GatewayWire wire) {
        String why = "the gateway has nothing at this path";
        return switch (wire) {
            case ANTHROPIC -> anthropic(404, "not_found_error", why);
            case CHAT, RESPONSES -> openAi(404, "not_found", why);
            case GOOGLE -> google(404, "NOT_FOUND", why);
        };
    }

    /** When the provider could not be reached, or said nothing. */
    static RefusalResponse unreachable(GatewayWire wire, String why) {
        return switch (wire) {
            case ANTHROPIC -> retried(anthropic(502, "api_error", why));
            case CHAT, RESPONSES -> retried(openAi(502, "server_error", why));
            case GOOGLE -> retried(google(502, "UNAVAILABLE", why));
        };
    }

    private static RefusalResponse retried(RefusalResponse answer) {
        return new RefusalResponse(
                answer.status(), Map.of("content-type", "application/json"), answer.body());
    }

    private static RefusalResponse anthropic(int status, String type, String why) {
        return json(
                status,
                "{\"type\":\"error\",\"error\":{\"type\":%s,\"message\":%s}}"
                        .formatted(quote(type), quote(why)));
    }

    private static RefusalResponse openAi(int status, String code, String why) {
        return json(
                status,
                "{\"error\":{\"message\":%s,\"type\":%s,\"param\":null,\"code\":%s}}"
                        .formatted(quote(why), quote(code), quote(code)));
    }

    private static RefusalResponse google(int status, String code, String why) {
        return json(
                status,
                "{\"error\":{\"code\":%d,\"message\":%s,\"status\":%s}}"
                        .formatted(status, quote(why), quote(code)));
    }

    private static RefusalResponse json(int status, String body) {
        return new RefusalResponse(status, headers("application/json"), body);
    }

    private static Map<String, String> headers(String type) {
        return Map.of("content-type", type, AGAIN, "false");
    }

    /** The reason as if the model had said it, with nothing used. */
    static RefusalResponse said(GatewayWire wire, boolean streams, String model, String why) {
        String name = quote(model);
        String text = quote(why);
        String body =
                switch (wire) {
                    case ANTHROPIC -> streams ? anthropicEvents(name, text) : anthropic(name, text);
                    case CHAT -> streams ? chatEvents(name, text) : chat(name, text);
                    case RESPONSES ->
                            streams
                                    ? responsesEvents(name, text)
                                    : response("completed", name, message(text));
                    case GOOGLE -> streams ? "data: " + google(text) + "\n\n" : google(text);
                };
        return new RefusalResponse(
                200, Map.of("content-type", streams ? EVENTS : "application/json"), body);
    }

    private static String anthropic(String model, String text) {
        return "{\"id\":\"msg_skep\",\"type\":\"message\",\"role\":\"assistant\",\"model\":%s,\"content\":[{\"type\":\"text\",\"text\":%s}],\"stop_reason\":\"end_turn\",\"stop_sequence\":null,\"usage\":{\"input_tokens\":0,\"output_tokens\":0}}"
                .formatted(model, text);
    }

    private static String anthropicEvents(String model, String text) {
        return event(
                        "message_start",
                        "\"message\":{\"id\":\"msg_skep\",\"type\":\"message\",\"role\":\"assistant\",\"model\":%s,\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{\"input_tokens\":0,\"output_tokens\":0}}"
                                .formatted(model))
                + event(
                        "content_block_start",
                        "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}")
                + event(
                        "content_block_delta",
                        "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":%s}"
                                .formatted(text))
                + event("content_block_stop", "\"index\":0")
                + event(
                        "message_delta",
                        "\"delta\":{\"stop_reason\":\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":0}")
                + "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
    }

    private static String chat(String model, String text) {
        return "{\"id\":\"chatcmpl-skep\",\"object\":\"chat.completion\",\"created\":0,\"model\":%s,\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":%s},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}}"
                .formatted(model, text);
    }

    private static String chatEvents(String model, String text) {
        String chunk =
                "data: {\"id\":\"chatcmpl-skep\",\"object\":\"chat.completion.chunk\",\"created\":0,\"model\":%s,\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]%s}\n\n";
        return chunk.formatted(
                        model, "{\"role\":\"assistant\",\"content\":" + text + "}", "null", "")
                + chunk.formatted(
                        model,
                        "{}",
                        "\"stop\"",
                        ",\"usage\":{\"prompt_tokens\":0,\"completion_tokens\":0,\"total_tokens\":0}")
                + "data: [DONE]\n\n";
    }

    private static String responsesEvents(String model, String text) {
        String at = "\"item_id\":\"msg_skep\",\"output_index\":0,\"content_index\":0,";
        return event("response.created", "\"response\":" + response("in_progress", model, ""))
                + event(
                        "response.output_item.added",
                        "\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"msg_skep\",\"status\":\"in_progress\",\"role\":\"assistant\",\"content\":[]}")
                + event(
                        "response.content_part.added",
                        at + "\"part\":{\"type\":\"output_text\",\"text\":\"\",\"annotations\":[]}")
                + event("response.output_text.delta", at + "\"delta\":" + text)
                + event("response.output_text.done", at + "\"text\":" + text)
                + event("response.output_item.done", "\"output_index\":0,\"item\":" + message(text))
                + event(
                        "response.completed",
                        "\"response\":" + response("completed", model, message(text)));
    }

    private static String message(String text) {
        return "{\"type\":\"message\",\"id\":\"msg_skep\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":%s,\"annotations\":[]}]}"
                .formatted(text);
    }

    private static String response(String status, String model, String items) {
        return "{\"id\":\"resp_skep\",\"object\":\"response\",\"created_at\":0,\"status\":\"%s\",\"error\":null,\"incomplete_details\":null,\"model\":%s,\"output\":[%s],\"usage\":{\"input_tokens\":0,\"input_tokens_details\":{\"cached_tokens\":0},\"output_tokens\":0,\"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":0}}"
                .formatted(status, model, items);
    }

    private static String google(String text) {
        return "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":%s}],\"role\":\"model\"},\"finishReason\":\"STOP\",\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":0,\"candidatesTokenCount\":0,\"totalTokenCount\":0}}"
                .formatted(text);
    }

    private static String event(String type, String members) {
        return "event: %s\ndata: {\"type\":\"%s\",%s}\n\n".formatted(type, type, members);
    }

    private static String quote(String plain) {
        return JSON.writeValueAsString(plain);
    }
}
