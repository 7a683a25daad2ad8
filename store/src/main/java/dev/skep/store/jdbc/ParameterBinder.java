package dev.skep.store.jdbc;

import dev.skep.kernel.row.Timestamps;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Puts Java values into a statement, the same way on both databases. */
final class ParameterBinder {
    private ParameterBinder() {}

    static void bind(PreparedStatement statement, @Nullable Object... parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            bind(statement, i + 1, parameters[i]);
        }
    }

    static void bind(PreparedStatement statement, int at, @Nullable Object value)
            throws SQLException {
        switch (value) {
            case null -> statement.setNull(at, Types.NULL);
            case String text -> statement.setString(at, text);
            case Long number -> statement.setLong(at, number);
            case Integer number -> statement.setLong(at, number);
            case Boolean flag -> statement.setLong(at, flag ? 1 : 0);
            case Instant instant -> statement.setString(at, Timestamps.format(instant));
            case byte[] bytes -> statement.setBytes(at, bytes);
            default ->
                    throw new IllegalArgumentException(
                            "cannot store a " + value.getClass().getName());
        }
    }
}
