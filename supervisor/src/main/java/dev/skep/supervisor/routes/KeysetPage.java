package dev.skep.supervisor.routes;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A stretch of a long list.
 *
 * @param next what to ask for as {@code before} to go on; null at the end
 */
record KeysetPage<T>(List<T> rows, @Nullable String next) {

    /** From one row more than asked for, which shows whether there are more. */
    static <T> KeysetPage<T> of(List<T> rows, int limit, Function<T, String> key) {
        if (rows.size() <= limit) {
            return new KeysetPage<>(rows, null);
        }
        List<T> shown = rows.subList(0, limit);
        return new KeysetPage<>(shown, key.apply(shown.getLast()));
    }
}
