package dev.skep.registry.document;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.Ids;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.wire.InvalidDocumentException;
import dev.skep.registry.wire.StateReader.Sink;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** The database an older registry left behind, read as a document; it is never written. */
public final class HyperPiStore implements StateSource {
    private final Database database;
    private final HostId host;

    /** Its content becomes nodes of the host. */
    public HyperPiStore(Database database, HostId host) {
        this.database = database;
        this.host = host;
    }

    @Override
    public void readInto(Sink sink) {
        try {
            database.read(
                    snapshot -> {
                        read(snapshot, sink);
                        return true;
                    });
        } catch (DateTimeParseException | IllegalArgumentException e) {
            throw new InvalidDocumentException(database.name() + ": " + e.getMessage());
        }
    }

    private void read(Snapshot snapshot, Sink sink) {
        snapshot.list("SELECT * FROM nodes", this::node).forEach(sink::node);
        try (Snapshot.Cursor<NodeHistoryEntry> nodeHistoryEntries =
                snapshot.stream("SELECT * FROM connections ORDER BY id", HyperPiStore::visit)) {
            for (NodeHistoryEntry nodeHistoryEntry = nodeHistoryEntries.next();
                    nodeHistoryEntry != null;
                    nodeHistoryEntry = nodeHistoryEntries.next()) {
                sink.visit(nodeHistoryEntry);
            }
        }
        snapshot.list("SELECT * FROM stats", HyperPiStore::stats).forEach(sink::stats);
    }

    private Node node(ResultRow row) {
        return new Node(
                host,
                row.text("id"),
                row.text("machine"),
                row.text("cwd"),
                (int) row.number("port"),
                null,
                Node.Status.of(row.text("status")),
                row.time("registered_at"),
                row.time("last_seen_at"),
                row.timeOrNull("offline_since"),
                0);
    }

    private static NodeHistoryEntry visit(ResultRow row) {
        Instant at = row.time("ts");
        String name = row.text("node_id") + " " + row.text("event") + " " + row.number("id");
        return new NodeHistoryEntry(
                Ids.derived(at, name),
                row.text("node_id"),
                NodeHistoryEntry.Event.of(row.text("event")),
                at,
                row.textOrNull("peer_addr"));
    }

    private static NodeStats stats(ResultRow row) {
        return new NodeStats(
                row.text("node_id"),
                row.number("messages_relayed"),
                row.number("proxy_sessions"),
                row.number("total_uptime_sec"),
                0,
                null);
    }
}
