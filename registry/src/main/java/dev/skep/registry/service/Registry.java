package dev.skep.registry.service;

import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeChange;
import dev.skep.registry.node.NodeCounters;
import dev.skep.registry.node.NodeRegistration;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.registry.node.RegistryConnection;
import dev.skep.registry.node.Roster;
import dev.skep.registry.service.RosterLoop.Outcome;
import dev.skep.registry.table.NodeHistoryStore;
import dev.skep.registry.table.NodeStore;
import dev.skep.registry.table.StatsStore;
import dev.skep.registry.wire.RegistryFrames;
import dev.skep.store.Database;
import dev.skep.store.feed.OwnRowWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The registry of one org: the active and offline nodes, and the subscribers to changes. Every
 * method may be called from any thread and returns when its change is durable.
 */
public final class Registry implements Component {
    private static final AtomicLong PEERS = new AtomicLong();

    private final NodeTimeouts nodeTimeouts;
    private final InstantSource clock;
    private final Roster roster;
    private final NodeCountersCache nodeCountersCache;
    private final RosterWriter rosterWriter;
    private final ChangeBroadcaster changeBroadcaster = new ChangeBroadcaster();
    private final RosterLoop loop;
    private final NodeHistory history;
    private final RemoteNodesUpdater others;
    private final Maintenance maintenance;
    private final OrgId org;
    private final HostId host;

    /**
     * What a registry needs; one per org.
     *
     * @param clock for people
     * @param age the retention clock, by which nodes become silent and are removed
     */
    public record RegistryDependencies(
            Database database,
            OwnRowWriter rows,
            UlidSource ids,
            InstantSource clock,
            LongSupplier age,
            Predicate<HostId> isOnline) {}

    public Registry(RegistryDependencies registryDependencies, NodeTimeouts nodeTimeouts) {
        NodeStore nodes = new NodeStore(registryDependencies.rows());
        NodeHistoryStore visits = new NodeHistoryStore(registryDependencies.rows());
        StatsStore stats = new StatsStore(registryDependencies.rows());
        this.org = registryDependencies.rows().org();
        this.host = registryDependencies.rows().self();
        this.nodeTimeouts = nodeTimeouts;
        this.clock = registryDependencies.clock();
        this.roster =
                new Roster(
                        registryDependencies.rows().self(),
                        nodeTimeouts,
                        registryDependencies.age());
        StorageMonitor storageMonitor = new StorageMonitor(System::nanoTime);
        this.nodeCountersCache =
                new NodeCountersCache(registryDependencies.database(), stats, storageMonitor);
        this.rosterWriter =
                new RosterWriter(
                        registryDependencies.database(),
                        nodes,
                        visits,
                        stats,
                        registryDependencies.ids(),
                        nodeCountersCache,
                        new AuditStore(registryDependencies.ids(), registryDependencies.clock()),
                        storageMonitor);
        this.loop = new RosterLoop(roster, rosterWriter, changeBroadcaster, clock, this::load);
        this.history =
                new NodeHistory(registryDependencies.database(), visits, nodeCountersCache, this);
        this.others =
                new RemoteNodesUpdater(
                        registryDependencies.database(),
                        nodes,
                        loop,
                        storageMonitor,
                        registryDependencies.isOnline());
        this.maintenance = new Maintenance(this);
    }

    public OrgId org() {
        return org;
    }

    /** The host whose nodes register here. */
    public HostId host() {
        return host;
    }

    /**
     * Begins to load the stored nodes, all of them offline. Callers wait for it meanwhile; {@link
     * #awaitLoaded} returns whether it succeeded.
     */
    @Override
    public void start() {
        changeBroadcaster.start();
        loop.start();
        maintenance.start();
    }

