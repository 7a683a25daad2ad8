package dev.skep.registry.table;

import dev.skep.kernel.row.Timestamps;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table {@code connections}: when nodes of this host came and went. Append-only. */
public final class NodeHistoryStore {
    /** Sorts after every id, so that it stands for no bound. */
    private static final String NO_BOUND = "~";

    private final OwnRowWriter ownRowWriter;

    public NodeHistoryStore(OwnRowWriter ownRowWriter) {
        this.ownRowWriter = ownRowWriter;
    }

    public void append(
            Transaction transaction, List<NodeHistoryEntry> nodeHistoryEntries, Instant now) {
        List<@Nullable Object[]> values = new ArrayList<>(nodeHistoryEntries.size());
        String time = Timestamps.format(now);
        for (NodeHistoryEntry nodeHistoryEntry : nodeHistoryEntries) {
            values.add(
                    new @Nullable Object[] {
                        nodeHistoryEntry.id(),
                        nodeHistoryEntry.nodeId(),
                        nodeHistoryEntry.event().stored(),
                        Timestamps.format(nodeHistoryEntry.at()),
                        nodeHistoryEntry.peer(),
                        time,
                        time
                    });
        }
        ownRowWriter.putAll(transaction, RegistryTables.CONNECTIONS, 0, values);
    }

    /**
     * The latest visits of a node before one of them, newest first.
     *
     * @param beforeId a visit's id, or empty for none
     */
    public List<NodeHistoryEntry> latest(
            Snapshot snapshot, String nodeId, String beforeId, int limit) {
        return snapshot.list(
                """
                SELECT id, node_id, event, ts, peer_addr FROM connections
                WHERE host_id = ? AND node_id = ? AND org_id = ? AND id < ?
                ORDER BY id DESC LIMIT ?""",
                NodeHistoryStore::read,
                ownRowWriter.self().value(),
                nodeId,
                ownRowWriter.org().value(),
                beforeId.isEmpty() ? NO_BOUND : beforeId,
                limit);
    }

    /** The latest visits of a node before an instant, newest first. */
    public List<NodeHistoryEntry> latest(
            Snapshot snapshot, String nodeId, Instant before, int limit) {
        return snapshot.list(
                """
                SELECT id, node_id, event, ts, peer_addr FROM connections
                WHERE host_id = ? AND node_id = ? AND org_id = ? AND ts < ?
                ORDER BY id DESC LIMIT ?""",
                NodeHistoryStore::read,
                ownRowWriter.self().value(),
                nodeId,
                ownRowWriter.org().value(),
                before,
                limit);
    }

    /** All visits in the order of their ids; close it before the snapshot ends. */
    public Snapshot.Cursor<NodeHistoryEntry> all(Snapshot snapshot) {
        return snapshot.stream(
                """
                SELECT id, node_id, event, ts, peer_addr FROM connections
                WHERE host_id = ? AND org_id = ? ORDER BY id""",
                NodeHistoryStore::read,
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

    private static NodeHistoryEntry read(ResultRow row) {
        return new NodeHistoryEntry(
                row.text("id"),
                row.text("node_id"),
                NodeHistoryEntry.Event.of(row.text("event")),
                row.time("ts"),
                row.textOrNull("peer_addr"));
    }
}
