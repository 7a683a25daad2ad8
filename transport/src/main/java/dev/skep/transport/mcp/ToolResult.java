package dev.skep.transport.mcp;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.route.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a tool's call came to, in MCP's form; its failure is a result too, for the model to read.
 */
public final class ToolResult {
    private ToolResult() {}

    /** Text for the model. */
    public static Map<String, Object> of(String text, boolean failed) {
        return Map.of("content", content(text), "isError", failed);
    }

    /** JSON that is written already. */
    public static Map<String, Object> json(String json) {
        return Map.of(
                "content",
                content(json),
                "structuredContent",
                Optional.ofNullable(Json.raw(json)).orElseThrow(),
                "isError",
                false);
    }

    public static Map<String, Object> refused(SkepException why) {
        return of("%s [%s]".formatted(why.getMessage(), why.code().code()), true);
    }

    private static List<Map<String, String>> content(String text) {
        return List.of(Map.of("type", "text", "text", text));
    }
}
