package dev.skep.dispatch.queue.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an {@code IN (…)}: padded with its last value to one of few lengths, so that
 * few statements are prepared.
 */
public record InList(String placeholders, List<String> values) {
    private static final int[] LENGTHS = {1, 4, 16, 32, 64, 128, 192, 256, 1_024};

    public static InList of(Collection<String> values) {
        List<String> padded = new ArrayList<>(values);
        if (padded.isEmpty()) {
            throw new IllegalArgumentException("nothing to look for");
        }
        int length = padded.size();
        for (int candidate : LENGTHS) {
            if (candidate >= padded.size()) {
                length = candidate;
                break;
            }
        }
        padded.addAll(Collections.nCopies(length - padded.size(), padded.getLast()));
        return new InList(String.join(", ", Collections.nCopies(length, "?")), padded);
    }

    /** All parameters of a statement in which the list comes last. */
    public @Nullable Object[] after(@Nullable Object... first) {
        List<@Nullable Object> all = new ArrayList<>();
        Collections.addAll(all, first);
        all.addAll(values);
        return all.toArray();
    }
}
