package dev.skep.testkit.provider;

import java.util.ArrayList;
import java.util.List;

/** OpenAI's chat completions; usage comes only for those who ask for it, as there. */
final class ChatEvents extends WireEvents {
    @Override
    String whole(ProviderCall call, ProviderAnswer.Reply reply) {
        return "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion\",\"created\":1,\"model\":%s,\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":%s%s},\"finish_reason\":%s}],\"usage\":%s}"
                .formatted(
                        quote(call.model()),
                        quote(reply.text()),
                        reply.tools().isEmpty()
                                ? ""
                                : ",\"tool_calls\":[%s]".formatted(tools(reply)),
                        quote(reason(reply)),
                        usage(reply.usage()));
    }

    @Override
    List<String> beginning(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> events = new ArrayList<>();
        events.add(choice(call, "{\"role\":\"assistant\",\"content\":\"\"}", "null"));
        for (String piece : pieces(reply.text())) {
            events.add(choice(call, "{\"content\":%s}".formatted(quote(piece)), "null"));
        }
        return events;
    }

    @Override
    List<String> ending(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> events = new ArrayList<>();
        if (!reply.tools().isEmpty()) {
            events.add(choice(call, "{\"tool_calls\":[%s]}".formatted(tools(reply)), "null"));
        }
        events.add(choice(call, "{}", quote(reason(reply))));
        if (Boolean.TRUE.equals(JsonText.at(call.body(), "stream_options", "include_usage"))) {
            events.add(
                    data(
                            "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":%s,\"choices\":[],\"usage\":%s}"
                                    .formatted(quote(call.model()), usage(reply.usage()))));
        }
        events.add(data("[DONE]"));
        return events;
    }

    private static String choice(ProviderCall call, String delta, String reason) {
        return data(
                "{\"id\":\"chatcmpl-1\",\"object\":\"chat.completion.chunk\",\"created\":1,\"model\":%s,\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%s}]}"
                        .formatted(quote(call.model()), delta, reason));
    }

    private static String reason(ProviderAnswer.Reply reply) {
        return reply.tools().isEmpty() ? "stop" : "tool_calls";
    }

    private static String tools(ProviderAnswer.Reply reply) {
        List<String> calls = new ArrayList<>();
        for (ProviderAnswer.ToolUse tool : reply.tools()) {
            calls.add(
                    "{\"index\":%d,\"id\":%s,\"type\":\"function\",\"function\":{\"name\":%s,\"arguments\":%s}}"
                            .formatted(
                                    calls.size(),
                                    quote(id("call", calls.size())),
                                    quote(tool.name()),
                                    quote(tool.input())));
        }
        return String.join(",", calls);
    }

    private static String usage(ProviderUsage usage) {
        return "{\"prompt_tokens\":%d,\"completion_tokens\":%d,\"total_tokens\":%d,\"prompt_tokens_details\":{\"cached_tokens\":%d}}"
                .formatted(
                        usage.prompt(),
                        usage.output(),
                        usage.prompt() + usage.output(),
                        usage.cacheRead());
    }
}
