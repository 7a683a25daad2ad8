package dev.skep.store.jdbc;

import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.BulkInsert;
import java.sql.Array;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Many rows as one array per column: one statement, whatever the number of rows. A column with the
 * same value in every row, as owners and orgs have, is sent once.
 */
public final class UnnestInserter implements BulkInserter {
    private static final int CHUNK = 5_000;

    @Override
    public int insert(
            StatementCache statementCache, BulkInsert insert, List<@Nullable Object[]> rows)
            throws SQLException {
        int changed = 0;
        for (int from = 0; from < rows.size(); from += CHUNK) {
            List<@Nullable Object[]> chunk =
                    rows.subList(from, Math.min(rows.size(), from + CHUNK));
            BitSet same = same(insert, chunk);
            String sql = sql(insert, same);
            PreparedStatement statement = statementCache.borrow(sql);
            bind(statement, insert, chunk, same);
            changed += statement.executeUpdate();
            statementCache.giveBack(sql, statement);
        }
        return changed;
    }

    /** In the order of the text: single values stand before the arrays. */
    private static void bind(
            PreparedStatement statement,
            BulkInsert insert,
            List<@Nullable Object[]> rows,
            BitSet same)
            throws SQLException {
        int at = 1;
        for (int column = same.nextSetBit(0); column >= 0; column = same.nextSetBit(column + 1)) {
            Object value = plain(rows.getFirst()[column]);
            statement.setObject(at++, value, isText(insert, column) ? Types.VARCHAR : Types.BIGINT);
        }
        for (int column = 0; column < insert.columns().size(); column++) {
            if (!same.get(column)) {
                statement.setArray(at++, array(statement, insert, rows, column));
            }
        }
    }

    /** The columns that do not differ; never the last, so that there is an array to count by. */
    private static BitSet same(BulkInsert insert, List<@Nullable Object[]> rows) {
        BitSet same = new BitSet();
        @Nullable Object[] first = rows.getFirst();
        for (int column = 0; column < insert.columns().size() - 1; column++) {
            int at = column;
            same.set(at, rows.stream().allMatch(row -> Objects.equals(row[at], first[at])));
        }
        return same;
    }

    private static boolean isText(BulkInsert insert, int column) {
        return insert.columns().get(column).type() == Column.Type.TEXT;
    }

    private static Array array(
            PreparedStatement statement,
            BulkInsert insert,
            List<@Nullable Object[]> rows,
            int column)
            throws SQLException {
        boolean text = isText(insert, column);
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

    private static String sql(BulkInsert insert, BitSet same) {
        List<String> values = new ArrayList<>();
        List<String> arrays = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (int column = 0; column < insert.columns().size(); column++) {
            String type = isText(insert, column) ? "text" : "int8";
            if (same.get(column)) {
                values.add("?::" + type);
            } else {
                names.add("c" + column);
                values.add("c" + column);
                arrays.add("?::" + type + "[]");
            }
        }
        values.addAll(insert.expressions());
        return "INSERT INTO %s (%s) SELECT %s FROM unnest(%s) AS u (%s) %s"
                .formatted(
                        insert.table(),
                        insert.columnNames(),
                        String.join(", ", values),
                        String.join(", ", arrays),
                        String.join(", ", names),
                        insert.onConflict());
    }
}
