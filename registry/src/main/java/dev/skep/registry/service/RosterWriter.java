package dev.skep.registry.service;

import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.id.UlidSource;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeChange;
import dev.skep.registry.node.NodeHistoryEntry;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.node.StoredNode;
import dev.skep.registry.table.NodeHistoryStore;
import dev.skep.registry.table.NodeStore;
import dev.skep.registry.table.StatsStore;
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
final class RosterWriter {
    private final Database database;
    private final NodeStore nodes;
    private final NodeHistoryStore visits;
    private final StatsStore stats;
    private final UlidSource ids;
    private final NodeCountersCache nodeCountersCache;
    private final AuditStore audit;
    private final Map<String, Instant> seenWritten = new HashMap<>();
    private final StorageMonitor storageMonitor;
    private final Map<String, UnstoredNode> unstored = new ConcurrentHashMap<>();
    private volatile Runnable unstoredChanged = () -> {};
    private RosterChangeBatch owed = new RosterChangeBatch();

    RosterWriter(
            Database database,
            NodeStore nodes,
            NodeHistoryStore visits,
            StatsStore stats,
            UlidSource ids,
            NodeCountersCache nodeCountersCache,
            AuditStore audit,
            StorageMonitor storageMonitor) {
        this.database = database;
        this.nodes = nodes;
        this.visits = visits;
        this.stats = stats;
        this.ids = ids;
        this.nodeCountersCache = nodeCountersCache;
        this.audit = audit;
        this.storageMonitor = storageMonitor;
    }

    /**
     * All or nothing, with the pending changes before it; throws if it cannot be stored. The caller
     * decides whether failed changes stay pending.
     */
    void write(List<NodeChange> changes, Instant now) {
        nodeCountersCache.readLeft();
        RosterChangeBatch batch = owed.copy();
        changes.forEach(change -> take(change, batch));
        batch.counts().replaceAll((id, counted) -> nodeCountersCache.of(id).stats(id));
        store(batch, changes, now);
        owed = new RosterChangeBatch();
        storageMonitor.stored();
        if (!unstored.isEmpty()) {
            unstored.clear();
            unstoredChanged.run();
        }
        batch.rows().forEach((id, row) -> seenWritten.put(id, row.node().lastSeenAt()));
        batch.pruned().forEach(seenWritten::remove);
        nodeCountersCache.markSaved(batch.counts().values());
    }

    /** Knows whether it can be stored. */
    StorageMonitor storageMonitor() {
        return storageMonitor;
    }

    /** What happened though it cannot be stored now: it is stored with what comes next. */
    void owe(List<NodeChange> changes) {
        changes.forEach(change -> take(change, owed));
        owed.forgetOldestLines();
        for (NodeChange change : changes) {
            Node node = change.node();
            unstored.put(node.id(), new UnstoredNode(node, change instanceof NodeChange.Removed));
        }
        unstoredChanged.run();
    }

    /** The nodes that are owed, as each is now; any thread may ask. */
    List<UnstoredNode> unstored() {
        return List.copyOf(unstored.values());
    }

    /** Runs the listener, which must not wait, whenever there is something else to be stored. */
    void onUnstored(Runnable listener) {
        unstoredChanged = listener;
    }

    boolean owesNothing() {
        return owed.isEmpty();
    }

    private void take(NodeChange change, RosterChangeBatch batch) {
        Node node = change.node();
        Optional<NodeHistoryEntry> nodeHistoryEntry = visit(change);
        if (change instanceof NodeChange.Removed removed && removed.reason().takesHistory()) {
            nodeCountersCache.forget(node.id());
            batch.prune(node, removed.at());
        } else {
            Instant removedAt = change instanceof NodeChange.Removed removed ? removed.at() : null;
            batch.put(node, removedAt, nodeHistoryEntry, nodeCountersCache.count(change));
        }
    }

    private void store(RosterChangeBatch batch, List<NodeChange> changes, Instant now) {
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
    private void recordWho(Transaction transaction, NodeChange change) {
        if (change instanceof NodeChange.Removed removed && removed.by() != null) {
            Node node = removed.node();
            audit.record(
                    transaction,
                    removed.by(),
                    "node.removed",
                    node.id(),
                    Map.of("machine", node.machine() + ":" + node.port(), "cwd", node.cwd()));
        }
    }

    private Optional<NodeHistoryEntry> visit(NodeChange change) {
        return switch (change) {
            case NodeChange.Joined joined when joined.connected() ->
                    visit(
                            joined.node(),
                            NodeHistoryEntry.Event.CONNECTED,
                            joined.at(),
                            joined.peer());
            case NodeChange.WentOffline offline ->
                    visit(
                            offline.node(),
                            NodeHistoryEntry.Event.DISCONNECTED,
                            offline.at(),
                            offline.peer());
            case NodeChange.Removed removed when removed.peer() != null ->
                    visit(
                            removed.node(),
                            NodeHistoryEntry.Event.DISCONNECTED,
                            removed.at(),
                            removed.peer());
            case NodeChange.Joined _, NodeChange.Removed _, NodeChange.Updated _ ->
                    Optional.empty();
        };
    }

    private Optional<NodeHistoryEntry> visit(
            Node node, NodeHistoryEntry.Event event, Instant at, @Nullable String peer) {
        return Optional.of(new NodeHistoryEntry(ids.next(), node.id(), event, at, peer));
    }

    private void forgetHistory(Transaction transaction, String id) {
        visits.forget(transaction, id);
        stats.forget(transaction, id);
    }

    /** Writes the counts and times since the last flush, and returns the counts. */
    List<NodeStats> flush(Collection<Node> roster, Instant now) {
        if (!owesNothing()) {
            // Older than what follows, which must not be overwritten with it.
            write(List.of(), now);
        }
        Map<Node, Optional<Instant>> seen = new LinkedHashMap<>();
        for (Node node : roster) {
            if (node.isActive()) {
                nodeCountersCache.countActiveUntil(node.id(), now);
            }
            if (!node.lastSeenAt().equals(seenWritten.get(node.id()))) {
                seen.put(node, Optional.empty());
            }
        }
        nodeCountersCache.readLeft();
        List<NodeStats> counts = nodeCountersCache.unsaved();
        if (!seen.isEmpty() || !counts.isEmpty()) {
            database.write(
                    transaction -> {
                        nodes.putAll(transaction, seen, now);
                        stats.putAll(transaction, counts, now);
                        return counts.size();
                    });
            storageMonitor.stored();
            seen.keySet().forEach(node -> seenWritten.put(node.id(), node.lastSeenAt()));
            nodeCountersCache.markSaved(counts);
        }
        nodeCountersCache.keepOnly(roster.stream().map(Node::id).collect(Collectors.toSet()));
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
