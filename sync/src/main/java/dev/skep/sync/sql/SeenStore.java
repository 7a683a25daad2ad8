package dev.skep.sync.sql;

import dev.skep.kernel.row.Column;
import dev.skep.store.BulkInsert;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table {@code seen}. */
final class SeenStore {
    private static final BulkInsert MERGE =
            new BulkInsert(
                    "seen",
                    List.of(
                            Column.text("host_id"),
                            Column.integer("epoch"),
                            Column.integer("max_n")),
                    """
                    ON CONFLICT (host_id, epoch) DO UPDATE SET max_n = excluded.max_n
                    WHERE excluded.max_n > seen.max_n""");

    Map<Long, Long> of(Snapshot snapshot, String host) {
        Map<Long, Long> seen = new HashMap<>();
        snapshot.list(
                "SELECT epoch, max_n FROM seen WHERE host_id = ?",
                row -> seen.put(row.number("epoch"), row.number("max_n")) == null,
                host);
        return seen;
    }

    Map<String, Map<Long, Long>> except(Snapshot snapshot, String host) {
        Map<String, Map<Long, Long>> seen = new HashMap<>();
        snapshot.list(
                "SELECT host_id, epoch, max_n FROM seen WHERE host_id <> ?",
                row ->
                        seen.computeIfAbsent(row.text("host_id"), _ -> new HashMap<>())
                                        .put(row.number("epoch"), row.number("max_n"))
                                == null,
                host);
        return seen;
    }

    void merge(Transaction transaction, Map<String, Map<Long, Long>> seen) {
        List<@Nullable Object[]> rows = new ArrayList<>();
        seen.forEach(
                (host, epochs) ->
                        epochs.forEach((epoch, n) -> rows.add(new Object[] {host, epoch, n})));
        transaction.insertAll(MERGE, rows);
    }
}
