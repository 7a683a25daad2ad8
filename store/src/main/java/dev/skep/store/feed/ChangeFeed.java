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
    public FeedPage page(Snapshot snapshot, FeedScope scope, long after, FeedPage.Limits limits) {
        long head = clock.now(snapshot);
        if (head <= after) {
            return new FeedPage(List.of(), after, head, false);
        }
        List<TableStream> tableStreams = new ArrayList<>();
        try {
            PriorityQueue<TableStream> byFeed =
                    new PriorityQueue<>(Comparator.comparingLong(TableStream::feed));
            for (TableSql sql : tables.sql()) {
                if (scope instanceof FeedScope.OwnedBy || sql.table().isForwarded()) {
                    TableStream tableStream =
                            new TableStream(
                                    sql.table(), cursor(snapshot, sql, scope, after, limits));
                    tableStreams.add(tableStream);
                    if (tableStream.advance()) {
                        byFeed.add(tableStream);
                    }
                }
            }
            return merge(byFeed, after, head, limits);
        } finally {
            tableStreams.forEach(TableStream::close);
        }
    }

    private static FeedPage merge(
            PriorityQueue<TableStream> byFeed, long after, long head, FeedPage.Limits limits) {
        Map<SyncTable, List<SyncRow>> rows = new LinkedHashMap<>();
        int count = 0;
        long bytes = 0;
        long upto = after;
        for (TableStream tableStream = byFeed.poll();
                tableStream != null;
                tableStream = byFeed.poll()) {
            FedRow next = tableStream.current();
            boolean full = count == limits.rows() || bytes + next.size() > limits.bytes();
            if (full && count > 0) {
                return page(rows, upto, head, true);
            }
            rows.computeIfAbsent(tableStream.table, table -> new ArrayList<>()).add(next.row());
            count++;
            bytes += next.size();
            upto = next.feed();
            if (tableStream.advance()) {
                byFeed.add(tableStream);
            }
        }
        // Everything up to the clock as it was before the page is in it: start there next time.
        return page(rows, head, head, false);
    }

    private static FeedPage page(
            Map<SyncTable, List<SyncRow>> rows, long upto, long head, boolean hasMore) {
        List<TableRows> tables = new ArrayList<>();
        rows.forEach((table, of) -> tables.add(new TableRows(table, of)));
        return new FeedPage(tables, upto, head, hasMore);
    }

    private static Cursor<FedRow> cursor(
            Snapshot snapshot, TableSql sql, FeedScope scope, long after, FeedPage.Limits limits) {
        String condition =
                switch (scope) {
                    case FeedScope.OwnedBy _ -> "AND host_id = ?";
                    case FeedScope.ForwardedTo _ -> "AND host_id <> ?";
                    case FeedScope.Shared _ -> "";
                };
        List<Object> parameters = new ArrayList<>(List.of(scope.org().value(), after));
        switch (scope) {
            case FeedScope.OwnedBy(_, var owner) -> parameters.add(owner.value());
            case FeedScope.ForwardedTo(_, var reader) -> parameters.add(reader.value());
            case FeedScope.Shared _ -> {}
        }
        // One row more than fits, so that the merge can distinguish a full page from the last one.
        parameters.add(limits.rows() + 1);
        return snapshot.stream(
                "SELECT %s FROM %s WHERE org_id = ? AND feed > ? %s ORDER BY feed LIMIT ?"
                        .formatted(sql.selected(), sql.table().name(), condition),
                sql::read,
                parameters.toArray());
    }

    /** One table's part of the stream, standing at its next row. */
    private static final class TableStream {
        private final SyncTable table;
        private final Cursor<FedRow> cursor;
        private @Nullable FedRow current;

        TableStream(SyncTable table, Cursor<FedRow> cursor) {
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
