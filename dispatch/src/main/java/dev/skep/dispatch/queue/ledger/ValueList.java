package dev.skep.dispatch.queue.ledger;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rows as a VALUES list of a statement, padded with rows of nulls to one of few lengths, so that
 * few statements are prepared. The first row names the types, which PostgreSQL cannot guess.
 */
public record ValueList(String placeholders, List<@Nullable Object> values) {
    private static final int[] LENGTHS = {1, 4, 16, 32, 64, 128, 192, 256, 1_024};

    public static ValueList of(List<@Nullable Object[]> rows, String... types) {
        int length = rows.size();
        for (int candidate : LENGTHS) {
            if (candidate >= rows.size()) {
                length = candidate;
                break;
            }
        }
        List<@Nullable Object> values = new ArrayList<>(length * types.length);
        for (@Nullable Object[] row : rows) {
            Collections.addAll(values, row);
        }
        while (values.size() < length * types.length) {
            values.add(null);
        }
        String typed =
                Stream.of(types)
                        .map("CAST(? AS %s)"::formatted)
                        .collect(Collectors.joining(", ", "(", ")"));
        String plain = "(" + String.join(", ", Collections.nCopies(types.length, "?")) + ")";
        String all =
                typed
                        + (length > 1 ? ", " : "")
                        + String.join(", ", Collections.nCopies(length - 1, plain));
        return new ValueList(all, values);
    }

    /** All parameters of a statement in which the list comes first. */
    public @Nullable Object[] before(@Nullable Object... last) {
        List<@Nullable Object> all = new ArrayList<>(values);
        Collections.addAll(all, last);
        return all.toArray();
    }
}
