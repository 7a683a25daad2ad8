package dev.skep.registry.service;

import dev.skep.kernel.error.SkepException;
import dev.skep.registry.node.NodeChange;
import dev.skep.registry.node.NodeCounters;
import dev.skep.registry.node.NodeStats;
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
 * The counters of all nodes whose history is kept, including those that left. Stored counters are
 * read on demand, so that a start need not wait for those of ten thousand nodes. While they cannot
 * be read, counting starts at zero; the stored values are added later.
 */
final class NodeCountersCache {
    private final Database database;
    private final StatsStore stats;
    private final StorageMonitor storageMonitor;
    private final Map<String, NodeCounters> byNode = new ConcurrentHashMap<>();
    private final Set<String> unread = ConcurrentHashMap.newKeySet();

    NodeCountersCache(Database database, StatsStore stats, StorageMonitor storageMonitor) {
        this.database = database;
        this.stats = stats;
        this.storageMonitor = storageMonitor;
    }

    /** Reads the counters of all nodes at once, for a caller that is about to ask for each. */
    void readAll() {
        database.read(stats::own)
                .forEach(
                        stored ->
                                byNode.computeIfAbsent(
                                        stored.nodeId(), id -> new NodeCounters(stored)));
    }

    NodeCounters of(String nodeId) {
        NodeCounters counted = byNode.get(nodeId);
        if (counted != null) {
            return counted;
        }
        if (!storageMonitor.isAway()) {
            long begun = System.nanoTime();
            try {
                return known(nodeId)
                        .orElseGet(() -> byNode.computeIfAbsent(nodeId, id -> new NodeCounters()));
            } catch (SkepException unreadable) {
                // So that the next is not tried at once.
                storageMonitor.failed(unreadable, begun);
            }
        }
        return byNode.computeIfAbsent(
                nodeId,
                id -> {
                    unread.add(id);
                    return new NodeCounters();
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
                    NodeCounters counted = byNode.get(id);
                    if (unread.remove(id) && counted != null) {
                        counts.ifPresent(counted::goOnFrom);
                    }
                });
    }

    Optional<NodeStats> find(String nodeId) {
        return known(nodeId).map(nodeCounters -> nodeCounters.stats(nodeId));
    }

    private Optional<NodeCounters> known(String nodeId) {
        NodeCounters counted = byNode.get(nodeId);
        return counted != null
                ? Optional.of(counted)
                : database.read(snapshot -> stats.find(snapshot, nodeId))
                        .map(
                                stored ->
                                        byNode.computeIfAbsent(
                                                nodeId, id -> new NodeCounters(stored)));
    }

    /** Counts the stretch of uptime a change begins or ends; the new counts if it does either. */
    Optional<NodeStats> count(NodeChange change) {
        String id = change.node().id();
        NodeCounters nodeCounters = of(id);
        switch (change) {
            case NodeChange.Joined joined when joined.connected() -> nodeCounters.up(joined.at());
            case NodeChange.WentOffline offline -> nodeCounters.countActiveUntil(offline.at());
            case NodeChange.Removed removed when removed.peer() != null ->
                    nodeCounters.countActiveUntil(removed.at());
            case NodeChange.Joined _, NodeChange.Removed _, NodeChange.Updated _ -> {
                return Optional.empty();
            }
        }
        return Optional.of(nodeCounters.stats(id));
    }

    void countActiveUntil(String nodeId, Instant now) {
        of(nodeId).countActiveUntil(now);
    }

    List<NodeStats> unsaved() {
        List<NodeStats> changed = new ArrayList<>();
        byNode.forEach(
                (id, nodeCounters) -> {
                    NodeStats stats = nodeCounters.unsaved(id);
                    if (stats != null) {
                        changed.add(stats);
                    }
                });
        return changed;
    }

    void markSaved(Collection<NodeStats> stats) {
        stats.forEach(each -> of(each.nodeId()).markSaved(each));
    }

    /** Drops the counters of other nodes, unless they have unstored values. */
    void keepOnly(Set<String> nodeIds) {
        byNode.entrySet()
                .removeIf(
                        each ->
                                !nodeIds.contains(each.getKey())
                                        && each.getValue().unsaved(each.getKey()) == null);
    }

    void forget(String nodeId) {
        unread.remove(nodeId);
        byNode.remove(nodeId);
    }
}
