package dev.skep.registry.service;

import dev.skep.directory.audit.AuditStore;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.registry.node.Change;
import dev.skep.registry.node.Lifetime;
import dev.skep.registry.node.Node;
import dev.skep.registry.node.NodeStats;
import dev.skep.registry.node.Peer;
import dev.skep.registry.node.Registration;
import dev.skep.registry.node.Roster;
import dev.skep.registry.node.Tally;
import dev.skep.registry.service.RosterLoop.Outcome;
import dev.skep.registry.table.NodeStore;
import dev.skep.registry.table.StatsStore;
import dev.skep.registry.table.VisitStore;
import dev.skep.registry.wire.Frames;
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
 * The registry of one org: who is here, who was, and who is told about it. Every method may be
 * called from any thread and waits until what it did is durable.
 */
public final class Registry implements Component {
    private static final AtomicLong PEERS = new AtomicLong();

    private final Lifetime lifetime;
    private final InstantSource clock;
    private final Roster roster;
    private final Tallies tallies;
    private final Journal journal;
    private final Announcer announcer = new Announcer();
    private final RosterLoop loop;
    private final History history;
    private final OtherNodes others;
    private final Rounds rounds;
    private final OrgId org;
    private final HostId host;

    /**
     * What a registry stands on; one per org.
     *
     * @param clock for people
     * @param age the retention clock: by it nodes are silent, and are forgotten
     */
    public record Foundation(
            Database database,
            OwnRowWriter rows,
            UlidSource ids,
            InstantSource clock,
            LongSupplier age,
            Predicate<HostId> isOnline) {}

    public Registry(Foundation foundation, Lifetime lifetime) {
        NodeStore nodes = new NodeStore(foundation.rows());
        VisitStore visits = new VisitStore(foundation.rows());
        StatsStore stats = new StatsStore(foundation.rows());
        this.org = foundation.rows().org();
        this.host = foundation.rows().self();
        this.lifetime = lifetime;
        this.clock = foundation.clock();
        this.roster = new Roster(foundation.rows().self(), lifetime, foundation.age());
        StoreWatch watch = new StoreWatch(System::nanoTime);
        this.tallies = new Tallies(foundation.database(), stats, watch);
        this.journal =
                new Journal(
                        foundation.database(),
                        nodes,
                        visits,
                        stats,
                        foundation.ids(),
                        tallies,
                        new AuditStore(foundation.ids(), foundation.clock()),
                        watch);
        this.loop = new RosterLoop(roster, journal, announcer, clock);
        this.history = new History(foundation.database(), visits, tallies, this);
        this.others =
                new OtherNodes(foundation.database(), nodes, loop, watch, foundation.isOnline());
        this.rounds = new Rounds(this);
    }

    public OrgId org() {
        return org;
    }

    /** The host whose nodes register here. */
    public HostId host() {
        return host;
    }

    /**
     * Begins to load what is stored: everybody is known, nobody is here yet. Whoever asks for
     * something meanwhile waits for it; {@link #awaitLoaded} tells whether it could be read.
     */
    @Override
    public void start() {
        announcer.start();
        loop.start(this::load);
        rounds.start();
    }

