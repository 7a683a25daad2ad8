package dev.skep.simulation;

import dev.skep.kernel.row.SyncRow;
import dev.skep.kernel.row.SyncTable;
import dev.skep.store.clock.RetentionClockState;
import dev.skep.sync.QuarantinedRow;
import dev.skep.sync.SyncPeer;
import dev.skep.wire.Message;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Everything a database in memory holds; a backup is a copy of it. */
final class MemoryState {
    final Map<String, Map<String, Entry>> tables = new HashMap<>();
    final TreeMap<Long, Entry> feed = new TreeMap<>();
    final Map<Long, Long> epochs = new HashMap<>();
    final Map<String, SyncPeer> peers = new HashMap<>();
    final Map<String, Map<Long, Long>> seen = new HashMap<>();
    final Map<String, QuarantinedRow> quarantinedRow = new LinkedHashMap<>();
    final Map<String, List<Grant>> grants = new HashMap<>();
    final Map<String, String> claims = new HashMap<>();
    final Map<String, Boolean> agentHosts = new HashMap<>();
    final Map<String, Long> awaited = new HashMap<>();
    final Map<String, Long> asideFrom = new HashMap<>();
    RetentionClockState retentionClockState = RetentionClockState.NEW;
    long pos;
    int schemaVersion;

    /** A row with its place in the feed, 0 for none, and when it was stored. */
    record Entry(SyncTable table, String key, String org, SyncRow row, long feed, long storedAt) {
        Entry(SyncTable table, String key, String org, SyncRow row, long feed) {
            this(table, key, org, row, feed, 0);
        }

        Entry storedAt(long at) {
            return new Entry(table, key, org, row, feed, at);
        }
    }

    /** An operator's decision. */
    record Grant(String org, String host, Message.Grant grant) {}

    MemoryState copy() {
        MemoryState copy = new MemoryState();
        tables.forEach((name, rows) -> copy.tables.put(name, new HashMap<>(rows)));
        copy.feed.putAll(feed);
        copy.epochs.putAll(epochs);
        copy.peers.putAll(peers);
        seen.forEach((host, by) -> copy.seen.put(host, new HashMap<>(by)));
        copy.quarantinedRow.putAll(quarantinedRow);
        grants.forEach((user, all) -> copy.grants.put(user, new ArrayList<>(all)));
        copy.claims.putAll(claims);
        copy.agentHosts.putAll(agentHosts);
        copy.awaited.putAll(awaited);
        copy.asideFrom.putAll(asideFrom);
        copy.retentionClockState = retentionClockState;
        copy.pos = pos;
        copy.schemaVersion = schemaVersion;
        return copy;
    }

    Map<String, Entry> table(String name) {
        return tables.computeIfAbsent(name, _ -> new HashMap<>());
    }

    static String key(SyncTable table, SyncRow row) {
        List<String> columns = table.key();
        if (columns.size() == 1) {
            return row.text(table.indexOf(columns.getFirst()));
        }
        StringBuilder key = new StringBuilder();
        for (Object value : table.keyOf(row)) {
            key.append(value).append('/');
        }
        return key.toString();
    }
}
