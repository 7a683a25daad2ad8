package dev.skep.runner.command;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What follows {@code mail send}: plain words and options with a value.
 *
 * @param problem what is wrong with them, or null
 */
record SendOptions(List<String> plain, Map<String, String> values, @Nullable String problem) {
    private static final Set<String> KNOWN = Set.of("--cc", "--bcc", "--reply-to");

    static SendOptions of(List<String> words) {
        List<String> plain = new ArrayList<>();
        Map<String, String> values = new HashMap<>();
        for (Iterator<String> each = words.iterator(); each.hasNext(); ) {
            String word = each.next();
            if (!word.startsWith("--")) {
                plain.add(word);
            } else if (!KNOWN.contains(word)) {
                return new SendOptions(plain, values, "there is no " + word);
            } else if (!each.hasNext()) {
                return new SendOptions(plain, values, word + " needs a value");
            } else {
                values.put(word, each.next());
            }
        }
        return new SendOptions(plain, values, null);
    }

    @Nullable String value(String option) {
        return values.get(option);
    }
}
