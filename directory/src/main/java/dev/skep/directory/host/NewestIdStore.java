package dev.skep.directory.host;

import dev.skep.kernel.id.Ids;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.Snapshot;
import dev.skep.store.feed.SyncTables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The largest id stored in any table whose ids this process creates, so that a restart continues
 * above it. Ids of tomorrow and later are ignored: one peer with a clock years ahead would drag
 * ours along.
 */
final class NewestIdStore {
    private static final Duration AHEAD = Duration.ofDays(1);

    private final List<String> tables = new ArrayList<>(List.of("audit_log", "credentials"));

    NewestIdStore(SyncTables synced) {
        synced.all().stream()
                .filter(table -> table.key().equals(List.of("id")))
                .map(SyncTable::name)
                .forEach(tables::add);
    }

    String newest(Snapshot snapshot, Instant now) {
        String limit = Ids.lowestAt(now.plus(AHEAD));
        String newest = "";
        for (String table : tables) {
            // One lookup at the end of the primary key's index, however large the table is.
            String id =
                    snapshot.first(
                                    "SELECT max(id) FROM %s WHERE id < ?".formatted(table),
                                    row -> String.valueOf(row.textOrNull(1)),
                                    limit)
                            .orElse("");
            newest = id.compareTo(newest) > 0 && !id.equals("null") ? id : newest;
        }
        return newest;
    }
}
