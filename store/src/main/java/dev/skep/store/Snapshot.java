package dev.skep.store;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Queries against one consistent state. Parameters may be strings, longs, integers, booleans (kept
 * as 0 and 1), instants (kept as text, see {@code Timestamps}), bytes or null. Not thread-safe.
 */
public interface Snapshot {
    SqlDialect dialect();

    <T> List<T> list(String sql, RowReader<T> reader, @Nullable Object... parameters);

    /** The first row, if any. */
    <T> Optional<T> first(String sql, RowReader<T> reader, @Nullable Object... parameters);

    /** Rows one by one, without holding them all in memory; close it before the snapshot ends. */
    <T> Cursor<T> stream(String sql, RowReader<T> reader, @Nullable Object... parameters);

    /** Makes a value of the current row. */
    @FunctionalInterface
    interface RowReader<T> {
        T read(ResultRow resultRow);
    }

    /** An open result; {@link #next} returns null at its end. */
    interface Cursor<T> extends AutoCloseable {
        @Nullable T next();

        @Override
        void close();
    }
}
