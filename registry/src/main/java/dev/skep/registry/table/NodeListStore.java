package dev.skep.registry.table;

import dev.skep.directory.host.HostNames;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.ResultRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Nodes of all hosts with their counters and connections, for views of the whole org. */
public final class NodeListStore {
    /** Sorts after every id, so that it stands for no bound. */
    private static final String NO_BOUND = "~";

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
                                SELECT n.host_id, %s AS host_name, n.id, n.machine, n.cwd, n.port, n.pid, n.status, n.registered_at,
                                       n.last_seen_at, n.offline_since, n.reconnects,
                                       coalesce(s.messages_relayed, 0) AS messages,
                                       coalesce(s.proxy_sessions, 0) AS sessions,
                                       coalesce(s.total_uptime_sec, 0) AS uptime, coalesce(s.errors, 0) AS errors, s.counted_until
                                FROM nodes n LEFT JOIN stats s ON s.host_id = n.host_id AND s.node_id = n.id
                                WHERE n.org_id = ? AND n.removed_at IS NULL ORDER BY n.host_id, n.id
                                """
                                        .formatted(HostNames.sql("n.host_id", "n.org_id")),
                                NodeListStore::details,
                                who.org().value()));
    }

    /** What people call a host; empty if its own row could not be stored either. */
    public Optional<String> hostName(Principal who, HostId host) {
        return database.read(snapshot -> HostNames.of(snapshot, who.org(), host));
    }

    /** Somebody connected or disconnected. */
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
        return new NodeDetails(
                row.text("id"),
                row.text("host_id"),
                row.textOrNull("host_name"),
                row.text("status"),
                row.text("machine"),
                (int) row.number("port"),
                row.text("cwd"),
                row.numberOrNull("pid"),
                row.time("registered_at"),
                row.time("last_seen_at"),
                row.timeOrNull("offline_since"),
                row.number("reconnects"),
                row.number("messages"),
                row.number("sessions"),
                row.number("uptime"),
                row.number("errors"),
                row.timeOrNull("counted_until"),
                true);
    }
}
