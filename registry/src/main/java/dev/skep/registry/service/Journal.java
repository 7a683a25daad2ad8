package dev.skep.registry.service;

import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.id.UlidSource;
import dev.skep.registry.node.Change;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.node.StoredNode;
import dev.skep.registry.node.Visit;
import dev.skep.registry.table.NodeStore;
import dev.skep.registry.table.StatsStore;
import dev.skep.registry.table.VisitStore;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes changes of the roster durable, many in one transaction. Used by the roster's thread. */
final class Journal {
    private final Database database;
    private final NodeStore nodes;
    private final VisitStore visits;
    private final StatsStore stats;
    private final UlidSource ids;
    private final Tallies tallies;
    private final AuditStore audit;
    private final Map<String, Instant> seenWritten = new HashMap<>();
    private final StoreWatch watch;
    private final Map<String, Unstored> unstored = new ConcurrentHashMap<>();
    private volatile Runnable unstoredChanged = () -> {};
    private Batch owed = new Batch();

    Journal(
            Database database,
            NodeStore nodes,
            VisitStore visits,
            StatsStore stats,
            UlidSource ids,
            Tallies tallies,
            AuditStore audit,
            StoreWatch watch) {
        this.database = database;
        this.nodes = nodes;
        this.visits = visits;
        this.stats = stats;
        this.ids = ids;
        this.tallies = tallies;
        this.audit = audit;
        this.watch = watch;
    }

    /**
     * All of it or nothing, with what is owed before it; throws if it cannot be stored. Whether
     * what failed is owed from then on is for the caller to say.
     */
    void write(List<Change> changes, Instant now) {
        tallies.readLeft();
        Batch batch = owed.copy();
        changes.forEach(change -> take(change, batch));
        batch.counts().replaceAll((id, counted) -> tallies.of(id).stats(id));
        store(batch, changes, now);
        owed = new Batch();
        watch.stored();
        if (!unstored.isEmpty()) {
            unstored.clear();
            unstoredChanged.run();
        }
        batch.rows().forEach((id, row) -> seenWritten.put(id, row.node().lastSeenAt()));
        batch.pruned().forEach(seenWritten::remove);
        tallies.wrote(batch.counts().values());
    }

    /** Knows whether it can be stored. */
    StoreWatch watch() {
        return watch;
    }

    /** What happened though it cannot be stored now: it is stored with what comes next. */
    void owe(List<Change> changes) {
        changes.forEach(change -> take(change, owed));
        owed.forgetOldestLines();
        for (Change change : changes) {
            Node node = change.node();
            unstored.put(node.id(), new Unstored(node, change instanceof Change.Removed));
        }
        unstoredChanged.run();
    }

    /** The nodes that are owed, as each is now; any thread may ask. */
    List<Unstored> unstored() {
        return List.copyOf(unstored.values());
    }

    /** Runs the listener, which must not wait, whenever there is something else to be stored. */
    void onUnstored(Runnable listener) {
        unstoredChanged = listener;
    }

    boolean owesNothing() {
        return owed.isEmpty();
    }

    private void take(Change change, Batch batch) {
        Node node = change.node();
        Optional<Visit> visit = visit(change);
        if (change instanceof Change.Removed removed && removed.reason().takesHistory()) {
            tallies.forget(node.id());
            batch.prune(node, removed.at());
        } else {
            Instant removedAt = change instanceof Change.Removed removed ? removed.at() : null;
            batch.put(node, removedAt, visit, tallies.count(change));
        }
    }

    private void store(Batch batch, List<Change> changes, Instant now) {
        database.write(
                transaction -> {
                    // First: a node that came again since has a new history.
                    batch.pruned().forEach(id -> forgetHistory(transaction, id));
                    nodes.putAll(transaction, batch.nodes(), now);
                    visits.append(transaction, batch.lines(), now);
                    stats.putAll(transaction, batch.counts().values(), now);
                    changes.forEach(change -> recordWho(transaction, change));
                    return batch.rows().size();
                });
    }

    /** A person who takes a node away is written down with it, or it is not taken. */
    private void recordWho(Transaction transaction, Change change) {
        if (change instanceof Change.Removed removed && removed.by() != null) {
            Node node = removed.node();
            audit.record(
                    transaction,
                    removed.by(),
                    "node.removed",
                    node.id(),
                    Map.of("machine", node.machine() + ":" + node.port(), "cwd", node.cwd()));
        }
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
        if (!owesNothing()) {
            // Older than what follows, which must not be overwritten with it.
            write(List.of(), now);
        }
        Map<Node, Optional<Instant>> seen = new LinkedHashMap<>();
        for (Node node : roster) {
            if (node.isActive()) {
                tallies.upUntil(node.id(), now);
            }
            if (!node.lastSeenAt().equals(seenWritten.get(node.id()))) {
                seen.put(node, Optional.empty());
            }
        }
        tallies.readLeft();
        List<NodeStats> counts = tallies.unwritten();
        if (!seen.isEmpty() || !counts.isEmpty()) {
            database.write(
                    transaction -> {
                        nodes.putAll(transaction, seen, now);
                        stats.putAll(transaction, counts, now);
                        return counts.size();
                    });
            watch.stored();
            seen.keySet().forEach(node -> seenWritten.put(node.id(), node.lastSeenAt()));
            tallies.wrote(counts);
        }
        tallies.keepOnly(roster.stream().map(Node::id).collect(Collectors.toSet()));
        return counts;
    }

    /** What is on disk when the registry starts, in its last state. */
    List<StoredNode> load() {
        return database.read(
                snapshot -> {
                    List<StoredNode> stored = nodes.ownWithAges(snapshot);
                    stored.forEach(
                            each -> seenWritten.put(each.node().id(), each.node().lastSeenAt()));
                    return stored;
                });
    }
}
