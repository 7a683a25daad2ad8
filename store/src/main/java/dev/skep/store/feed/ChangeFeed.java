package dev.skep.store.feed;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Snapshot;
import dev.skep.store.Snapshot.Cursor;
import dev.skep.store.feed.TableSql.FedRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * One stream over all synced tables in stamp order, current state only: a row that changes moves to
 * the end. It merges one ordered cursor per table and stops at the limit, so a page costs what it
 * holds, whatever is stored behind it.
 */
public final class ChangeFeed {
    private final SyncTables tables;
    private final FeedClock clock;

    public ChangeFeed(SyncTables tables, FeedClock clock) {
        this.tables = tables;
        this.clock = clock;
    }

    /** The rows after a position, in order, as many as the limits allow. */
    public Page page(Snapshot snapshot, Scope scope, long after, Page.Limits limits) {
        long head = clock.now(snapshot);
        if (head <= after) {
            return new Page(List.of(), after, head, false);
        }
        List<Arm> arms = new ArrayList<>();
        try {
            PriorityQueue<Arm> byFeed = new PriorityQueue<>(Comparator.comparingLong(Arm::feed));
            for (TableSql sql : tables.sql()) {
                if (scope instanceof Scope.OwnedBy || sql.table().isForwarded()) {
                    Arm arm = new Arm(sql.table(), cursor(snapshot, sql, scope, after, limits));
                    arms.add(arm);
                    if (arm.advance()) {
                        byFeed.add(arm);
                    }
                }
            }
            return merge(byFeed, after, head, limits);
        } finally {
            arms.forEach(Arm::close);
        }
    }

    private static Page merge(
            PriorityQueue<Arm> byFeed, long after, long head, Page.Limits limits) {
        Map<SyncTable, List<SyncRow>> rows = new LinkedHashMap<>();
        int count = 0;
        long bytes = 0;
        long upto = after;
        for (Arm arm = byFeed.poll(); arm != null; arm = byFeed.poll()) {
            FedRow next = arm.current();
            boolean full = count == limits.rows() || bytes + next.size() > limits.bytes();
            if (full && count > 0) {
                return page(rows, upto, head, true);
            }
            rows.computeIfAbsent(arm.table, table -> new ArrayList<>()).add(next.row());
            count++;
            bytes += next.size();
            upto = next.feed();
            if (arm.advance()) {
                byFeed.add(arm);
            }
        }
        // Everything up to the clock as it was before the page is in it: start there next time.
        return page(rows, head, head, false);
    }

    private static Page page(
            Map<SyncTable, List<SyncRow>> rows, long upto, long head, boolean hasMore) {
        List<TableRows> tables = new ArrayList<>();
        rows.forEach((table, of) -> tables.add(new TableRows(table, of)));
        return new Page(tables, upto, head, hasMore);
    }

    private static Cursor<FedRow> cursor(
            Snapshot snapshot, TableSql sql, Scope scope, long after, Page.Limits limits) {
        String condition =
                switch (scope) {
                    case Scope.OwnedBy _ -> "AND host_id = ?";
                    case Scope.ForwardedTo _ -> "AND host_id <> ?";
                    case Scope.Shared _ -> "";
                };
        List<Object> parameters = new ArrayList<>(List.of(scope.org().value(), after));
        switch (scope) {
            case Scope.OwnedBy(_, var owner) -> parameters.add(owner.value());
            case Scope.ForwardedTo(_, var reader) -> parameters.add(reader.value());
            case Scope.Shared _ -> {}
        }
        // One row more than fits, so that the merge can tell a full page from a last one.
        parameters.add(limits.rows() + 1);
        return snapshot.stream(
                "SELECT %s FROM %s WHERE org_id = ? AND feed > ? %s ORDER BY feed LIMIT ?"
                        .formatted(sql.selected(), sql.table().name(), condition),
                sql::read,
                parameters.toArray());
    }

    /** One table's part of the stream, standing at its next row. */
    private static final class Arm {
        private final SyncTable table;
        private final Cursor<FedRow> cursor;
        private @Nullable FedRow current;

        Arm(SyncTable table, Cursor<FedRow> cursor) {
            this.table = table;
            this.cursor = cursor;
        }

        boolean advance() {
            current = cursor.next();
            return current != null;
        }

        FedRow current() {
            if (current == null) {
                throw new IllegalStateException(table.name() + " is at its end");
            }
            return current;
        }

        long feed() {
            return current().feed();
        }

        void close() {
            cursor.close();
        }
    }
}
