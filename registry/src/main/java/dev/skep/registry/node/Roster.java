package dev.skep.registry.node;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of this host, as they are now: every rule about who joins, goes offline and leaves, and
 * no I/O. What was done since {@link #mark} can be undone. Not thread-safe: one thread owns it.
 */
public final class Roster {
    /**
     * A node and the connection that registered it last, while that is open.
     *
     * @param since the reading of the retention clock when the node was last active or went
     *     offline: its times of day are for people, and a clock that is set must not end or remove
     *     a node
     */
    private record Entry(Node node, @Nullable RegistryConnection peer, long since) {}

    private record Undo(String id, @Nullable Entry before) {}

    private final HostId host;
    private final NodeTimeouts nodeTimeouts;
    private final LongSupplier age;
    private final Map<String, Entry> entries = new LinkedHashMap<>();
    private final Map<Node.Address, Set<String>> byAddress = new LinkedHashMap<>();
    private final Map<Long, Set<String>> byPeer = new LinkedHashMap<>();
    private final Deque<Undo> undo = new ArrayDeque<>();

    /**
     * An empty roster.
     *
     * @param age milliseconds of a clock that is never set and that goes on over a restart
     */
    public Roster(HostId host, NodeTimeouts nodeTimeouts, LongSupplier age) {
        this.host = host;
        this.nodeTimeouts = nodeTimeouts;
        this.age = age;
    }

    /** Adds the stored nodes; after a restart all of them count as offline. */
    public List<NodeChange> load(Collection<StoredNode> stored) {
        List<NodeChange> wentOffline = new ArrayList<>();
        for (StoredNode each : stored) {
            Node node = each.node();
            Node offline = node.isActive() ? node.offline(node.lastSeenAt()) : node;
            put(node.id(), new Entry(offline, null, each.since()));
            if (node.isActive()) {
                wentOffline.add(new NodeChange.WentOffline(offline, null, node.lastSeenAt()));
            }
        }
        return wentOffline;
    }

    /** Removes other nodes with the same machine and port; then the node is active. */
    public List<NodeChange> register(
            NodeRegistration registration, RegistryConnection registryConnection, Instant now) {
        List<NodeChange> changes = new ArrayList<>();
        Node.Address address = new Node.Address(registration.machine(), registration.port());
        for (String other : List.copyOf(byAddress.getOrDefault(address, Set.of()))) {
            if (!other.equals(registration.id())) {
                changes.add(remove(other, NodeChange.Reason.EVICTED, now, null));
            }
        }
        Entry before = entries.get(registration.id());
        if (before == null) {
            Node node = Node.first(host, registration, now);
            set(node.id(), entry(node, registryConnection));
            changes.add(new NodeChange.Joined(node, true, registryConnection.address(), now));
            return changes;
        }
        RegistryConnection old = before.peer();
        boolean sameConnection = old != null && old.number() == registryConnection.number();
        boolean connected = !sameConnection || !before.node().isActive();
        if (connected && before.node().isActive()) {
            // History alternates: the connection that is replaced ended now, however late it
            // closes.
            Node left = before.node().offline(now);
            changes.add(new NodeChange.WentOffline(left, old == null ? null : old.address(), now));
        }
        Node node = before.node().again(registration, now, connected);
        set(node.id(), entry(node, registryConnection));
        changes.add(new NodeChange.Joined(node, connected, registryConnection.address(), now));
        return changes;
    }

    public List<NodeChange> deregister(String id, Instant now) {
        return entries.containsKey(id)
                ? List.of(remove(id, NodeChange.Reason.DEREGISTERED, now, null))
                : List.of();
    }

    /** A person takes a node away, and its history with it; one that is here would come again. */
    public List<NodeChange> takeAway(String id, Actor by, Instant now) {
        return List.of(remove(id, NodeChange.Reason.TAKEN_AWAY, now, by));
    }

    /** A connection ended; only nodes that it was the last to register go offline. */
    public List<NodeChange> disconnect(RegistryConnection registryConnection, Instant now) {
        List<NodeChange> changes = new ArrayList<>();
        for (String id : List.copyOf(byPeer.getOrDefault(registryConnection.number(), Set.of()))) {
            Entry entry = entry(id);
            if (entry.node().isActive()) {
                Node offline = entry.node().offline(now);
                set(id, entry(offline, null));
                changes.add(new NodeChange.WentOffline(offline, registryConnection.address(), now));
            } else {
                set(id, new Entry(entry.node(), null, entry.since()));
            }
        }
        return changes;
    }

    /** The registry stops: all nodes disconnect. */
    public List<NodeChange> disconnectAll(Instant now) {
        List<NodeChange> changes = new ArrayList<>();
        for (Entry entry : List.copyOf(entries.values())) {
            if (entry.peer() != null) {
                changes.addAll(disconnect(entry.peer(), now));
            }
        }
        return changes;
    }

    /** A sign of life of the nodes a connection registered; a silent one is back. */
    public List<NodeChange> recordActivity(RegistryConnection registryConnection, Instant now) {
        List<NodeChange> changes = new ArrayList<>();
        for (String id : List.copyOf(byPeer.getOrDefault(registryConnection.number(), Set.of()))) {
            changes.addAll(recordActivity(id, now));
        }
        return changes;
    }

    /** A sign of life by way of the proxy; it counts only while the node is connected. */
    public List<NodeChange> recordActivity(String id, Instant now) {
        Entry entry = entries.get(id);
        if (entry == null || entry.peer() == null) {
            return List.of();
        }
        Node node = entry.node().activeAt(now);
        set(id, entry(node, entry.peer()));
        return entry.node().isActive()
                ? List.of()
                : List.of(new NodeChange.Joined(node, true, entry.peer().address(), now));
    }

    /** Puts silent nodes offline, and removes those that have been offline for long enough. */
    public List<NodeChange> sweep(Instant now) {
        List<NodeChange> changes = new ArrayList<>();
        for (Entry entry : List.copyOf(entries.values())) {
            Node node = entry.node();
            Duration idle = Duration.ofMillis(age.getAsLong() - entry.since());
            if (node.isActive() && nodeTimeouts.isSilent(idle)) {
                Node offline = node.offline(now);
                set(node.id(), entry(offline, entry.peer()));
                String address = entry.peer() == null ? null : entry.peer().address();
                changes.add(new NodeChange.WentOffline(offline, address, now));
            } else if (!node.isActive() && nodeTimeouts.isOver(idle)) {
                changes.add(remove(node.id(), NodeChange.Reason.PRUNED, now, null));
            }
        }
        return changes;
    }

    /** Takes over a node from a document if it is unknown here or was seen later there. */
    public List<NodeChange> adopt(Node node, Instant now) {
        Entry mine = entries.get(node.id());
        boolean newer = mine == null || mine.node().lastSeenAt().isBefore(node.lastSeenAt());
        if (!newer || (mine != null && mine.node().isActive())) {
            return List.of();
        }
        Node offline = node.isActive() ? node.offline(node.lastSeenAt()) : node;
        set(node.id(), entry(offline, null));
        return List.of(new NodeChange.Joined(offline, false, null, now));
    }

    /** Whether the latest registration of a node with this id came from this connection. */
    public boolean isOf(String id, RegistryConnection registryConnection) {
        return byPeer.getOrDefault(registryConnection.number(), Set.of()).contains(id);
    }

    public Optional<Node> find(String id) {
        return Optional.ofNullable(entries.get(id)).map(Entry::node);
    }

    /** Where the node registered from, while its connection is open. */
    public Optional<RegistryConnection> peerOf(String id) {
        return Optional.ofNullable(entries.get(id)).map(Entry::peer);
    }

    public List<Node> nodes() {
        List<Node> all = new ArrayList<>(entries.size());
        entries.values().forEach(entry -> all.add(entry.node()));
        return all;
    }

    public int size() {
        return entries.size();
    }

    /** From here on, changes can be undone. */
    public void mark() {
        undo.clear();
    }

    /** Takes back what was done since the mark. */
    public void backToMark() {
        while (!undo.isEmpty()) {
            Undo step = undo.pop();
            put(step.id(), step.before());
        }
    }

    private NodeChange remove(
            String id, NodeChange.Reason reason, Instant now, @Nullable Actor by) {
        Entry entry = entry(id);
        set(id, null);
        String connected =
                entry.node().isActive() && entry.peer() != null ? entry.peer().address() : null;
        return new NodeChange.Removed(entry.node(), reason, connected, now, by);
    }

    private Entry entry(Node node, @Nullable RegistryConnection registryConnection) {
        return new Entry(node, registryConnection, age.getAsLong());
    }

    private Entry entry(String id) {
        Entry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalStateException("there is no node " + id);
        }
        return entry;
    }

    private void set(String id, @Nullable Entry entry) {
        undo.push(new Undo(id, entries.get(id)));
        put(id, entry);
    }

    private void put(String id, @Nullable Entry entry) {
        Entry before = entry == null ? entries.remove(id) : entries.put(id, entry);
        if (before != null) {
            drop(byAddress, before.node().address(), id);
            if (before.peer() != null) {
                drop(byPeer, before.peer().number(), id);
            }
        }
        if (entry != null) {
            byAddress
                    .computeIfAbsent(entry.node().address(), address -> new LinkedHashSet<>(2))
                    .add(id);
            if (entry.peer() != null) {
                byPeer.computeIfAbsent(entry.peer().number(), peer -> new LinkedHashSet<>(2))
                        .add(id);
            }
        }
    }

    private static <K> void drop(Map<K, Set<String>> index, K key, String id) {
        Set<String> ids = index.get(key);
        if (ids != null) {
            ids.remove(id);
            if (ids.isEmpty()) {
                index.remove(key);
            }
        }
    }
}
