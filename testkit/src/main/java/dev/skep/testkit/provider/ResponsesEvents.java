package dev.skep.testkit.provider;

import java.util.ArrayList;
import java.util.List;

/** OpenAI's responses. */
final class ResponsesEvents extends WireEvents {
    @Override
    String whole(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> items = new ArrayList<>();
        if (!reply.text().isEmpty()) {
            items.add(message(reply.text()));
        }
        for (ProviderAnswer.ToolUse tool : reply.tools()) {
            items.add(tool(tool, items.size(), tool.input()));
        }
        return response(call, "completed", String.join(",", items), usage(reply.usage()));
    }

    @Override
    List<String> beginning(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> events = new ArrayList<>();
        String begun = response(call, "in_progress", "", "null");
        events.add(typed("response.created", "\"response\":" + begun));
        events.add(typed("response.in_progress", "\"response\":" + begun));
        if (!reply.text().isEmpty()) {
            events.add(
                    typed(
                            "response.output_item.added",
                            "\"output_index\":0,\"item\":{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"in_progress\",\"role\":\"assistant\",\"content\":[]}"));
            events.add(
                    typed(
                            "response.content_part.added",
                            "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_text\",\"text\":\"\",\"annotations\":[]}"));
            for (String piece : pieces(reply.text())) {
                events.add(
                        typed(
                                "response.output_text.delta",
                                "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"delta\":"
                                        + quote(piece)));
            }
        }
        return events;
    }

    @Override
    List<String> ending(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> events = new ArrayList<>();
        List<String> items = new ArrayList<>();
        if (!reply.text().isEmpty()) {
            events.add(
                    typed(
                            "response.output_text.done",
                            "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"text\":"
                                    + quote(reply.text())));
            events.add(
                    typed(
                            "response.content_part.done",
                            "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0,\"part\":{\"type\":\"output_text\",\"text\":%s,\"annotations\":[]}"
                                    .formatted(quote(reply.text()))));
            items.add(message(reply.text()));
            events.add(
                    typed(
                            "response.output_item.done",
                            "\"output_index\":0,\"item\":" + items.getFirst()));
        }
        for (ProviderAnswer.ToolUse tool : reply.tools()) {
            int place = items.size();
            String item = tool(tool, place, tool.input());
            events.add(
                    typed(
                            "response.output_item.added",
                            "\"output_index\":%d,\"item\":%s"
                                    .formatted(place, tool(tool, place, ""))));
            events.add(
                    typed(
                            "response.function_call_arguments.delta",
                            "\"item_id\":\"fc_%d\",\"output_index\":%d,\"delta\":%s"
                                    .formatted(place, place, quote(tool.input()))));
            events.add(
                    typed(
                            "response.function_call_arguments.done",
                            "\"item_id\":\"fc_%d\",\"output_index\":%d,\"arguments\":%s"
                                    .formatted(place, place, quote(tool.input()))));
            events.add(
                    typed(
                            "response.output_item.done",
                            "\"output_index\":%d,\"item\":%s".formatted(place, item)));
            items.add(item);
        }
        events.add(
                typed(
                        "response.completed",
                        "\"response\":"
                                + response(
                                        call,
                                        "completed",
                                        String.join(",", items),
                                        usage(reply.usage()))));
        return events;
    }

    private static String typed(String type, String members) {
        return event(type, "{\"type\":%s,%s}".formatted(quote(type), members));
    }

    private static String response(ProviderCall call, String status, String items, String usage) {
        return "{\"id\":\"resp_1\",\"object\":\"response\",\"created_at\":1,\"status\":%s,\"error\":null,\"incomplete_details\":null,\"model\":%s,\"output\":[%s],\"usage\":%s}"
                .formatted(quote(status), quote(call.model()), items, usage);
    }

    private static String message(String text) {
        return "{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":%s,\"annotations\":[]}]}"
                .formatted(quote(text));
    }

    /** The same in each event of one reply; programs keep those of earlier replies. */
    private static String callId(ProviderAnswer.ToolUse tool) {
        return "call_" + Integer.toHexString(System.identityHashCode(tool));
    }

    private static String tool(ProviderAnswer.ToolUse tool, int place, String input) {
        String namespace =
                tool.namespace() == null
                        ? ""
                        : "\"namespace\":%s,".formatted(quote(tool.namespace()));
        return "{\"type\":\"function_call\",%s\"id\":\"fc_%d\",\"call_id\":%s,\"name\":%s,\"arguments\":%s,\"status\":\"completed\"}"
                .formatted(namespace, place, quote(callId(tool)), quote(tool.name()), quote(input));
    }

    private static String usage(ProviderUsage usage) {
        return "{\"input_tokens\":%d,\"input_tokens_details\":{\"cached_tokens\":%d},\"output_tokens\":%d,\"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":%d}"
                .formatted(
                        usage.prompt(),
                        usage.cacheRead(),
                        usage.output(),
                        usage.prompt() + usage.output());
    }
}
