package dev.skep.store.feed;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.TableRows;
import dev.skep.store.Snapshot;
import dev.skep.store.Snapshot.Cursor;
import dev.skep.store.Transaction;
import dev.skep.store.feed.TableSql.FedRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * All rows of one owner that a database holds, whether or not it sends them on: table by table, in
 * the order of their keys. For giving an owner its rows back.
 */
public final class RowsByOwner {
    private final SyncTables tables;

    public RowsByOwner(SyncTables tables) {
        this.tables = tables;
    }

    /** How far a reader has got: in which table, and behind which key. */
    public record KeyCursor(int table, List<Object> key) {
        public static final KeyCursor START = new KeyCursor(0, List.of());
    }

    /** Some rows of one table, and where to go on. */
    public record OwnerPage(List<TableRows> tables, KeyCursor next, boolean hasMore) {}

    public OwnerPage part(
            Snapshot snapshot, OrgId org, HostId owner, KeyCursor from, FeedPage.Limits limits) {
        List<TableSql> all = tables.sql();
        List<TableRows> read = new ArrayList<>();
        KeyCursor at = from;
        // Empty tables are passed over, so that a part without rows is the last one.
        while (at.table() < all.size() && read.isEmpty()) {
            TableSql sql = all.get(at.table());
            List<SyncRow> rows = rows(snapshot, sql, org, owner, at.key(), limits);
            if (rows.isEmpty()) {
                at = new KeyCursor(at.table() + 1, List.of());
            } else {
                read.add(new TableRows(sql.table(), rows));
                at = new KeyCursor(at.table(), sql.table().keyOf(rows.getLast()));
            }
        }
        return new OwnerPage(read, at, at.table() < all.size());
    }

    private static List<SyncRow> rows(
            Snapshot snapshot,
            TableSql sql,
            OrgId org,
            HostId owner,
            List<Object> after,
            FeedPage.Limits limits) {
        SyncTable table = sql.table();
        String key = String.join(", ", table.key());
        String behind =
                after.isEmpty() ? "" : "AND (%s) > (%s)".formatted(key, marks(after.size()));
        List<Object> parameters = new ArrayList<>(List.of(org.value(), owner.value()));
        parameters.addAll(after);
        parameters.add(limits.rows());
        List<SyncRow> rows = new ArrayList<>();
        long bytes = 0;
        try (Cursor<FedRow> cursor =
                snapshot.stream(
                        "SELECT %s FROM %s WHERE org_id = ? AND host_id = ? %s ORDER BY %s LIMIT ?"
                                .formatted(sql.selected(), table.name(), behind, key),
                        sql::read,
                        parameters.toArray())) {
            for (FedRow row = cursor.next(); row != null; row = cursor.next()) {
                bytes += row.size();
                if (bytes > limits.bytes() && !rows.isEmpty()) {
                    break;
                }
                rows.add(row.row());
            }
        }
        return rows;
    }

    /** An owner's rows with these ids that stand after a place in its feed. */
    public List<SyncRow> after(
            Snapshot snapshot,
            OrgId org,
            HostId owner,
            SyncTable table,
            Collection<String> ids,
            long after) {
        TableSql sql = tables.sql(table);
        List<Object> parameters = new ArrayList<>(List.of(org.value(), owner.value(), after));
        parameters.addAll(ids);
        return snapshot.list(
                "SELECT %s FROM %s WHERE org_id = ? AND host_id = ? AND feed > ? AND id IN (%s) ORDER BY feed"
                        .formatted(sql.selected(), table.name(), marks(ids.size())),
                resultRow -> sql.read(resultRow).row(),
                parameters.toArray());
    }

    /** The row stored under another's key. */
    public Optional<SyncRow> stored(Snapshot snapshot, OrgId org, SyncTable table, SyncRow like) {
        TableSql sql = tables.sql(table);
        List<Object> parameters = new ArrayList<>(List.of(org.value()));
        parameters.addAll(table.keyOf(like));
        return snapshot.first(
                        "SELECT %s FROM %s WHERE org_id = ? AND (%s) = (%s)"
                                .formatted(
                                        sql.selected(),
                                        table.name(),
                                        String.join(", ", table.key()),
                                        marks(table.key().size())),
                        sql::read,
                        parameters.toArray())
                .map(FedRow::row);
    }

    /**
     * Removes an owner's rows with a stamp above one and below another, and returns them; except
     * those taken over.
     */
    public List<SyncRow> removeBetween(
            Transaction transaction,
            OrgId org,
            SyncTable table,
            String owner,
            long above,
            long below) {
        TableSql sql = tables.sql(table);
        String older = "org_id = ? AND host_id = ? AND gen = 0 AND ver > ? AND ver < ?";
        Object[] parameters = {org.value(), owner, above, below};
        List<SyncRow> rows =
                transaction.list(
                        "SELECT %s FROM %s WHERE %s".formatted(sql.selected(), table.name(), older),
                        resultRow -> sql.read(resultRow).row(),
                        parameters);
        if (!rows.isEmpty()) {
            transaction.update(
                    "DELETE FROM %s WHERE %s".formatted(table.name(), older), parameters);
        }
        return rows;
    }

    /** On a hub: drops rows of a host that have no place in the hub's feed and could have one. */
    public void removeUnfed(Transaction transaction, SyncTable table, String owner) {
        if (table.isForwarded()) {
            transaction.update(
                    "DELETE FROM %s WHERE host_id = ? AND feed IS NULL".formatted(table.name()),
                    owner);
        }
    }

    private static String marks(int count) {
        return String.join(", ", Collections.nCopies(count, "?"));
    }
}
