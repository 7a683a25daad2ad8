package dev.skep.sync.sql;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.Ids;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.sync.SyncSchema;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * The table {@code retention}: how far back each table goes. Rows born earlier are not stored, so
 * that what was purged does not come back from a peer that still has it. Thread-safe.
 */
public final class RetentionStore {
    private final Database database;
    private volatile Map<String, Instant> horizons;

    RetentionStore(Database database) {
        this.database = database;
        this.horizons = database.read(RetentionStore::load);
    }

    private static Map<String, Instant> load(Snapshot snapshot) {
        Map<String, Instant> loaded = new HashMap<>();
        snapshot.list(
                "SELECT table_name, horizon FROM retention",
                row -> loaded.put(row.text("table_name"), row.time("horizon")) == null);
        return Map.copyOf(loaded);
    }

    long horizon(SyncTable table) {
        Instant horizon = horizons.get(table.name());
        return horizon == null ? 0 : horizon.toEpochMilli();
    }

    /** Moves a table's horizon forward; an earlier one changes nothing. */
    public void moveTo(SyncTable table, Instant horizon) {
        horizons =
                database.write(
                        tx -> {
                            tx.update(
                                    """
                                    INSERT INTO retention (table_name, horizon) VALUES (?, ?)
                                    ON CONFLICT (table_name) DO UPDATE SET horizon = excluded.horizon
                                    WHERE excluded.horizon > retention.horizon
                                    """,
                                    table.name(),
                                    horizon);
                            return load(tx);
                        });
    }

    /**
     * Deletes rows born before a time and keeps them from coming back; an owner keeps those that
     * one of its hubs has not pulled yet. Says how many rows went.
     */
    public int purge(
            OrgId org, HostId self, SyncTable table, Instant horizon, Collection<String> hubs) {
        moveTo(table, horizon);
        String born = SyncSchema.birthColumn(table);
        // Ids sort by the time they carry; the smallest of a time is one without anything else.
        Object before = born.equals("created_at") ? horizon : Ids.lowestAt(horizon);
        return database.write(
                tx ->
                        tx.update(
                                """
                                DELETE FROM %s WHERE org_id = ? AND %s < ?
                                    AND NOT (host_id = ? AND ver > ?)
                                """
                                        .formatted(table.name(), born),
                                org.value(),
                                before,
                                self.value(),
                                pulled(tx, hubs)));
    }

    private static long pulled(Snapshot snapshot, Collection<String> hubs) {
        PeerStore peers = new PeerStore();
        return hubs.stream()
                .mapToLong(hub -> peers.peer(snapshot, hub).pulled())
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