    private Outcome<Boolean> load(RosterLoop.View view) {
        try {
            List<NodeChange> changes = new ArrayList<>(view.roster().load(rosterWriter.load()));
            others.load(view);
            if (nodeTimeouts.retain().isZero()) {
                // Whose time was up while nothing ran is not shown first.
                changes.addAll(view.roster().sweep(view.now()));
            }
            return Outcome.changed(true, changes);
        } catch (SkepException unreadable) {
            throw unreadable;
        } catch (RuntimeException damaged) {
            throw new SkepException(
                    ErrorCode.DATABASE_DAMAGED,
                    "a stored node cannot be read (%s); restore a backup of the database"
                            .formatted(damaged.getMessage()),
                    damaged);
        }
    }

    /** Waits until all that is stored is known; throws if it cannot be read. */
    public void awaitLoaded() {
        loop.awaitBegun();
    }

    /** A connection before it has asked for anything. */
    public RegistryConnection connected(String address, boolean here) {
        return new RegistryConnection(PEERS.incrementAndGet(), address, here);
    }

    /** Sends {@code init} and from then on every change; false if the subscriber is gone. */
    public boolean subscribe(Subscriber subscriber) {
        CompletableFuture<Boolean> joined = new CompletableFuture<>();
        loop.state(
                view -> {
                    List<Node> nodes = view.others().withOwn(view.roster());
                    return new Outcome<>(
                            true,
                            List.of(),
                            List.of(),
                            () ->
                                    changeBroadcaster.join(
                                            subscriber, RegistryFrames.init(nodes), joined));
                });
        return joined.join();
    }

    public void unsubscribe(Subscriber subscriber) {
        changeBroadcaster.leave(subscriber);
    }

    /** Registers a node, even if it cannot be stored now; see {@link #isStoring}. */
    public void register(NodeRegistration registration, RegistryConnection registryConnection) {
        loop.state(
                view ->
                        Outcome.changed(
                                true,
                                view.roster()
                                        .register(registration, registryConnection, view.now())));
    }

    /** Whether what happens is stored now, or only kept in memory until it can be. */
    public boolean isStoring() {
        return loop.isStoring();
    }

    /** The nodes that are kept in memory only until they can be stored; does not wait. */
    public List<UnstoredNode> unstored() {
        return rosterWriter.unstored();
    }

    /** Runs the listener, which must not wait, when those have changed. */
    public void onUnstored(Runnable listener) {
        rosterWriter.onUnstored(listener);
    }

    /** What came of asking to take a node off the roster. */
    public enum DeregistrationResult {
        DONE,
        NOT_FOUND,
        NOT_ALLOWED
    }

    /** Takes off a node of the peer's own, or any node of this host if the peer may. */
    public DeregistrationResult deregister(
            String id, RegistryConnection registryConnection, boolean anyNode) {
        return loop.ask(
                view -> {
                    Roster own = view.roster();
                    if (!anyNode && !own.isOf(id, registryConnection)) {
                        return Outcome.read(DeregistrationResult.NOT_ALLOWED);
                    }
                    if (own.find(id).isEmpty()) {
                        boolean anothers = view.others().find(id).isPresent();
                        return Outcome.read(
                                anothers
                                        ? DeregistrationResult.NOT_ALLOWED
                                        : DeregistrationResult.NOT_FOUND);
                    }
                    return Outcome.changed(
                            DeregistrationResult.DONE, own.deregister(id, view.now()));
                });
    }

    /** The result of an operator's request to remove a node. */
    public enum RemovalResult {
        DONE,
        NOT_FOUND,
        /** It is here: it would register again at once. */
        STILL_ACTIVE
    }

    /** Removes a node of this host with its history, and records who asked for it. */
    public RemovalResult takeAway(String id, Actor by) {
        return loop.ask(
                view -> {
                    Optional<Node> node = view.roster().find(id);
                    if (node.isEmpty()) {
                        return Outcome.read(RemovalResult.NOT_FOUND);
                    }
                    return node.get().isActive()
                            ? Outcome.read(RemovalResult.STILL_ACTIVE)
                            : Outcome.changed(
                                    RemovalResult.DONE, view.roster().takeAway(id, by, view.now()));
                });
    }

    public void disconnected(RegistryConnection registryConnection) {
        loop.state(
                view ->
                        Outcome.changed(
                                true, view.roster().disconnect(registryConnection, view.now())));
    }

