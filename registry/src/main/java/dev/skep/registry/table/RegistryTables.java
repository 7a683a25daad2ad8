package dev.skep.registry.table;

import static dev.skep.kernel.row.Column.LINE;
import static dev.skep.kernel.row.Column.integer;
import static dev.skep.kernel.row.Column.text;

import dev.skep.kernel.row.SyncTable;
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

    public static final List<SyncTable> ALL = List.of(NODES, CONNECTIONS, STATS);

    private RegistryTables() {}
}
