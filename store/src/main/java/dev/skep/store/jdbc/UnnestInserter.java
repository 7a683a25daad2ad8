package dev.skep.store.jdbc;

import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.BulkInsert;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Many rows as one array per column: one statement, whatever the number of rows. */
public final class UnnestInserter implements BulkInserter {
    private static final int CHUNK = 5_000;

    @Override
    public int insert(Statements statements, BulkInsert insert, List<@Nullable Object[]> rows)
            throws SQLException {
        String sql = sql(insert);
        int changed = 0;
        PreparedStatement statement = statements.borrow(sql);
        for (int from = 0; from < rows.size(); from += CHUNK) {
            List<@Nullable Object[]> chunk =
                    rows.subList(from, Math.min(rows.size(), from + CHUNK));
            for (int column = 0; column < insert.columns().size(); column++) {
                statement.setArray(column + 1, array(statement, insert, chunk, column));
            }
            changed += statement.executeUpdate();
        }
        statements.giveBack(sql, statement);
        return changed;
    }

    private static Array array(
            PreparedStatement statement,
            BulkInsert insert,
            List<@Nullable Object[]> rows,
            int column)
            throws SQLException {
        boolean text = insert.columns().get(column).type() == Column.Type.TEXT;
        @Nullable Object[] values = text ? new String[rows.size()] : new Long[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = plain(rows.get(i)[column]);
        }
        return statement.getConnection().createArrayOf(text ? "text" : "int8", values);
    }

    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case Integer number -> number.longValue();
            case Boolean flag -> flag ? 1L : 0L;
            case Instant instant -> Timestamps.format(instant);
            case null -> null;
            default -> value;
        };
    }

    private static String sql(BulkInsert insert) {
        String arrays =
                insert.columns().stream()
                        .map(c -> c.type() == Column.Type.TEXT ? "?::text[]" : "?::int8[]")
                        .collect(Collectors.joining(", "));
        return "INSERT INTO %s (%s) SELECT * FROM unnest(%s) %s"
                .formatted(insert.table(), insert.columnNames(), arrays, insert.onConflict());
    }
}