    private Outcome<Boolean> load(RosterLoop.View view) {
        try {
            List<Change> changes = new ArrayList<>(view.roster().load(journal.load()));
            others.load(view);
            if (lifetime.retain().isZero()) {
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
    public Peer connected(String address, boolean here) {
        return new Peer(PEERS.incrementAndGet(), address, here);
    }

    /** Sends {@code init} and from then on every change; false if the subscriber is gone. */
    public boolean subscribe(Subscriber subscriber) {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        loop.state(
                view -> {
                    List<Node> nodes = view.others().withOwn(view.roster());
                    return new Outcome<>(
                            true,
                            List.of(),
                            List.of(),
                            () -> announcer.join(subscriber, Frames.init(nodes), told));
                });
        return told.join();
    }

    public void unsubscribe(Subscriber subscriber) {
        announcer.leave(subscriber);
    }

    /** A node is there, whether that can be stored or not: {@link #isStoring} tells. */
    public void register(Registration registration, Peer peer) {
        loop.state(
                view ->
                        Outcome.changed(
                                true, view.roster().register(registration, peer, view.now())));
    }

    /** Whether what happens is stored now, or only kept in memory until it can be. */
    public boolean isStoring() {
        return loop.isStoring();
    }

    /** The nodes that are kept in memory only until they can be stored; does not wait. */
    public List<Unstored> unstored() {
        return journal.unstored();
    }

    /** Runs the listener, which must not wait, when those have changed. */
    public void onUnstored(Runnable listener) {
        journal.onUnstored(listener);
    }

    /** What came of asking to take a node off the roster. */
    public enum Deregistered {
        DONE,
        NOT_FOUND,
        NOT_ALLOWED
    }

    /** Takes off a node of the peer's own, or any node of this host if the peer may. */
    public Deregistered deregister(String id, Peer peer, boolean anyNode) {
        return loop.ask(
                view -> {
                    Roster own = view.roster();
                    if (!anyNode && !own.isOf(id, peer)) {
                        return Outcome.read(Deregistered.NOT_ALLOWED);
                    }
                    if (own.find(id).isEmpty()) {
                        boolean anothers = view.others().find(id).isPresent();
                        return Outcome.read(
                                anothers ? Deregistered.NOT_ALLOWED : Deregistered.NOT_FOUND);
                    }
                    return Outcome.changed(Deregistered.DONE, own.deregister(id, view.now()));
                });
    }

    /** What came of a person's wish that a node be forgotten. */
    public enum TakenAway {
        DONE,
        NOT_FOUND,
        /** It is here: it would register again at once. */
        STILL_ACTIVE
    }

    /** Forgets a node of this host with its history, and writes down who wanted it. */
    public TakenAway takeAway(String id, Actor by) {
        return loop.ask(
                view -> {
                    Optional<Node> node = view.roster().find(id);
                    if (node.isEmpty()) {
                        return Outcome.read(TakenAway.NOT_FOUND);
                    }
                    return node.get().isActive()
                            ? Outcome.read(TakenAway.STILL_ACTIVE)
                            : Outcome.changed(
                                    TakenAway.DONE, view.roster().takeAway(id, by, view.now()));
                });
    }

    public void disconnected(Peer peer) {
        loop.state(view -> Outcome.changed(true, view.roster().disconnect(peer, view.now())));
    }

    /** A sign of life of a connection; does not wait. */
    public void heard(Peer peer) {
        loop.tell(view -> Outcome.changed(true, view.roster().heard(peer, view.now())));
    }

    /** A sign of life by way of the proxy; does not wait. */
    public void heard(String nodeId) {
        loop.tell(view -> Outcome.changed(true, view.roster().heard(nodeId, view.now())));
    }

    public List<Node> nodes() {
        return loop.state(view -> Outcome.read(view.others().withOwn(view.roster())));
    }

    /** A node, and where it registered from if it did so here and is connected. */
    public record Found(OrgId org, Node node, Optional<Peer> peer) {}

    public Optional<Found> find(String id) {
        return loop.state(
                view -> {
                    Optional<Node> own = view.roster().find(id);
                    return Outcome.read(
                            own.or(() -> view.others().find(id))
                                    .map(node -> new Found(org, node, view.roster().peerOf(id))));
                });
    }

    /** Counts of a node that are written with the next flush. */
    public Tally tally(String nodeId) {
        return tallies.of(nodeId);
    }

    public History history() {
        return history;
    }

    /** The nodes that registered at other hosts. */
    public OtherNodes others() {
        return others;
    }

    /** Counts of one node up to now. */
    public Optional<NodeStats> stats(String nodeId) {
        return loop.state(
                view -> {
                    if (view.roster().find(nodeId).filter(Node::isActive).isPresent()) {
                        tallies.upUntil(nodeId, view.now());
                    }
                    return Outcome.read(tallies.find(nodeId));
                });
    }

    /** Counts of all nodes in the roster up to now. */
    public List<NodeStats> stats() {
        return loop.state(
                view -> {
                    tallies.readAll();
                    List<NodeStats> all = new ArrayList<>();
                    for (Node node : view.roster().nodes()) {
                        if (node.isActive()) {
                            tallies.upUntil(node.id(), view.now());
                        }
                        all.add(tallies.of(node.id()).stats(node.id()));
                    }
                    return Outcome.read(all);
                });
    }

    /** Takes over nodes of a document where they are newer; how many it did. */
    public int adopt(List<Node> nodes) {
        return loop.ask(
                view -> {
                    List<Change> changes = new ArrayList<>();
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
                        higher += tallies.of(each.nodeId()).raiseTo(each) ? 1 : 0;
                    }
                    journal.flush(view.roster().nodes(), view.now());
                    return Outcome.read(higher);
                });
    }

    /** Puts silent nodes offline and prunes those whose time is up. */
    public void sweep() {
        loop.state(view -> Outcome.changed(true, view.roster().sweep(view.now())));
        others.catchUp();
    }

    /** Writes what is counted and seen, and tells dashboards the counts. */
    public void flush() {
        loop.ask(
                view -> {
                    List<NodeStats> counts = journal.flush(view.roster().nodes(), view.now());
                    if (!counts.isEmpty()) {
                        announcer.announce(counts);
                    }
                    return Outcome.read(counts.size());
                });
    }

    @Override
    public void close() {
        rounds.close();
        try {
            if (!loop.isFailed()) {
                loop.state(view -> Outcome.changed(true, view.roster().disconnectAll(view.now())));
                flush();
            }
        } finally {
            loop.close();
            announcer.close();
        }
    }
}
