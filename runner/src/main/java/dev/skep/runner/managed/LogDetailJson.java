package dev.skep.runner.managed;

import dev.skep.kernel.error.SkepException;
import dev.skep.runner.acp.PromptResult;
import dev.skep.runner.acp.SessionUpdate;
import dev.skep.runner.acp.SessionUpdate.ToolLocation;
import dev.skep.transport.route.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What programs read of the lines of a managed agent's log, as JSON of bounded size. */
final class LogDetailJson {
    private static final int LONGEST_INPUT_TEXT = 16 * 1024;

    private LogDetailJson() {}

    static String prompt(List<String> wake) {
        return Json.text(Map.of("wake", wake));
    }

    static String toolCall(ToolUse use) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("toolCallId", TextTruncator.cut(use.id(), 200));
        fields.put("kind", use.kind());
        fields.put("title", use.title());
        String input = use.input();
        fields.put("input", input == null ? null : values(input));
        fields.put("locations", locations(use.locations()));
        if (!use.diffs().isEmpty()) {
            // Pages of a hub show from this line what a person is asked about.
            fields.put("diffs", diffs(use));
        }
        return Json.text(fields);
    }

    private static List<Object> diffs(ToolUse use) {
        List<Object> diffs = new ArrayList<>();
        for (var diff : use.diffs()) {
            Map<String, @Nullable Object> each = new LinkedHashMap<>();
            each.put("path", diff.path());
            each.put("oldText", diff.oldText());
            each.put("newText", diff.newText());
            diffs.add(each);
        }
        return diffs;
    }

    static String toolResult(ToolUse use, String status) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("toolCallId", TextTruncator.cut(use.id(), 200));
        fields.put("kind", use.kind());
        fields.put("status", status);
        fields.put("diffs", diffs(use));
        fields.put("locations", locations(use.locations()));
        return Json.text(fields);
    }

    /** The end of a tool of which only its line in the log is known. */
    static String toolResult(String toolCallId, String kind, String status) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("toolCallId", toolCallId);
        fields.put("kind", kind);
        fields.put("status", status);
        fields.put("diffs", List.of());
        fields.put("locations", List.of());
        return Json.text(fields);
    }

    static String plan(List<SessionUpdate.PlanStep> steps) {
        return Json.text(
                Map.of(
                        "entries",
                        steps.stream()
                                .map(
                                        step ->
                                                Map.of(
                                                        "content", step.content(),
                                                        "status", step.status(),
                                                        "priority", step.priority()))
                                .toList()));
    }

    static String turnEnd(
            String stopReason, @Nullable String why, PromptResult.@Nullable TurnTokens usage) {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("stopReason", TextTruncator.cut(stopReason, 100));
        if (why != null) {
            fields.put("why", why);
        }
        if (usage != null) {
            Map<String, @Nullable Object> tokens = new LinkedHashMap<>();
            tokens.put("inputTokens", usage.input());
            tokens.put("outputTokens", usage.output());
            tokens.put("cachedReadTokens", usage.cacheRead());
            tokens.put("cachedWriteTokens", usage.cacheWrite());
            tokens.put("totalTokens", usage.total());
            fields.put("usage", tokens);
        }
        return Json.text(fields);
    }

    private static List<Map<String, Object>> locations(List<ToolLocation> locations) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (ToolLocation location : locations) {
            Map<String, Object> each = new LinkedHashMap<>();
            each.put("path", TextTruncator.cut(location.path(), 1_000));
            Long line = location.line();
            if (line != null) {
                each.put("line", line);
            }
            all.add(each);
        }
        return all;
    }

    /** A text as JSON. */
    static String text(String text) {
        return Json.text(text);
    }

    /** JSON as values; what is none becomes a text. */
    static @Nullable Object values(String json) {
        try {
            return Json.values(
                    Json.mapped(json, text -> TextTruncator.cut(text, LONGEST_INPUT_TEXT)));
        } catch (SkepException notJson) {
            return json;
        }
    }

    /** A JSON text without its quotes, and all other JSON as it is. */
    static String words(String json) {
        return values(json) instanceof String text ? text : json;
    }
}
