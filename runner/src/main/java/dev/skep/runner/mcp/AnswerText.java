package dev.skep.runner.mcp;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** What a tool answered, as text for a model. */
final class AnswerText {
    private AnswerText() {}

    static String of(JsonNode result) {
        List<String> parts = new ArrayList<>();
        for (JsonNode part : result.path("content")) {
            parts.add(part(part));
        }
        if (parts.isEmpty() && result.has("structuredContent")) {
            parts.add(result.path("structuredContent").toString());
        }
        String text = String.join("\n", parts).stripTrailing();
        String shown = text.isEmpty() ? "[done, no output]" : text;
        return result.path("isError").asBoolean(false) ? "error: " + shown : shown;
    }

    private static String part(JsonNode part) {
        String type = part.path("type").asString("");
        return switch (type) {
            case "text" -> part.path("text").asString("");
            case "resource" -> {
                JsonNode resource = part.path("resource");
                yield resource.path("text").isString()
                        ? resource.path("text").asString()
                        : "[%s]".formatted(resource.path("uri").asString("a resource"));
            }
            case "resource_link" -> "[%s]".formatted(part.path("uri").asString("a resource"));
            default ->
                    "[%s, %,d characters of base64]"
                            .formatted(
                                    part.path("mimeType").asString(type.isEmpty() ? "data" : type),
                                    part.path("data").asString("").length());
        };
    }

    /** Head and tail of a text that is longer than an agent may see at once. */
    static String within(String text, int longest) {
        if (text.length() <= longest) {
            return text;
        }
        int half = longest / 2;
        int head = Character.isHighSurrogate(text.charAt(half - 1)) ? half - 1 : half;
        int from = text.length() - half;
        int tail = Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from;
        return "%s\n[... %,d characters omitted ...]\n%s"
                .formatted(text.substring(0, head), tail - head, text.substring(tail));
    }
}
