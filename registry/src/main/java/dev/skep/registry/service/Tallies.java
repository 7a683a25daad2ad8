package dev.skep.registry.service;

import dev.skep.kernel.error.SkepException;
import dev.skep.registry.node.Change;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.node.Tally;
import dev.skep.registry.table.StatsStore;
import dev.skep.store.Database;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The counts of all nodes whose history is kept, those that left included. Stored ones are read
 * when somebody asks for them, so that a start need not wait for those of ten thousand nodes. While
 * they cannot be read, counting goes on from nothing; what is stored is added later.
 */
final class Tallies {
    private final Database database;
    private final StatsStore stats;
    private final StoreWatch watch;
    private final Map<String, Tally> byNode = new ConcurrentHashMap<>();
    private final Set<String> unread = ConcurrentHashMap.newKeySet();

    Tallies(Database database, StatsStore stats, StoreWatch watch) {
        this.database = database;
        this.stats = stats;
        this.watch = watch;
    }

    /** Reads those of all nodes at once, for whoever is about to ask for each. */
    void readAll() {
        database.read(stats::own)
                .forEach(
                        stored -> byNode.computeIfAbsent(stored.nodeId(), id -> new Tally(stored)));
    }

    Tally of(String nodeId) {
        Tally counted = byNode.get(nodeId);
        if (counted != null) {
            return counted;
        }
        if (!watch.isAway()) {
            long begun = System.nanoTime();
            try {
                return known(nodeId)
                        .orElseGet(() -> byNode.computeIfAbsent(nodeId, id -> new Tally()));
            } catch (SkepException unreadable) {
                // So that the next is not tried at once.
                watch.failed(unreadable, begun);
            }
        }
        return byNode.computeIfAbsent(
                nodeId,
                id -> {
                    unread.add(id);
                    return new Tally();
                });
    }

    /** Reads what could not be read before; throws if it still cannot. */
    void readLeft() {
        if (unread.isEmpty()) {
            return;
        }
        Map<String, Optional<NodeStats>> stored =
                database.read(
                        snapshot -> {
                            Map<String, Optional<NodeStats>> read = new HashMap<>();
                            unread.forEach(id -> read.put(id, stats.find(snapshot, id)));
                            return read;
                        });
        stored.forEach(
                (id, counts) -> {
                    Tally counted = byNode.get(id);
                    if (unread.remove(id) && counted != null) {
                        counts.ifPresent(counted::goOnFrom);
                    }
                });
    }

    Optional<NodeStats> find(String nodeId) {
        return known(nodeId).map(tally -> tally.stats(nodeId));
    }

    private Optional<Tally> known(String nodeId) {
        Tally counted = byNode.get(nodeId);
        return counted != null
                ? Optional.of(counted)
                : database.read(snapshot -> stats.find(snapshot, nodeId))
                        .map(stored -> byNode.computeIfAbsent(nodeId, id -> new Tally(stored)));
    }

    /** Counts the stretch of uptime a change begins or ends; the new counts if it does either. */
    Optional<NodeStats> count(Change change) {
        String id = change.node().id();
        Tally tally = of(id);
        switch (change) {
            case Change.Joined joined when joined.connected() -> tally.up(joined.at());
            case Change.WentOffline offline -> tally.upUntil(offline.at());
            case Change.Removed removed when removed.peer() != null -> tally.upUntil(removed.at());
            case Change.Joined _, Change.Removed _, Change.Updated _ -> {
                return Optional.empty();
            }
        }
        return Optional.of(tally.stats(id));
    }

    void upUntil(String nodeId, Instant now) {
        of(nodeId).upUntil(now);
    }

    List<NodeStats> unwritten() {
        List<NodeStats> changed = new ArrayList<>();
        byNode.forEach(
                (id, tally) -> {
                    NodeStats stats = tally.unwritten(id);
                    if (stats != null) {
                        changed.add(stats);
                    }
                });
        return changed;
    }

    void wrote(Collection<NodeStats> stats) {
        stats.forEach(each -> of(each.nodeId()).wrote(each));
    }

    /** Lets go of those of other nodes, unless they have something that is not stored. */
    void keepOnly(Set<String> nodeIds) {
        byNode.entrySet()
                .removeIf(
                        each ->
                                !nodeIds.contains(each.getKey())
                                        && each.getValue().unwritten(each.getKey()) == null);
    }

    void forget(String nodeId) {
        unread.remove(nodeId);
        byNode.remove(nodeId);
    }
}
