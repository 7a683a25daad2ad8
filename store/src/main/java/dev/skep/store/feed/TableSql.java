package dev.skep.store.feed;

import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.BulkInsert;
import dev.skep.store.ResultRow;
import dev.skep.store.clock.RetentionClock;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The statements of one synced table, derived from its description. */
record TableSql(SyncTable table, String selected, BulkInsert applied, BulkInsert own) {

    /** The columns every synced table has besides those its description names, in bind order. */
    private static final List<Column> COMMON =
            List.of(
                    Column.text("org_id"),
                    Column.text("host_id"),
                    Column.integer("gen"),
                    Column.integer("ver"),
                    Column.integer("feed").optional(),
                    Column.text("extra").optional());

    private static final int COMMON_SELECTED = 5;

    /** When a version was stored here; other hosts do not get it. */
    private static final BulkInsert.Computed STORED_AT =
            new BulkInsert.Computed("stored_at", RetentionClock.NOW);

    TableSql(SyncTable table) {
        this(
                table,
                "host_id, gen, ver, feed, extra, " + names(table.columns()),
                insert(table, NEWER),
                insert(table, MINE));
    }

    private static BulkInsert insert(SyncTable table, String condition) {
        return new BulkInsert(
                table.name(), columns(table), onConflict(table, condition), List.of(STORED_AT));
    }

    /** Only what is newer, from its owner; a higher generation outranks every stamp. */
    private static final String NEWER =
            """
            %1$s.org_id = excluded.org_id AND (excluded.gen > %1$s.gen OR
                (excluded.gen = %1$s.gen AND excluded.host_id = %1$s.host_id AND excluded.ver > %1$s.ver))""";

    /** An owner's own write; its stamp is the newest by construction. */
    private static final String MINE =
            """
            %1$s.org_id = excluded.org_id AND excluded.gen >= %1$s.gen AND
                (excluded.host_id = %1$s.host_id OR excluded.gen > %1$s.gen)""";

    private static String onConflict(SyncTable table, String condition) {
        String assignments =
                columns(table).stream()
                        .map(Column::name)
                        .filter(c -> !c.equals("org_id") && !table.key().contains(c))
                        .map(c -> assignment(table, c))
                        .collect(Collectors.joining(", "));
        return "ON CONFLICT (%s) DO UPDATE SET %s, stored_at = excluded.stored_at WHERE %s"
                .formatted(
                        String.join(", ", table.key()),
                        assignments,
                        condition.formatted(table.name()));
    }

    private static String assignment(SyncTable table, String column) {
        return switch (column) {
            // When a row was born does not change with it.
            case "created_at" -> "created_at = " + table.name() + ".created_at";
            case "extra" -> "extra = coalesce(excluded.extra, " + table.name() + ".extra)";
            default -> column + " = excluded." + column;
        };
    }

    private static List<Column> columns(SyncTable table) {
        List<Column> all = new ArrayList<>(COMMON);
        all.addAll(table.columns());
        return all;
    }

    private static String names(List<Column> columns) {
        return columns.stream().map(Column::name).collect(Collectors.joining(", "));
    }

    /** The values of one row for {@link #applied} or {@link #own}. */
    static @Nullable Object[] bound(String org, SyncRow row, @Nullable Long feed) {
        @Nullable Object[] values = new Object[COMMON.size() + row.values().length];
        values[0] = org;
        values[1] = row.hostId();
        values[2] = row.gen();
        values[3] = row.ver();
        values[4] = feed;
        values[5] = row.extra();
        System.arraycopy(row.values(), 0, values, COMMON.size(), row.values().length);
        return values;
    }

    /** Reads a row that {@link #selected} names. */
    FedRow read(ResultRow resultRow) {
        List<Column> columns = table.columns();
        @Nullable Object[] values = new Object[columns.size()];
        long size = 64;
        for (int i = 0; i < values.length; i++) {
            int at = COMMON_SELECTED + 1 + i;
            if (columns.get(i).type() == Column.Type.TEXT) {
                String text = resultRow.textOrNull(at);
                values[i] = text;
                size += text == null ? 4 : text.length();
            } else {
                values[i] = resultRow.numberOrNull(at);
                size += 8;
            }
            size += columns.get(i).name().length() + 4;
        }
        String host = resultRow.textOrNull(1);
        if (host == null) {
            throw new IllegalStateException(table.name() + " has a row without an owner");
        }
        Long feed = resultRow.numberOrNull(4);
        SyncRow row =
                new SyncRow(
                        host,
                        resultRow.number(2),
                        resultRow.number(3),
                        values,
                        resultRow.textOrNull(5));
        return new FedRow(row, feed == null ? 0 : feed, size);
    }

    /** A row with its place in this database's feed and about how long it is on the wire. */
    record FedRow(SyncRow row, long feed, long size) {}
}
