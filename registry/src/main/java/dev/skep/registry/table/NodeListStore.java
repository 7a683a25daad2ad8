package dev.skep.registry.table;

import static dev.skep.registry.table.RegistryTables.NODE_ROWS;
import static dev.skep.registry.table.RegistryTables.STATS_ROWS;

import dev.skep.directory.host.HostNames;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Nodes of all hosts with their counters and connections, for views of the whole org. */
public final class NodeListStore {
    /** Sorts after every id, so that it stands for no bound. */
    private static final String NO_BOUND = "~";

    /** An unknown status must not hide a node. */
    private static final String STATUS =
            "CASE n.status WHEN 'active' THEN 'active' ELSE 'offline' END";

    private final Database database;

    public NodeListStore(Database database) {
        this.database = database;
    }

    /** Everything that was not removed. */
    public List<NodeDetails> all(Principal who) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT %s, %s, %s AS host_name
                                FROM nodes n LEFT JOIN stats s ON s.host_id = n.host_id AND s.node_id = n.id
                                WHERE n.org_id = ? AND n.removed_at IS NULL ORDER BY n.host_id, n.id
                                """
                                        .formatted(
                                                NODE_ROWS.columns("n", Map.of("status", STATUS)),
                                                STATS_ROWS.columns("s"),
                                                HostNames.sql("n.host_id", "n.org_id")),
                                NodeListStore::details,
                                who.org().value()));
    }

    /** What people call a host; empty if its own row could not be stored either. */
    public Optional<String> hostName(Principal who, HostId host) {
        return database.read(snapshot -> HostNames.of(snapshot, who.org(), host));
    }

    /** A node connected or disconnected. */
    public record VisitRow(String id, String event, Instant at, @Nullable String peer) {}

    /** The newest visits of a node before one of them, newest first. */
    public List<VisitRow> visits(
            Principal who, String host, String node, String beforeId, int limit) {
        return database.read(
                snapshot ->
                        snapshot.list(
                                """
                                SELECT id, event, ts, peer_addr FROM connections
                                WHERE host_id = ? AND node_id = ? AND org_id = ? AND id < ?
                                ORDER BY id DESC LIMIT ?
                                """,
                                row ->
                                        new VisitRow(
                                                row.text("id"),
                                                row.text("event"),
                                                row.time("ts"),
                                                row.textOrNull("peer_addr")),
                                host,
                                node,
                                who.org().value(),
                                beforeId.isEmpty() ? NO_BOUND : beforeId,
                                limit));
    }

    private static NodeDetails details(ResultRow row) {
        return NodeDetails.of(
                NODE_ROWS.read(row).node(),
                row.textOrNull("host_name"),
                STATS_ROWS.readJoined(row, NODE_ROWS.width() + 1));
    }
}
