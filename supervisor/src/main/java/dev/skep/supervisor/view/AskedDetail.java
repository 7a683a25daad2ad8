package dev.skep.supervisor.view;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
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
                cut(path(fields), LONGEST_PATH),
                cut(command(fields), LONGEST_COMMAND),
                taken,
                isLong);
    }

    /** The line of a tool has the files it is about, and what it was given, as its runtime says. */
    private static String path(JsonFields fields) {
        return Stream.concat(
                        Stream.of(fields.shown("path")),
                        Stream.of("diff", "diffs", "locations")
                                .flatMap(list -> fields.objects(list).stream())
                                .map(each -> each.shown("path")))
                .filter(path -> !path.isBlank())
                .findFirst()
                .orElse("");
    }

    private static String command(JsonFields fields) {
        return Stream.of(
                        fields.shown("command"),
                        input(fields).map(input -> input.shown("command")).orElse(""))
                .filter(command -> !command.isBlank())
                .findFirst()
                .orElse("");
    }

    private static List<JsonFields> changes(JsonFields fields) {
        return Stream.of("diff", "diffs")
                .map(fields::objects)
                .filter(list -> !list.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static Optional<JsonFields> input(JsonFields fields) {
        return Json.fieldsIfObject(fields.json("input").orElse(null));
    }

    private static @Nullable String cut(String text, int longest) {
        return text.isBlank() ? null : text.substring(0, Math.min(text.length(), longest));
    }
}
