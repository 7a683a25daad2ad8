package dev.skep.supervisor.view;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a card shows of a waiting deed beside its command, from the JSON of a program on another
 * host: nothing in it is believed, and no more of it is taken than a card has room for.
 *
 * @param command what the agent's rules are matched against, if that is not the line's message
 * @param diff what it changes; none of it if it is too long for a card
 * @param isLong whether there is more of the diff than is here
 */
record AskedDetail(
        @Nullable String title,
        @Nullable String kind,
        @Nullable String path,
        @Nullable String command,
        List<Change> diff,
        boolean isLong) {
    private static final int LONGEST_TITLE = 300;
    private static final int LONGEST_PATH = 1_000;
    private static final int LONGEST_COMMAND = 10_000;
    private static final int LONGEST_DIFF = 20_000;
    private static final int MOST_FILES = 20;

    /** A file before and after. */
    record Change(String path, String oldText, String newText) {
        private int length() {
            return oldText.length() + newText.length();
        }
    }

    static AskedDetail of(@Nullable String json) {
        Optional<JsonFields> found = Json.fieldsIfObject(json);
        if (found.isEmpty()) {
            return new AskedDetail(null, null, null, null, List.of(), false);
        }
        JsonFields fields = found.get();
        List<Change> taken = new ArrayList<>();
        int length = 0;
        boolean isLong = false;
        for (JsonFields each : changes(fields)) {
            var change =
                    new Change(each.shown("path"), each.shown("oldText"), each.shown("newText"));
            length += change.length();
            if (length > LONGEST_DIFF || taken.size() == MOST_FILES) {
                isLong = true;
                break;
            }
            taken.add(change);
        }
        return new AskedDetail(
                cut(fields.shown("title"), LONGEST_TITLE),
                cut(fields.shown("kind"), LONGEST_TITLE),
                cut(fields.shown("path"), LONGEST_PATH),
                cut(fields.shown("command"), LONGEST_COMMAND),
                taken,
                isLong);
    }

    /** An approval has them as its diff, the line of a tool as its diffs. */
    private static List<JsonFields> changes(JsonFields fields) {
        return fields.objects(fields.has("diff") ? "diff" : "diffs");
    }

    private static @Nullable String cut(String text, int longest) {
        return text.isBlank() ? null : text.substring(0, Math.min(text.length(), longest));
    }
}
