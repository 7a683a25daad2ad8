package dev.skep.registry.table;

import static dev.skep.kernel.row.Column.LINE;
import static dev.skep.kernel.row.Column.integer;
import static dev.skep.kernel.row.Column.text;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.row.SyncTable;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeStats;
import dev.skep.store.feed.RowCodec;
import dev.skep.store.feed.RowColumns;
import java.util.List;

/** The synced tables of seed 2, described once. */
public final class RegistryTables {
    /** Node ids are chosen by clients, so a row is known by its host and its id. */
    public static final SyncTable NODES =
            SyncTable.forwarded(
                            "nodes",
                            List.of("host_id", "id"),
                            text("id"),
                            text("machine"),
                            text("cwd").upTo(LINE),
                            integer("port"),
                            integer("pid").optional(),
                            text("status"),
                            text("registered_at"),
                            text("last_seen_at"),
                            text("offline_since").optional(),
                            integer("reconnects"),
                            text("removed_at").optional())
                    .keptWhile("removed_at IS NULL");

    static final RowCodec<NodeRow> NODE_ROWS =
            RowCodec.<NodeRow>of(NODES)
                    .column("id", row -> row.node().id())
                    .column("machine", row -> row.node().machine())
                    .column("cwd", row -> row.node().cwd())
                    .column("port", row -> row.node().port())
                    .column("pid", row -> row.node().pid())
                    .column("status", row -> row.node().status().stored())
                    .column("registered_at", row -> row.node().registeredAt())
                    .column("last_seen_at", row -> row.node().lastSeenAt())
                    .column("offline_since", row -> row.node().offlineSince())
                    .column("reconnects", row -> row.node().reconnects())
                    .column("removed_at", NodeRow::removedAt)
                    .reads(row -> new NodeRow(node(row), row.timeOrNull("removed_at")));

    private static Node node(RowColumns row) {
        return new Node(
                new HostId(row.owner()),
                row.text("id"),
                row.text("machine"),
                row.text("cwd"),
                (int) row.number("port"),
                row.numberOrNull("pid"),
                Node.Status.of(row.text("status")),
                row.time("registered_at"),
                row.time("last_seen_at"),
                row.timeOrNull("offline_since"),
                row.number("reconnects"));
    }

    public static final SyncTable CONNECTIONS =
            SyncTable.hubOnly(
                            "connections",
                            List.of("id"),
                            text("id"),
                            text("node_id"),
                            text("event"),
                            text("ts"),
                            text("peer_addr").optional())
                    .once();

    static final RowCodec<NodeHistoryEntry> CONNECTION_ROWS =
            RowCodec.<NodeHistoryEntry>of(CONNECTIONS)
                    .column("id", NodeHistoryEntry::id)
                    .column("node_id", NodeHistoryEntry::nodeId)
                    .column("event", visit -> visit.event().stored())
                    .column("ts", NodeHistoryEntry::at)
                    .column("peer_addr", NodeHistoryEntry::peer)
                    .reads(
                            row ->
                                    new NodeHistoryEntry(
                                            row.text("id"),
                                            row.text("node_id"),
                                            NodeHistoryEntry.Event.of(row.text("event")),
                                            row.time("ts"),
                                            row.textOrNull("peer_addr")));

    public static final SyncTable STATS =
            SyncTable.hubOnly(
                            "stats",
                            List.of("host_id", "node_id"),
                            text("node_id"),
                            integer("messages_relayed"),
                            integer("proxy_sessions"),
                            integer("total_uptime_sec"),
                            integer("errors"),
                            text("counted_until").optional())
                    .keptWhile(
                            """
                            EXISTS (SELECT 1 FROM nodes n WHERE n.org_id = stats.org_id
                                AND n.host_id = stats.host_id AND n.id = stats.node_id)""");

    static final RowCodec<NodeStats> STATS_ROWS =
            RowCodec.<NodeStats>of(STATS)
                    .column("node_id", NodeStats::nodeId)
                    .column("messages_relayed", NodeStats::messagesRelayed)
                    .column("proxy_sessions", NodeStats::proxySessions)
                    .column("total_uptime_sec", NodeStats::totalUptimeSeconds)
                    .column("errors", NodeStats::errors)
                    .column("counted_until", NodeStats::countedUntil)
                    .reads(
                            row ->
                                    new NodeStats(
                                            row.text("node_id"),
                                            row.number("messages_relayed"),
                                            row.number("proxy_sessions"),
                                            row.number("total_uptime_sec"),
                                            row.number("errors"),
                                            row.timeOrNull("counted_until")));

    public static final List<SyncTable> ALL = List.of(NODES, CONNECTIONS, STATS);

    private RegistryTables() {}
}
