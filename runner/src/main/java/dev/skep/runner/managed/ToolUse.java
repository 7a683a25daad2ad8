package dev.skep.runner.managed;

import dev.skep.runner.acp.SessionUpdate;
import dev.skep.runner.acp.SessionUpdate.ToolContent;
import dev.skep.runner.acp.SessionUpdate.ToolLocation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One use of a tool by a runtime, as far as it was told; of bounded size. Not thread-safe. */
final class ToolUse {
    private static final int LONGEST_TEXT = 32 * 1024;
    private static final int LONGEST_INPUT = 64 * 1024;
    private static final int LONGEST_TITLE = 2_000;
    private static final int MOST_DIFFS = 20;
    private static final int MOST_CHANGED = 64 * 1024;
    private static final int MOST_LOCATIONS = 50;

    private final String id;
    private final long since;
    private String title = "";
    private String kind = "other";
    private String status = "pending";
    private String text = "";
    private String streamed = "";
    private List<ToolContent.Diff> diffs = List.of();
    private List<ToolLocation> locations = List.of();
    private @Nullable String input;
    private @Nullable String output;
    private @Nullable String logId;

    ToolUse(String id, long since) {
        this.id = id;
        this.since = since;
    }

    void take(SessionUpdate.ToolCall call) {
        take(
                new SessionUpdate.ToolCallUpdate(
                        call.toolCallId(),
                        call.title(),
                        call.kind(),
                        call.status(),
                        call.content(),
                        call.locations(),
                        call.rawInput(),
                        call.rawOutput(),
                        null));
    }

    void take(SessionUpdate.ToolCallUpdate update) {
        title = changed(title, cut(update.title(), LONGEST_TITLE));
        kind = changed(kind, cut(update.kind(), 40));
        status = changed(status, cut(update.status(), 40));
        if (update.content() != null) {
            content(update.content());
        }
        if (update.locations() != null) {
            locations = update.locations().stream().limit(MOST_LOCATIONS).toList();
        }
        if (update.rawInput() != null && update.rawInput().length() <= LONGEST_INPUT) {
            input = update.rawInput();
        } else if (update.rawInput() != null) {
            input = LogDetailJson.text(TextTruncator.cut(update.rawInput(), LONGEST_INPUT));
        }
        output = cut(update.rawOutput(), LONGEST_TEXT) == null ? output : update.rawOutput();
        output = cut(output, LONGEST_TEXT);
        if (update.outputDelta() != null) {
            streamed = TextTruncator.cut(streamed + update.outputDelta(), LONGEST_TEXT);
        }
    }

    private void content(List<ToolContent> content) {
        StringBuilder words = new StringBuilder();
        List<ToolContent.Diff> changes = new ArrayList<>();
        int room = MOST_CHANGED;
        for (ToolContent each : content) {
            switch (each) {
                case ToolContent.Text(var said) -> {
                    if (words.length() < LONGEST_TEXT) {
                        words.append(words.isEmpty() ? "" : "\n").append(said);
                    }
                }
                case ToolContent.Diff(var path, var before, var after) -> {
                    if (changes.size() < MOST_DIFFS) {
                        int most = Math.max(1_000, room / 2);
                        var diff =
                                new ToolContent.Diff(
                                        cut(path, LONGEST_TITLE) + "",
                                        cut(before, most),
                                        TextTruncator.cut(after, most));
                        room -= diff.newText().length();
                        changes.add(diff);
                    }
                }
                case ToolContent.Terminal _ -> {}
            }
        }
        text = TextTruncator.cut(words.toString(), LONGEST_TEXT);
        diffs = List.copyOf(changes);
    }

    private static String changed(String before, @Nullable String now) {
        return now == null || now.isEmpty() ? before : now;
    }

    private static @Nullable String cut(@Nullable String text, int most) {
        return text == null ? null : TextTruncator.cut(text, most);
    }

    void storedAs(String id) {
        logId = id;
    }

    /** Its line in the log; null before it is stored. */
    @Nullable String logId() {
        return logId;
    }

    long since() {
        return since;
    }

    /** Whether there is something to show of what it is used for. */
    boolean hasInput() {
        return (input != null && !input.isBlank() && !input.equals("{}")) || !diffs.isEmpty();
    }

    boolean isOver() {
        return status.equals("completed") || status.equals("failed");
    }

    String id() {
        return id;
    }

    String title() {
        return title.isEmpty() ? kind : title;
    }

    String kind() {
        return kind;
    }

    String status() {
        return status;
    }

    List<ToolContent.Diff> diffs() {
        return diffs;
    }

    List<ToolLocation> locations() {
        return locations;
    }

    /** JSON. */
    @Nullable String input() {
        return input;
    }

    /** What came of it, for people. */
    String result() {
        if (!text.isBlank()) {
            return text;
        }
        if (!streamed.isBlank()) {
            return streamed;
        }
        if (!diffs.isEmpty()) {
            return String.join("\n", diffs.stream().map(ToolContent.Diff::path).toList());
        }
        return output == null ? "" : LogDetailJson.words(output);
    }
}
