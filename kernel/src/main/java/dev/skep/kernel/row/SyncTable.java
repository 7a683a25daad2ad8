package dev.skep.kernel.row;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A synced table, described once: everything that pages, applies, encodes or checks its rows is
 * derived from this. The columns every synced table has (owner, stamp, times, extra) are not named
 * by the description.
 *
 * @param columns the table's own columns, then {@code created_at} and {@code updated_at}
 * @param key the columns that identify a row; may name {@code host_id}
 * @param author the column that names the agent for whom only its own host writes such rows; empty
 *     where rows belong to no agent
 * @param keptWhile the SQL condition under which a row stays however old it is; empty where age
 *     alone decides
 * @param writtenOnce whether a row never changes after its owner wrote it, so no newer version can
 *     come back
 */
public record SyncTable(
        String name,
        List<String> key,
        Reach reach,
        List<Column> columns,
        String author,
        String keptWhile,
        boolean writtenOnce) {

    /** How far a row travels from its owner. */
    public enum Reach {
        /** Through every hub to all other hosts of the org. */
        FORWARDED,
        /** To the hubs only, for people to read. */
        HUB_ONLY
    }

    public SyncTable {
        columns = List.copyOf(columns);
        key = List.copyOf(key);
        if (!author.isEmpty() && indexIn(columns, author) < 0) {
            throw new IllegalArgumentException(name + " has no column " + author);
        }
        for (String part : key) {
            if (!part.equals("host_id") && indexIn(columns, part) < 0) {
                throw new IllegalArgumentException(name + " has no key column " + part);
            }
        }
    }

    public static SyncTable forwarded(String name, List<String> key, Column... own) {
        return new SyncTable(name, key, Reach.FORWARDED, withTimes(own), "", "", false);
    }

    public static SyncTable hubOnly(String name, List<String> key, Column... own) {
        return new SyncTable(name, key, Reach.HUB_ONLY, withTimes(own), "", "", false);
    }

    private static List<Column> withTimes(Column... own) {
        List<Column> all = new ArrayList<>(List.of(own));
        all.add(Column.text("created_at"));
        all.add(Column.text("updated_at"));
        return all;
    }

    /** The same table, whose rows only the host of the agent in this column writes. */
    public SyncTable writtenFor(String column) {
        return new SyncTable(name, key, reach, columns, column, keptWhile, writtenOnce);
    }

    /** The same table, whose rows stay for as long as this holds. */
    public SyncTable keptWhile(String condition) {
        return new SyncTable(name, key, reach, columns, author, condition, writtenOnce);
    }

    /** The same table, to which rows are only added. */
    public SyncTable once() {
        return new SyncTable(name, key, reach, columns, author, keptWhile, true);
    }

    /** The agent for whom a row was written; empty where rows belong to no agent. */
    public Optional<String> authorOf(SyncRow row) {
        return author.isEmpty() ? Optional.empty() : Optional.of(row.text(indexOf(author)));
    }

    public boolean isForwarded() {
        return reach == Reach.FORWARDED;
    }

    /** Where a column's value stands in {@link SyncRow#values()}, or -1. */
    public int indexOf(String column) {
        return indexIn(columns, column);
    }

    /** The values that identify a row, in the order of {@link #key()}. */
    public List<Object> keyOf(SyncRow row) {
        List<Object> values = new ArrayList<>(key.size());
        for (String column : key) {
            values.add(column.equals("host_id") ? row.hostId() : row.text(indexOf(column)));
        }
        return values;
    }

    /**
     * A row's values in the order of the columns; a column that is not named is null.
     *
     * @param names the columns of the values, as a statement lists them
     */
    public @Nullable Object[] values(String names, @Nullable Object... values) {
        String[] named = names.split(", ", -1);
        if (named.length != values.length) {
            throw new IllegalArgumentException(
                    "%d columns, %d values: %s".formatted(named.length, values.length, names));
        }
        @Nullable Object[] row = new Object[columns.size()];
        for (int i = 0; i < named.length; i++) {
            int at = indexOf(named[i]);
            if (at < 0) {
                throw new IllegalArgumentException(name + " has no column " + named[i]);
            }
            row[at] = values[i];
        }
        return row;
    }

    /** Column positions by name, for readers that look up many. */
    public Map<String, Integer> positions() {
        Map<String, Integer> byName = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            byName.put(columns.get(i).name(), i);
        }
        return byName;
    }

    /** By name: tables are keys in maps that are asked for every row. */
    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof SyncTable table
                        && name.equals(table.name)
                        && key.equals(table.key)
                        && reach == table.reach
                        && columns.equals(table.columns)
                        && author.equals(table.author)
                        && keptWhile.equals(table.keptWhile)
                        && writtenOnce == table.writtenOnce);
    }

    private static int indexIn(List<Column> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(name)) {
                return i;
            }
        }
        return -1;
    }
}