    /** A sign of life of a connection; does not wait. */
    public void recordActivity(RegistryConnection registryConnection) {
        loop.submit(
                view ->
                        Outcome.changed(
                                true,
                                view.roster().recordActivity(registryConnection, view.now())));
    }

    /** A sign of life by way of the proxy; does not wait. */
    public void recordActivity(String nodeId) {
        loop.submit(
                view -> Outcome.changed(true, view.roster().recordActivity(nodeId, view.now())));
    }

    public List<Node> nodes() {
        return loop.state(view -> Outcome.read(view.others().withOwn(view.roster())));
    }

    /** A node, and where it registered from if it did so here and is connected. */
    public record RegisteredNode(OrgId org, Node node, Optional<RegistryConnection> peer) {}

    public Optional<RegisteredNode> find(String id) {
        return loop.state(
                view -> {
                    Optional<Node> own = view.roster().find(id);
                    return Outcome.read(
                            own.or(() -> view.others().find(id))
                                    .map(
                                            node ->
                                                    new RegisteredNode(
                                                            org, node, view.roster().peerOf(id))));
                });
    }

    /** Counts of a node that are written with the next flush. */
    public NodeCounters tally(String nodeId) {
        return nodeCountersCache.of(nodeId);
    }

    public NodeHistory history() {
        return history;
    }

    /** The nodes that registered at other hosts. */
    public RemoteNodesUpdater others() {
        return others;
    }

    /** Counts of one node up to now. */
    public Optional<NodeStats> stats(String nodeId) {
        return loop.state(
                view -> {
                    if (view.roster().find(nodeId).filter(Node::isActive).isPresent()) {
                        nodeCountersCache.countActiveUntil(nodeId, view.now());
                    }
                    return Outcome.read(nodeCountersCache.find(nodeId));
                });
    }

    /** Counts of all nodes in the roster up to now. */
    public List<NodeStats> stats() {
        return loop.state(
                view -> {
                    nodeCountersCache.readAll();
                    List<NodeStats> all = new ArrayList<>();
                    for (Node node : view.roster().nodes()) {
                        if (node.isActive()) {
                            nodeCountersCache.countActiveUntil(node.id(), view.now());
                        }
                        all.add(nodeCountersCache.of(node.id()).stats(node.id()));
                    }
                    return Outcome.read(all);
                });
    }

    /** Takes over nodes of a document where they are newer; how many it did. */
    public int adopt(List<Node> nodes) {
        return loop.ask(
                view -> {
                    List<NodeChange> changes = new ArrayList<>();
                    nodes.forEach(node -> changes.addAll(view.roster().adopt(node, view.now())));
                    return Outcome.changed(changes.size(), changes);
                });
    }

    /** Takes over counts of a document where they are higher; how many it did. */
    public int count(List<NodeStats> counts) {
        return loop.ask(
                view -> {
                    int higher = 0;
                    for (NodeStats each : counts) {
                        higher += nodeCountersCache.of(each.nodeId()).mergeMaximum(each) ? 1 : 0;
                    }
                    rosterWriter.flush(view.roster().nodes(), view.now());
                    return Outcome.read(higher);
                });
    }

    /** Puts silent nodes offline and prunes those whose time is up. */
    public void sweep() {
        loop.state(view -> Outcome.changed(true, view.roster().sweep(view.now())));
        others.catchUp();
    }

    /** Writes pending counts and times, and sends the counts to dashboards. */
    public void flush() {
        loop.ask(
                view -> {
                    List<NodeStats> counts = rosterWriter.flush(view.roster().nodes(), view.now());
                    if (!counts.isEmpty()) {
                        changeBroadcaster.announce(counts);
                    }
                    return Outcome.read(counts.size());
                });
    }

    @Override
    public void close() {
        maintenance.close();
        try {
            if (!loop.isFailed()) {
                loop.state(view -> Outcome.changed(true, view.roster().disconnectAll(view.now())));
                flush();
            }
        } finally {
            loop.close();
            changeBroadcaster.close();
        }
    }
}
