package dev.skep.sync.sql;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.Ids;
import dev.skep.kernel.row.SyncTable;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import dev.skep.sync.SyncSchema;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The table {@code retention}: how far back each table goes. Rows born earlier are not stored, so
 * that what was purged does not come back from a peer that still has it. Thread-safe.
 */
public final class RetentionStore {
    /** Few rows a time, so that the writer serves others in between. */
    private static final int PIECE = 500;

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
    public int purge(HostId self, SyncTable table, Instant horizon, Collection<String> hubs) {
        moveTo(table, horizon);
        int all = 0;
        int some = PIECE;
        while (some == PIECE) {
            some = database.write(tx -> purge(tx, self, table, horizon, pulled(tx, hubs)));
            all += some;
        }
        return all;
    }

    /**
     * Deletes about as many of the oldest rows as told, whether or not a hub has them: for a disk
     * that would be full otherwise. Says how many rows went.
     *
     * @param tables counted in the first; what is as old in the others goes with it
     */
    public int purgeOldest(HostId self, List<SyncTable> tables, int rows) {
        Optional<Instant> reached =
                database.read(snapshot -> birthOf(snapshot, tables.getFirst(), rows));
        return reached.map(
                        horizon ->
                                tables.stream()
                                        .mapToInt(table -> purge(self, table, horizon, List.of()))
                                        .sum())
                .orElse(0);
    }

    /** When the row with this many older ones was born; empty if there are fewer. */
    private static Optional<Instant> birthOf(Snapshot snapshot, SyncTable table, int older) {
        String born = SyncSchema.birthColumn(table);
        return snapshot.first(
                        "SELECT %s FROM %s ORDER BY 1 LIMIT 1 OFFSET ?"
                                .formatted(born, table.name()),
                        row -> String.valueOf(row.textOrNull(1)),
                        older)
                .map(text -> Ids.isUlid(text) ? Ids.bornAt(text) : Timestamps.parse(text));
    }

    private static int purge(
            Transaction transaction, HostId self, SyncTable table, Instant horizon, long pulled) {
        String born = SyncSchema.birthColumn(table);
        String key = String.join(", ", table.key());
        // Ids sort by the time they carry; the smallest of a time is one without anything else.
        Object before = born.equals("created_at") ? horizon : Ids.lowestAt(horizon);
        return transaction.update(
                """
                DELETE FROM %1$s WHERE (%2$s) IN (
                    SELECT %2$s FROM %1$s
                    WHERE %3$s < ? AND NOT (host_id = ? AND ver > ?) LIMIT ?)
                """
                        .formatted(table.name(), key, born),
                before,
                self.value(),
                pulled,
                PIECE);
    }

    private static long pulled(Snapshot snapshot, Collection<String> hubs) {
        PeerStore peers = new PeerStore();
        return hubs.stream()
                .mapToLong(hub -> peers.peer(snapshot, hub).pulled())
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Forgets what was set aside before a time, except what waits for a person's word. */
    public int forgetSetAside(Instant before) {
        return database.write(transaction -> new QuarantineStore().forget(transaction, before));
    }
}
