package dev.skep.registry.table;

import static dev.skep.registry.table.RegistryTables.STATS_ROWS;

import dev.skep.registry.node.NodeStats;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.store.feed.OwnRowWriter;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The table {@code stats}: what is counted about the nodes of this host. */
public final class StatsStore {
    private static final String SELECT =
            "SELECT %s FROM stats WHERE host_id = ? AND org_id = ?".formatted(STATS_ROWS.columns());

    private final OwnRowWriter ownRowWriter;

    public StatsStore(OwnRowWriter ownRowWriter) {
        this.ownRowWriter = ownRowWriter;
    }

    public List<NodeStats> own(Snapshot snapshot) {
        return snapshot.list(
                SELECT, STATS_ROWS::read, ownRowWriter.self().value(), ownRowWriter.org().value());
    }

    public Optional<NodeStats> find(Snapshot snapshot, String nodeId) {
        return snapshot.first(
                SELECT + " AND node_id = ?",
                STATS_ROWS::read,
                ownRowWriter.self().value(),
                ownRowWriter.org().value(),
                nodeId);
    }

    public void putAll(Transaction transaction, Collection<NodeStats> stats, Instant now) {
        ownRowWriter.putAll(transaction, STATS_ROWS, 0, stats, now);
    }

    public void forget(Transaction transaction, String nodeId) {
        transaction.update(
                "DELETE FROM stats WHERE host_id = ? AND node_id = ? AND org_id = ?",
                ownRowWriter.self().value(),
                nodeId,
                ownRowWriter.org().value());
    }
}
