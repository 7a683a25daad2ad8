package dev.skep.registry.table;

import static dev.skep.registry.table.RegistryTables.CONNECTION_ROWS;

import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.List;

/** The table {@code connections}: when nodes of this host came and went. Append-only. */
public final class NodeHistoryStore {
    /** Sorts after every id, so that it stands for no bound. */
    private static final String NO_BOUND = "~";

    private static final String SELECT =
            "SELECT %s FROM connections WHERE host_id = ? AND org_id = ?"
                    .formatted(CONNECTION_ROWS.columns());

    private final OwnRowWriter ownRowWriter;

    public NodeHistoryStore(OwnRowWriter ownRowWriter) {
        this.ownRowWriter = ownRowWriter;
    }

    public void append(
            Transaction transaction, List<NodeHistoryEntry> nodeHistoryEntries, Instant now) {
        ownRowWriter.putAll(transaction, CONNECTION_ROWS, 0, nodeHistoryEntries, now);
    }

    /**
     * The latest visits of a node before one of them, newest first.
     *
     * @param beforeId a visit's id, or empty for none
     */
    public List<NodeHistoryEntry> latest(
            Snapshot snapshot, String nodeId, String beforeId, int limit) {
        return snapshot.list(
                SELECT + " AND node_id = ? AND id < ? ORDER BY id DESC LIMIT ?",
                CONNECTION_ROWS::read,
                ownRowWriter.self().value(),
                ownRowWriter.org().value(),
                nodeId,
                beforeId.isEmpty() ? NO_BOUND : beforeId,
                limit);
    }

    /** The latest visits of a node before an instant, newest first. */
    public List<NodeHistoryEntry> latest(
            Snapshot snapshot, String nodeId, Instant before, int limit) {
        return snapshot.list(
                SELECT + " AND node_id = ? AND ts < ? ORDER BY id DESC LIMIT ?",
                CONNECTION_ROWS::read,
                ownRowWriter.self().value(),
                ownRowWriter.org().value(),
                nodeId,
                before,
                limit);
    }

    /** All visits in the order of their ids; close it before the snapshot ends. */
    public Snapshot.Cursor<NodeHistoryEntry> all(Snapshot snapshot) {
        return snapshot.stream(
                SELECT + " ORDER BY id",
                CONNECTION_ROWS::read,
                ownRowWriter.self().value(),
                ownRowWriter.org().value());
    }

    public long count(Snapshot snapshot) {
        return snapshot.first(
                        "SELECT count(*) FROM connections WHERE host_id = ? AND org_id = ?",
                        row -> row.number(1),
                        ownRowWriter.self().value(),
                        ownRowWriter.org().value())
                .orElse(0L);
    }

    public boolean has(Snapshot snapshot, String visitId) {
        return snapshot.first("SELECT 1 FROM connections WHERE id = ?", row -> true, visitId)
                .orElse(false);
    }

    public void forget(Transaction transaction, String nodeId) {
        transaction.update(
                "DELETE FROM connections WHERE host_id = ? AND node_id = ? AND org_id = ?",
                ownRowWriter.self().value(),
                nodeId,
                ownRowWriter.org().value());
    }
}
