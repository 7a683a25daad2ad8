package dev.skep.dispatch.host;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.util.List;

/** Reads when agents of a host came and went, which is synced here; always of the caller's org. */
public final class HostConnections {
    private HostConnections() {}

    /** One coming or going of a node. */
    public record Connection(String id, String nodeId, String event, Instant at) {}

    /** The latest, newest first: of each node as many as may be shown, found by its index. */
    public static List<Connection> latest(
            Snapshot snapshot, Principal principal, HostId host, int limit) {
        return snapshot.list(
                """
                SELECT c.id, c.node_id, c.event, c.ts
                FROM nodes n JOIN connections c ON c.id IN (
                    SELECT id FROM connections
                    WHERE host_id = n.host_id AND node_id = n.id ORDER BY id DESC LIMIT ?)
                WHERE n.host_id = ? AND n.org_id = ? AND c.org_id = n.org_id
                ORDER BY c.id DESC LIMIT ?""",
                HostConnections::read,
                limit,
                host.value(),
                principal.org().value(),
                limit);
    }

    private static Connection read(ResultRow row) {
        return new Connection(
                row.text("id"), row.text("node_id"), row.text("event"), row.time("ts"));
    }
}
