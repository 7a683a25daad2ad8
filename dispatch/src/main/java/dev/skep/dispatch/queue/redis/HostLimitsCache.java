package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.dispatch.queue.ledger.SlotStore.Limits;
import dev.skep.kernel.id.HostId;
import dev.skep.store.Database;
import dev.skep.store.SqlDialect;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The limits of hosts, from the ledger. For a SQLite file, which only this process writes, they are
 * cached until something is written that could change them: every batch needs the same few hosts,
 * and after each commit a reader has to fetch its pages again. Thread-safe.
 */
final class HostLimitsCache implements AutoCloseable {
    private static final String TABLE = "host_health";

    /** More hosts than poll at one time; others are looked up. */
    private static final int REMEMBERED = 20_000;

    private final Database database;
    private final SlotStore slots = new SlotStore();
    private final Database.Listening listening;

    /** Replaced after each such write: a reader from before the write fills the old map. */
    private volatile Map<HostId, Limits> known = new ConcurrentHashMap<>();

    HostLimitsCache(Database database) {
        this.database = database;
        this.listening = database.onWritten(this::written);
    }

    /** Runs before the writer's call returns. */
    private void written(Set<String> tables) {
        if (tables.isEmpty() || tables.contains(TABLE)) {
            known = new ConcurrentHashMap<>();
        }
    }

    /** The limits of those of these hosts that there are. */
    Map<HostId, Limits> of(Collection<HostId> hosts) {
        Map<HostId, Limits> remembered = known;
        Map<HostId, Limits> found = new HashMap<>();
        Set<HostId> missing = new HashSet<>();
        for (HostId host : hosts) {
            Limits limits = remembered.get(host);
            if (limits == null) {
                missing.add(host);
            } else {
                found.put(host, limits);
            }
        }
        if (!missing.isEmpty()) {
            Map<HostId, Limits> read =
                    database.read(snapshot -> slots.limits(snapshot, List.copyOf(missing)));
            found.putAll(read);
            if (database.dialect() == SqlDialect.SQLITE
                    && remembered.size() + read.size() <= REMEMBERED) {
                remembered.putAll(read);
            }
        }
        return found;
    }

    @Override
    public void close() {
        listening.close();
    }
}
