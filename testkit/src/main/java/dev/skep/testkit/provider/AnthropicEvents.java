package dev.skep.testkit.provider;

import java.util.ArrayList;
import java.util.List;

/** Anthropic's messages. */
final class AnthropicEvents extends WireEvents {
    @Override
    String whole(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> content = new ArrayList<>();
        if (!reply.text().isEmpty()) {
            content.add("{\"type\":\"text\",\"text\":%s}".formatted(quote(reply.text())));
        }
        for (ProviderAnswer.ToolUse tool : reply.tools()) {
            content.add(tool(tool, content.size(), tool.input()));
        }
        return "{\"id\":%s,\"type\":\"message\",\"role\":\"assistant\",\"model\":%s,\"content\":[%s],\"stop_reason\":%s,\"stop_sequence\":null,\"usage\":{%s,\"output_tokens\":%d}}"
                .formatted(
                        quote(id("msg", 0)),
                        quote(call.model()),
                        String.join(",", content),
                        quote(stop(reply)),
                        input(reply.usage()),
                        reply.usage().output());
    }

    @Override
    List<String> beginning(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> events = new ArrayList<>();
        events.add(
                event(
                        "message_start",
                        "{\"type\":\"message_start\",\"message\":{\"id\":%s,\"type\":\"message\",\"role\":\"assistant\",\"model\":%s,\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":{%s,\"output_tokens\":1}}}"
                                .formatted(
                                        quote(id("msg", 0)),
                                        quote(call.model()),
                                        input(reply.usage()))));
        if (!reply.text().isEmpty()) {
            events.add(start(0, "{\"type\":\"text\",\"text\":\"\"}"));
            for (String piece : pieces(reply.text())) {
                events.add(
                        delta(0, "{\"type\":\"text_delta\",\"text\":%s}".formatted(quote(piece))));
            }
        }
        return events;
    }

    @Override
    List<String> ending(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> events = new ArrayList<>();
        int place = 0;
        if (!reply.text().isEmpty()) {
            events.add(stop(place++));
        }
        for (ProviderAnswer.ToolUse tool : reply.tools()) {
            events.add(start(place, tool(tool, place, "{}")));
            events.add(
                    delta(
                            place,
                            "{\"type\":\"input_json_delta\",\"partial_json\":%s}"
                                    .formatted(quote(tool.input()))));
            events.add(stop(place++));
        }
        events.add(
                event(
                        "message_delta",
                        "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":%s,\"stop_sequence\":null},\"usage\":{\"output_tokens\":%d}}"
                                .formatted(quote(stop(reply)), reply.usage().output())));
        events.add(event("message_stop", "{\"type\":\"message_stop\"}"));
        return events;
    }

    private static String input(ProviderUsage usage) {
        return "\"input_tokens\":%d,\"cache_read_input_tokens\":%d,\"cache_creation_input_tokens\":%d"
                .formatted(usage.input(), usage.cacheRead(), usage.cacheWrite());
    }

    private static String stop(ProviderAnswer.Reply reply) {
        return reply.tools().isEmpty() ? "end_turn" : "tool_use";
    }

    private static String tool(ProviderAnswer.ToolUse tool, int place, String input) {
        return "{\"type\":\"tool_use\",\"id\":%s,\"name\":%s,\"input\":%s}"
                .formatted(quote(id("toolu", place)), quote(tool.name()), input);
    }

    private static String start(int place, String block) {
        return event(
                "content_block_start",
                "{\"type\":\"content_block_start\",\"index\":%d,\"content_block\":%s}"
                        .formatted(place, block));
    }

    private static String delta(int place, String delta) {
        return event(
                "content_block_delta",
                "{\"type\":\"content_block_delta\",\"index\":%d,\"delta\":%s}"
                        .formatted(place, delta));
    }

    private static String stop(int place) {
        return event(
                "content_block_stop",
                "{\"type\":\"content_block_stop\",\"index\":%d}".formatted(place));
    }
}
