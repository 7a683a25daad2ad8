package dev.skep.runner.managed;

import dev.skep.agents.session.LogEntry;
import dev.skep.runner.loop.LogEntryDraft;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a session's log says of a managed agent's turns, after a restart. */
final class SessionHistory {
    /** Longer ones are cut in the middle. */
    private static final int LONGEST_SUMMARY = 16_000;

    private static final int LONGEST_LINE = 2_000;

    /** Begins what is a prompt, while prompts and what people said are told apart. */
    private static final String PROMPTED = "\u0001";

    private final List<LogEntry> log;

    SessionHistory(List<LogEntry> log) {
        this.log = log;
    }

    boolean hasPrompt() {
        return log.stream().anyMatch(entry -> entry.type() == LogEntry.Type.PROMPT);
    }

    /** The last prompt, if its turn has no end; null otherwise. */
    @Nullable LogEntry openPrompt() {
        LogEntry open = null;
        for (LogEntry entry : log) {
            if (entry.type() == LogEntry.Type.PROMPT) {
                open = entry;
            } else if (entry.type() == LogEntry.Type.TURN_END) {
                open = null;
            }
        }
        return open;
    }

    /** What the last turn began with, if it was cut; null if it was not. */
    @Nullable String cut() {
        LogEntry end = null;
        for (LogEntry entry : log) {
            if (entry.type() == LogEntry.Type.PROMPT) {
                end = null;
            } else if (entry.type() == LogEntry.Type.TURN_END) {
                end = entry;
            }
        }
        return hasPrompt() && (end == null || isCut(end)) ? lastPrompt() : null;
    }

    /** What the last turn began with: what people said, and what else there was to tell. */
    String lastPrompt() {
        List<String> told = new ArrayList<>();
        for (LogEntry entry : log) {
            if (entry.type() == LogEntry.Type.TALK || entry.type() == LogEntry.Type.PROMPT) {
                if (begun(told)) {
                    told.clear();
                }
                told.add(
                        entry.type() == LogEntry.Type.PROMPT
                                ? PROMPTED + entry.message()
                                : entry.message());
            }
        }
        return String.join("\n", told).replace(PROMPTED, "");
    }

    private static boolean begun(List<String> told) {
        return !told.isEmpty() && told.getLast().startsWith(PROMPTED);
    }

    private static boolean isCut(LogEntry end) {
        String detail = end.detail();
        return detail != null
                && List.of("interrupted", "crashed")
                        .contains(Json.fields(detail).optionalText("stopReason").orElse(""));
    }

    /** Results for tools of which the end is not known. */
    List<LogEntryDraft> unknownResults() {
        Map<String, JsonFields> open = new LinkedHashMap<>();
        for (LogEntry entry : log) {
            String detail = entry.detail();
            if (detail != null && entry.type() == LogEntry.Type.TOOL_CALL) {
                JsonFields fields = Json.fields(detail);
                open.put(fields.optionalText("toolCallId").orElse(""), fields);
            } else if (detail != null && entry.type() == LogEntry.Type.TOOL_RESULT) {
                open.remove(Json.fields(detail).optionalText("toolCallId").orElse(""));
            }
        }
        List<LogEntryDraft> drafts = new ArrayList<>();
        open.forEach(
                (id, fields) ->
                        drafts.add(
                                LogEntryDraft.ofRuntime(
                                        LogEntry.Type.TOOL_RESULT,
                                        "[the runner stopped here; this may or may not have been done]",
                                        LogDetailJson.toolResult(
                                                id,
                                                fields.optionalText("kind").orElse("other"),
                                                "unknown"))));
        return drafts;
    }

    /** What was said and done, for a runtime that cannot load its session; the newest counts. */
    String summary() {
        List<String> lines = new ArrayList<>();
        int length = 0;
        for (LogEntry entry : log.reversed()) {
            String line = line(entry);
            if (line != null) {
                length += line.length();
                if (length > LONGEST_SUMMARY) {
                    lines.addFirst("[… what was before is left out …]");
                    break;
                }
                lines.addFirst(line);
            }
        }
        return String.join("\n", lines);
    }

    private static @Nullable String line(LogEntry entry) {
        String text = TextTruncator.cut(entry.message(), LONGEST_LINE);
        return switch (entry.type()) {
            case PROMPT, TALK -> "> " + text;
            case REPLY -> "You: " + text;
            case TOOL_CALL -> "You used a tool: " + text;
            case TOOL_RESULT -> text.isBlank() ? null : "It gave: " + TextTruncator.cut(text, 500);
            case PLAN -> "Your plan:\n" + text;
            case SUMMARY -> text;
            case INSTRUCTIONS, COMMAND, OUTPUT, THOUGHT, TURN_END, NOTICE, DECISION, ERROR -> null;
        };
    }
}
