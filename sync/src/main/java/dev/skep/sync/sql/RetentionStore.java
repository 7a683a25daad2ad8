package dev.skep.sync.sql;

import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import java.time.Instant;
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
}
