package dev.skep.registry.service;

import dev.skep.registry.node.Change;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.node.Tally;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The counts of all nodes whose history is kept, those that left included. */
final class Tallies {
    private final Map<String, Tally> byNode = new ConcurrentHashMap<>();

    void load(Collection<NodeStats> stored) {
        stored.forEach(stats -> byNode.put(stats.nodeId(), new Tally(stats)));
    }

    Tally of(String nodeId) {
        return byNode.computeIfAbsent(nodeId, id -> new Tally());
    }

    Optional<NodeStats> find(String nodeId) {
        return Optional.ofNullable(byNode.get(nodeId)).map(tally -> tally.stats(nodeId));
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

    void forget(String nodeId) {
        byNode.remove(nodeId);
    }
}
