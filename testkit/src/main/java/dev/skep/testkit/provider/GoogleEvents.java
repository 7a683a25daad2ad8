package dev.skep.testkit.provider;

import java.util.ArrayList;
import java.util.List;

/** Google's content. */
final class GoogleEvents extends WireEvents {
    @Override
    String whole(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> parts = new ArrayList<>();
        if (!reply.text().isEmpty()) {
            parts.add(text(reply.text()));
        }
        reply.tools().forEach(tool -> parts.add(tool(tool)));
        return response(String.join(",", parts), ",\"finishReason\":\"STOP\"", reply.usage());
    }

    @Override
    List<String> beginning(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> events = new ArrayList<>();
        for (String piece : pieces(reply.text())) {
            events.add(
                    data(response(text(piece), "", ProviderUsage.of(reply.usage().prompt(), 1))));
        }
        return events;
    }

    @Override
    List<String> ending(ProviderCall call, ProviderAnswer.Reply reply) {
        List<String> parts = new ArrayList<>();
        reply.tools().forEach(tool -> parts.add(tool(tool)));
        if (parts.isEmpty()) {
            parts.add(text(""));
        }
        return List.of(
                data(
                        response(
                                String.join(",", parts),
                                ",\"finishReason\":\"STOP\"",
                                reply.usage())));
    }

    private static String text(String text) {
        return "{\"text\":%s}".formatted(quote(text));
    }

    private static String tool(ProviderAnswer.ToolUse tool) {
        return "{\"functionCall\":{\"name\":%s,\"args\":%s}}"
                .formatted(quote(tool.name()), tool.input());
    }

    private static String response(String parts, String finish, ProviderUsage usage) {
        return "{\"candidates\":[{\"content\":{\"parts\":[%s],\"role\":\"model\"}%s,\"index\":0}],\"usageMetadata\":{\"promptTokenCount\":%d,\"cachedContentTokenCount\":%d,\"candidatesTokenCount\":%d,\"totalTokenCount\":%d}}"
                .formatted(
                        parts,
                        finish,
                        usage.prompt(),
                        usage.cacheRead(),
                        usage.output(),
                        usage.prompt() + usage.output());
    }
}
