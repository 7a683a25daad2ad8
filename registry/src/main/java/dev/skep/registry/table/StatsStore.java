package dev.skep.registry.table;

import dev.skep.kernel.row.Timestamps;
import dev.skep.registry.node.NodeStats;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table {@code stats}: what is counted about the nodes of this host. */
public final class StatsStore {
    private static final String SELECT =
            """
            SELECT node_id, messages_relayed, proxy_sessions, total_uptime_sec, errors, counted_until
            FROM stats WHERE host_id = ? AND org_id = ?""";

    private final OwnRowWriter ownRowWriter;

    public StatsStore(OwnRowWriter ownRowWriter) {
        this.ownRowWriter = ownRowWriter;
    }

    public List<NodeStats> own(Snapshot snapshot) {
        return snapshot.list(
                SELECT, StatsStore::read, ownRowWriter.self().value(), ownRowWriter.org().value());
    }

    public Optional<NodeStats> find(Snapshot snapshot, String nodeId) {
        return snapshot.first(
                SELECT + " AND node_id = ?",
                StatsStore::read,
                ownRowWriter.self().value(),
                ownRowWriter.org().value(),
                nodeId);
    }

    public void putAll(Transaction transaction, Collection<NodeStats> stats, Instant now) {
        List<@Nullable Object[]> values = new ArrayList<>(stats.size());
        String time = Timestamps.format(now);
        for (NodeStats each : stats) {
            Instant counted = each.countedUntil();
            values.add(
                    new @Nullable Object[] {
                        each.nodeId(),
                        each.messagesRelayed(),
                        each.proxySessions(),
                        each.totalUptimeSeconds(),
                        each.errors(),
                        counted == null ? null : Timestamps.format(counted),
                        time,
                        time
                    });
        }
        ownRowWriter.putAll(transaction, RegistryTables.STATS, 0, values);
    }

    public void forget(Transaction transaction, String nodeId) {
        transaction.update(
                "DELETE FROM stats WHERE host_id = ? AND node_id = ? AND org_id = ?",
                ownRowWriter.self().value(),
                nodeId,
                ownRowWriter.org().value());
    }

    private static NodeStats read(ResultRow row) {
        return new NodeStats(
                row.text(1),
                row.number(2),
                row.number(3),
                row.number(4),
                row.number(5),
                row.timeOrNull(6));
    }
}
