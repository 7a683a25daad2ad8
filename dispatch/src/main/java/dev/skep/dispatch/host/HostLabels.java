package dev.skep.dispatch.host;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.label.LabelTest;
import dev.skep.kernel.row.StorableText;
import dev.skep.transport.route.Json;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Labels of a host. They are stored as a JSON object in one fixed form, keys sorted, so that a
 * label can be found as a part of the text on either database.
 */
public final class HostLabels {
    private static final int MOST = 50;
    private static final Pattern NAME = LabelTest.NAME;
    private static final int LONGEST = 200;

    private HostLabels() {}

    /** The stored form; refuses names that are not plain. */
    public static String stored(Map<String, String> labels) {
        if (labels.size() > MOST) {
            throw bad("a host has at most %d labels".formatted(MOST));
        }
        labels.forEach(
                (name, value) -> {
                    if (!NAME.matcher(name).matches() || value.length() > LONGEST) {
                        throw bad(
                                "label '%s' is not usable; names are lower-case letters, digits, '.', '_' and '-', values at most %d long"
                                        .formatted(name, LONGEST));
                    }
                });
        return Json.text(new TreeMap<>(labels));
    }

    /**
     * What a host says of itself, in the stored form; what is no label is left out. A host chooses
     * these, so there are as few and they are as short as labels.
     */
    static @Nullable String facts(@Nullable Map<String, String> reported) {
        if (reported == null) {
            return null;
        }
        Map<String, String> facts = new TreeMap<>();
        reported.forEach(
                (name, value) -> {
                    if (NAME.matcher(name).matches()
                            && value.length() <= LONGEST
                            && facts.size() < MOST) {
                        facts.put(name, StorableText.of(value));
                    }
                });
        return Json.text(facts);
    }

    /** How {@code env:prod} looks inside the stored form. */
    static String member(String label) {
        int colon = label.indexOf(':');
        if (colon < 1) {
            throw bad("query 'label' must look like env:prod");
        }
        return "%s:%s"
                .formatted(
                        Json.text(label.substring(0, colon)),
                        Json.text(label.substring(colon + 1)));
    }

    private static SkepException bad(String message) {
        return new SkepException(ErrorCode.BAD_REQUEST, message);
    }
}
