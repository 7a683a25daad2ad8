package dev.skep.registry.service;

import dev.skep.kernel.id.Ids;
import dev.skep.kernel.id.UlidSource;
import dev.skep.registry.node.Change;
import dev.skep.registry.node.Lifetime;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.node.Visit;
import dev.skep.registry.table.NodeStore;
import dev.skep.registry.table.StatsStore;
import dev.skep.registry.table.VisitStore;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes changes of the roster durable, many in one transaction. Used by the roster's thread. */
final class Journal {
    private final Database database;
    private final NodeStore nodes;
    private final VisitStore visits;
    private final StatsStore stats;
    private final UlidSource ids;
    private final Tallies tallies;
    private final Map<String, Instant> seenWritten = new HashMap<>();

    Journal(
            Database database,
            NodeStore nodes,
            VisitStore visits,
            StatsStore stats,
            UlidSource ids,
            Tallies tallies) {
        this.database = database;
        this.nodes = nodes;
        this.visits = visits;
        this.stats = stats;
        this.ids = ids;
        this.tallies = tallies;
    }

    /** All of it or nothing; throws if it cannot be stored. */
    void write(List<Change> changes, Instant now) {
        Map<String, Row> rows = new LinkedHashMap<>();
        List<Visit> history = new ArrayList<>();
        Set<String> pruned = new LinkedHashSet<>();
        Map<String, NodeStats> counts = new LinkedHashMap<>();
        for (Change change : changes) {
            Node node = change.node();
            boolean isPruned =
                    change instanceof Change.Removed removed
                            && removed.reason() == Change.Reason.PRUNED;
            rows.put(node.id(), new Row(node, removedAt(change)));
            visit(change).ifPresent(history::add);
            if (isPruned) {
                pruned.add(node.id());
                counts.remove(node.id());
                tallies.forget(node.id());
            } else {
                tallies.count(change).ifPresent(count -> counts.put(node.id(), count));
            }
        }
        history.removeIf(visit -> pruned.contains(visit.nodeId()));
        database.write(
                transaction -> {
                    put(transaction, rows.values(), now);
                    visits.append(transaction, history, now);
                    stats.putAll(transaction, counts.values(), now);
                    pruned.forEach(id -> forgetHistory(transaction, id));
                    return changes.size();
                });
        rows.values().forEach(row -> seenWritten.put(row.node().id(), row.node().lastSeenAt()));
        pruned.forEach(seenWritten::remove);
        tallies.wrote(counts.values());
    }

    private record Row(Node node, @Nullable Instant removedAt) {}

    private void put(Transaction transaction, Collection<Row> rows, Instant now) {
        Map<Node, Optional<Instant>> put = new LinkedHashMap<>();
        rows.forEach(row -> put.put(row.node(), Optional.ofNullable(row.removedAt())));
        nodes.putAll(transaction, put, now);
    }

    private static @Nullable Instant removedAt(Change change) {
        return change instanceof Change.Removed removed ? removed.at() : null;
    }

    private Optional<Visit> visit(Change change) {
        return switch (change) {
            case Change.Joined joined when joined.connected() ->
                    visit(joined.node(), Visit.Event.CONNECTED, joined.at(), joined.peer());
            case Change.WentOffline offline ->
                    visit(offline.node(), Visit.Event.DISCONNECTED, offline.at(), offline.peer());
            case Change.Removed removed when removed.peer() != null ->
                    visit(removed.node(), Visit.Event.DISCONNECTED, removed.at(), removed.peer());
            case Change.Joined _, Change.Removed _, Change.Updated _ -> Optional.empty();
        };
    }

    private Optional<Visit> visit(Node node, Visit.Event event, Instant at, @Nullable String peer) {
        return Optional.of(new Visit(ids.next(), node.id(), event, at, peer));
    }

    private void forgetHistory(Transaction transaction, String id) {
        visits.forget(transaction, id);
        stats.forget(transaction, id);
    }

    /** Writes what was only counted or seen since the last time, and tells the counts. */
    List<NodeStats> flush(Collection<Node> roster, Instant now) {
        Map<Node, Optional<Instant>> seen = new LinkedHashMap<>();
        for (Node node : roster) {
            if (node.isActive()) {
                tallies.upUntil(node.id(), now);
            }
            if (!node.lastSeenAt().equals(seenWritten.get(node.id()))) {
                seen.put(node, Optional.empty());
            }
        }
        List<NodeStats> counts = tallies.unwritten();
        if (!seen.isEmpty() || !counts.isEmpty()) {
            database.write(
                    transaction -> {
                        nodes.putAll(transaction, seen, now);
                        stats.putAll(transaction, counts, now);
                        return counts.size();
                    });
            seen.keySet().forEach(node -> seenWritten.put(node.id(), node.lastSeenAt()));
            tallies.wrote(counts);
        }
        return counts;
    }

    /** What is on disk when the registry starts, in its last state. */
    List<Node> load() {
        return database.read(
                snapshot -> {
                    List<Node> stored = nodes.own(snapshot);
                    stored.forEach(node -> seenWritten.put(node.id(), node.lastSeenAt()));
                    return stored;
                });
    }

    /** Forgets the history of nodes that left long ago, and lines older than history is kept. */
    void forgetOld(Lifetime lifetime, Instant now) {
        Instant historyFrom = before(now, lifetime.kept());
        Instant marksFrom = before(now, lifetime.marksKept());
        List<String> gone = database.read(snapshot -> nodes.removedBefore(snapshot, historyFrom));
        database.write(
                transaction -> {
                    gone.forEach(id -> forgetHistory(transaction, id));
                    visits.forgetBefore(transaction, Ids.lowestAt(historyFrom));
                    return nodes.forgetRemovedBefore(transaction, marksFrom);
                });
        gone.forEach(tallies::forget);
    }

    private static Instant before(Instant now, Duration time) {
        Duration since1970 = Duration.between(Instant.EPOCH, now);
        return time.compareTo(since1970) > 0 ? Instant.EPOCH : now.minus(time);
    }
}
