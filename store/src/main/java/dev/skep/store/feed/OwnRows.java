package dev.skep.store.feed;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a host writes the rows it owns: stamped, sized, and put in its feed. Thread-safe. */
public final class OwnRows {
    /** The longest row, in characters; the cap on a frame leaves room for six bytes for each. */
    public static final int MAX_ROW = 1 << 20;

    private final SyncTables tables;
    private final FeedClock clock;
    private final OrgId org;
    private final HostId self;

    public OwnRows(SyncTables tables, FeedClock clock, OrgId org, HostId self) {
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

    /** Inserts or replaces one row; its values stand in the order of the table's columns. */
    public void put(Transaction transaction, SyncTable table, @Nullable Object... values) {
        putAll(transaction, table, 0, List.<@Nullable Object[]>of(values));
    }

    /** Inserts or replaces rows with their ownership generation, which is 0 unless taken over. */
    public void putAll(
            Transaction transaction, SyncTable table, long gen, List<@Nullable Object[]> rows) {
        if (rows.isEmpty()) {
            return;
        }
        rows.forEach(values -> refuseOversized(table, values));
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

    private static void refuseOversized(SyncTable table, @Nullable Object[] values) {
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
    }
}
