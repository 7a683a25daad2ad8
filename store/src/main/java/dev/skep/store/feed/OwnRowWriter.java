package dev.skep.store.feed;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.Column;
import dev.skep.kernel.row.StorableText;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Transaction;
import dev.skep.store.clock.RetentionClock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How a host writes the rows it owns: stamped, sized, and put in its feed. Thread-safe. */
public final class OwnRowWriter {
    /** The longest row, in characters; the cap on a frame leaves room for six bytes for each. */
    public static final int MAX_ROW = 1 << 20;

    private final SyncTables tables;
    private final FeedClock clock;
    private final OrgId org;
    private final HostId self;

    public OwnRowWriter(SyncTables tables, FeedClock clock, OrgId org, HostId self) {
        this.tables = tables;
        this.clock = clock;
        this.org = org;
        this.self = self;
    }

    public OrgId org() {
        return org;
    }

    public HostId self() {
        return self;
    }

    /**
     * From here to the end of the transaction nobody else writes rows of this host, in whichever
     * process: what is read next stays true.
     */
    public void waitForTurn(Transaction transaction) {
        clock.take(transaction, 1);
    }

    /** Inserts or replaces one row; its values stand in the order of the table's columns. */
    public void put(Transaction transaction, SyncTable table, @Nullable Object... values) {
        putAll(transaction, table, 0, List.<@Nullable Object[]>of(values));
    }

    /** Inserts or replaces one row, written now. */
    public <R> void put(Transaction transaction, RowCodec<R> codec, R row, Instant now) {
        putAll(transaction, codec, 0, List.of(row), now);
    }

    /** Inserts or replaces rows, written now, with their ownership generation. */
    public <R> void putAll(
            Transaction transaction, RowCodec<R> codec, long gen, Collection<R> rows, Instant now) {
        List<@Nullable Object[]> values = new ArrayList<>(rows.size());
        String time = Timestamps.format(now);
        rows.forEach(row -> values.add(codec.values(row, time)));
        putAll(transaction, codec.table(), gen, values);
    }

    /** Inserts or replaces rows with their ownership generation, which is 0 unless taken over. */
    public void putAll(
            Transaction transaction, SyncTable table, long gen, List<@Nullable Object[]> rows) {
        if (rows.isEmpty()) {
            return;
        }
        rows.forEach(values -> makeStorable(table, values));
        long stamp = clock.take(transaction, rows.size());
        List<@Nullable Object[]> bound = new ArrayList<>(rows.size());
        for (@Nullable Object[] values : rows) {
            SyncRow row = new SyncRow(self.value(), gen, stamp, values, null);
            bound.add(TableSql.bound(org.value(), row, stamp));
            stamp++;
        }
        int stored = transaction.insertAll(tables.sql(table).own(), bound);
        if (stored != rows.size()) {
            throw new SkepException(
                    ErrorCode.CONFLICT,
                    "a row of %s belongs to another host; only its owner may change it"
                            .formatted(table.name()));
        }
    }

    /** Replaces what no database keeps, and refuses what is too large to travel. */
    public static void makeStorable(SyncTable table, @Nullable Object[] values) {
        if (values.length != table.columns().size()) {
            throw new IllegalArgumentException(
                    "%s has %d columns, not %d"
                            .formatted(table.name(), table.columns().size(), values.length));
        }
        long size = 0;
        for (Object value : values) {
            size += value instanceof String text ? text.length() : 8;
        }
        if (size > MAX_ROW) {
            throw new SkepException(
                    ErrorCode.ROW_TOO_LARGE,
                    "a row of %s has %,d characters, at most %,d are allowed; shorten it"
                            .formatted(table.name(), size, MAX_ROW));
        }
        for (int i = 0; i < values.length; i++) {
            if (values[i] instanceof String text) {
                requireFits(table, table.columns().get(i), text);
                values[i] = StorableText.of(text);
            }
        }
    }

    private static void requireFits(SyncTable table, Column column, String text) {
        if (column.isTooShortFor(text)) {
            throw new SkepException(
                    ErrorCode.ROW_TOO_LARGE,
                    "%s.%s has %,d characters, at most %,d are allowed; shorten it"
                            .formatted(
                                    table.name(), column.name(), text.length(), column.longest()));
        }
    }

    /**
     * Gives this host's rows of a table that match the condition new stamps, which moves them to
     * the end of its feed. Returns how many.
     */
    public int restamp(
            Transaction transaction,
            SyncTable table,
            String condition,
            @Nullable Object... parameters) {
        List<@Nullable Object> owned = new ArrayList<>(List.of(org.value(), self.value()));
        owned.addAll(Arrays.asList(parameters));
        String where = "org_id = ? AND host_id = ? AND " + condition;
        long count =
                transaction
                        .first(
                                "SELECT count(*) FROM %s WHERE %s".formatted(table.name(), where),
                                row -> row.number(1),
                                owned.toArray())
                        .orElseThrow();
        if (count == 0) {
            return 0;
        }
        owned.addFirst(clock.take(transaction, Math.toIntExact(count)) - 1);
        String renamed =
                table.key().stream().map(c -> c + " AS k_" + c).collect(Collectors.joining(", "));
        String same =
                table.key().stream()
                        .map(c -> "%s.%s = stamped.k_%s".formatted(table.name(), c, c))
                        .collect(Collectors.joining(" AND "));
        return transaction.update(
                """
                UPDATE %1$s SET ver = stamped.stamp, feed = stamped.stamp, stored_at = %5$s FROM (
                    SELECT %2$s, CAST(? AS BIGINT) + row_number() OVER (ORDER BY ver) AS stamp
                    FROM %1$s WHERE %3$s) AS stamped
                WHERE %4$s
                """
                        .formatted(table.name(), renamed, where, same, RetentionClock.NOW),
                owned.toArray());
    }
}
