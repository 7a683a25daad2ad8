package dev.skep.dispatch.queue.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of an {@code IN (…)}: padded with its last value to one of few lengths, so that
 * few statements are prepared.
 */
public record InList(List<String> values) {
    private static final int[] LENGTHS = {1, 4, 16, 32, 64, 128, 192, 256, 1_024};

    /** Statements of these lengths; there are as many as texts that are asked for here. */
    private static final Map<Shape, String> SHAPES = new ConcurrentHashMap<>();

    private record Shape(String sql, int length) {}

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
        return new InList(padded);
    }

    public String placeholders() {
        return String.join(", ", Collections.nCopies(values.size(), "?"));
    }

    /** A statement that never changes, with this list in it: made once for each length. */
    String in(String sql) {
        if (values.size() > LENGTHS[LENGTHS.length - 1]) {
            return sql.formatted(placeholders());
        }
        return SHAPES.computeIfAbsent(
                new Shape(sql, values.size()), shape -> sql.formatted(placeholders()));
    }

    /** All parameters of a statement in which the list comes last. */
    public @Nullable Object[] after(@Nullable Object... first) {
        List<@Nullable Object> all = new ArrayList<>();
        Collections.addAll(all, first);
        all.addAll(values);
        return all.toArray();
    }
}
