package dev.skep.simulation;

import dev.skep.directory.HostTable;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.row.SyncTable;
import dev.skep.simulation.MemoryState.Entry;
import dev.skep.sync.SyncSchema;
import java.util.Comparator;
import java.util.List;

/** How old rows go from the database in memory. */
final class MemoryRetention {
    private static final Comparator<Entry> BY_AGE =
            Comparator.<Entry>comparingLong(Entry::storedAt)
                    .thenComparingLong(entry -> entry.row().ver());

    private final MemoryWriting tx;
    private final World world;

    MemoryRetention(MemoryWriting tx) {
        this.tx = tx;
        this.world = tx.world;
    }

    /** Others' rows first, then own ones in the order of their stamps, as far as hubs have them. */
    int purge(HostId self, SyncTable table, long until, List<String> hubs, long most) {
        List<Entry> old =
                tx.state.table(table.name()).values().stream()
                        .filter(entry -> isOld(entry, until))
                        .toList();
        List<Entry> others =
                old.stream()
                        .filter(entry -> !entry.row().hostId().equals(self.value()))
                        .sorted(BY_AGE)
                        .limit(most)
                        .toList();
        others.forEach(tx::drop);
        long pulled = Long.MAX_VALUE;
        for (String hub : hubs) {
            pulled = Math.min(pulled, tx.peer(hub).pulled());
        }
        long upto = pulled;
        List<Entry> own =
                old.stream()
                        .filter(entry -> entry.row().hostId().equals(self.value()))
                        .filter(entry -> entry.feed() <= upto)
                        .sorted(inOrder())
                        .limit(most - others.size())
                        .toList();
        if (!own.isEmpty()) {
            letGo(self, table, until, own);
        }
        return others.size() + own.size();
    }

    private boolean isOld(Entry entry, long until) {
        return world.has(Rule.AGE_SINCE_STORED)
                ? entry.storedAt() <= until
                : tx.db.isOfLongAgo(entry.table(), entry.row());
    }

    private Comparator<Entry> inOrder() {
        Comparator<Entry> byStamp = Comparator.comparingLong(Entry::feed);
        return world.has(Rule.PURGED_IN_ORDER) ? byStamp : byStamp.reversed();
    }

    private void letGo(HostId self, SyncTable table, long until, List<Entry> own) {
        long floor = own.stream().mapToLong(Entry::feed).max().orElseThrow();
        own.forEach(tx::drop);
        if (world.has(Rule.PURGED_IN_ORDER)) {
            tx.restamp(table, self, entry -> entry.feed() <= floor && entry.storedAt() > until);
        }
        Entry host = tx.state.table(HostTable.HOSTS.name()).get(self.value());
        if (host != null) {
            String floors = SyncSchema.floors(host.row()).raised(table, floor).text();
            tx.change(host, HostTable.HOSTS, "floors", floors);
        }
    }
}
