package dev.skep.sync.hub;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.sync.LinkPort;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.sync.hub.Tail.Forwardable;
import dev.skep.wire.MessageRows;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All links of one hub process: whose turn it is, and what is new for whom. Thread-safe; a link's
 * own work runs where its {@link Turns} puts it, never under this object's lock.
 */
public final class HubSync {
    private final SyncStore store;
    private final SyncSchema schema;
    private final SyncLimits limits;
    private final InstantSource clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final Rota<HubLink> rota;
    private final Map<HubLink, Turns> links = new LinkedHashMap<>();
    private final Map<OrgId, Tail> tails = new ConcurrentHashMap<>();
    private final Refusals refusals;
    private final Trouble trouble = new Trouble();
    private volatile Runnable asking = () -> {};

    public HubSync(SyncStore store, SyncSchema schema, SyncLimits limits, InstantSource clock) {
        this.store = store;
        this.schema = schema;
        this.limits = limits;
        this.clock = clock;
        this.rota = new Rota<>(limits);
        this.refusals = new Refusals(clock);
    }

    /** Runs a link's turn after what the link is doing now, and before its next message. */
    @FunctionalInterface
    public interface Turns {
        void run(Runnable turn);
    }

    /** A socket was opened and its host authenticated. */
    public HubLink open(Principal.Host host, LinkPort port, Turns turns) {
        tails.computeIfAbsent(
                host.org(), org -> new Tail(org, limits, store.read(SyncStore.Reading::now)));
        HubLink link = new HubLink(this, host, port);
        locked(
                () -> {
                    links.put(link, turns);
                    rota.join(link, now());
                });
        asking.run();
        return link;
    }

    /**
     * Reads what was stored since the last time, by this process or another on the same database,
     * and gives a turn to whom it concerns. One caller at a time: after each commit that moved the
     * feed, and about once a second.
     */
    public void readFeed() {
        tails.forEach(
                (org, tail) -> {
                    Set<String> owners = tail.readOn(store);
                    if (!owners.isEmpty()) {
                        locked(
                                () -> {
                                    for (HubLink link : links.keySet()) {
                                        if (link.host().org().equals(org)
                                                && concerns(link, owners)) {
                                            rota.wantTold(link);
                                        }
                                    }
                                });
                    }
                });
        giveTurns();
    }

    private static boolean concerns(HubLink link, Set<String> owners) {
        return owners.size() > 1 || !owners.contains(link.host().id().value());
    }

    /** Called several times a second: drops silent links, asks idle ones. */
    public void onTick() {
        Map<HubLink, Turns> silent = new LinkedHashMap<>();
        locked(
                () -> {
                    rota.silent(now()).forEach(link -> silent.put(link, turns(link)));
                    rota.idle(now()).forEach(rota::wantTold);
                });
        silent.forEach((link, turns) -> turns.run(link::onSilence));
        giveTurns();
    }

    /** An operator granted something to these hosts, or others told what they hold of theirs. */
    public void remind(Collection<String> hosts) {
        locked(
                () -> {
                    for (HubLink link : links.keySet()) {
                        if (hosts.contains(link.host().id().value())) {
                            link.remind();
                            rota.wantTold(link);
                        }
                    }
                });
        giveTurns();
    }

    /**
     * What this hub keeps in memory: never more than the limits say.
     *
     * @param turns links that wait for their turn, each once
     * @param bytes of rows, those ready to be sent included
     */
    public record Kept(int links, int turns, long bytes) {}

    public Kept kept() {
        long bytes = tails.values().stream().mapToLong(Tail::keptBytes).sum();
        lock.lock();
        try {
            return new Kept(links.size(), rota.waiting(), bytes);
        } finally {
            lock.unlock();
        }
    }

    /**
     * An answer that is awaited.
     *
     * @param movedAt when part of it came last, or it was asked for
     */
    public record Awaited(Instant since, Instant movedAt) {}

    /** The hosts of this process whose answer is awaited, and since when. */
    public Map<HostId, Awaited> asked() {
        Map<HostId, Awaited> hosts = new HashMap<>();
        locked(() -> rota.asked().forEach((link, at) -> hosts.put(link.host().id(), at)));
        return hosts;
    }

    /** Runs the listener when what {@link #asked} tells has changed. It must not block. */
    public void onAsked(Runnable listener) {
        asking = listener;
    }

    /** Whether a refusal of a host is worth a line in the log. */
    public boolean isNews(HostId host, String error) {
        return refusals.isNews(host, error);
    }

    /** A host told what it holds of others. */
    void learn(Principal.Host teller, Map<String, Map<Long, Long>> told) {
        Set<String> hosts =
                store.write(
                        tx -> {
                            Map<String, Map<Long, Long>> seen =
                                    Hearsay.believed(
                                            tx,
                                            teller,
                                            told,
                                            () -> isNews(teller.id(), "position"));
                            tx.mergeSeen(seen);
                            return seen.keySet();
                        });
        remind(hosts);
    }

    void heard(HubLink link) {
        locked(() -> rota.heard(link, now()));
    }

    /** Bytes of the link came. */
    void moved(HubLink link) {
        locked(() -> rota.moved(link, now()));
    }

    /** Rows of the link were stored, of which it is to know. */
    void stored(HubLink link) {
        locked(() -> rota.stored(link, now()));
    }

    /** So many bytes of rows went to a link whose answer is awaited. */
    void sent(HubLink link, long bytes) {
        locked(() -> rota.sent(link, bytes));
    }

    void ready(HubLink link) {
        locked(
                () -> {
                    rota.ready(link, now());
                    rota.wantRows(link);
                });
        asking.run();
        giveTurns();
    }

    void wantRows(HubLink link) {
        locked(() -> rota.wantRows(link));
        giveTurns();
    }

    void answered(HubLink link, boolean useful, boolean moreRows, boolean moreToTell) {
        locked(
                () -> {
                    rota.answered(link, now(), useful);
                    if (moreRows) {
                        rota.wantRows(link);
                    } else if (moreToTell) {
                        rota.wantTold(link);
                    }
                });
        asking.run();
        giveTurns();
    }

    /** Whether a link that has more may be asked for it at once. */
    boolean goesOn(HubLink link) {
        lock.lock();
        try {
            return rota.goesOn(link, now());
        } finally {
            lock.unlock();
        }
    }

    void left(HubLink link) {
        locked(
                () -> {
                    links.remove(link);
                    rota.leave(link);
                });
        asking.run();
        giveTurns();
    }

    /** What a live link has not got yet: from the tail if it reaches back that far. */
    Forwardable after(long position, Principal.Host host, FeedPage.Limits page) {
        return tail(host.org())
                .after(position, host.id(), page)
                .orElseGet(() -> stored(position, host, page));
    }

    boolean hasAfter(long position, Principal.Host host, FeedPage.Limits page) {
        return tail(host.org())
                .after(position, host.id(), page)
                .map(next -> !next.rows().isEmpty())
                .orElse(true);
    }

    private Tail tail(OrgId org) {
        Tail tail = tails.get(org);
        if (tail == null) {
            throw new IllegalStateException("no link of the org was opened");
        }
        return tail;
    }

    private Forwardable stored(long position, Principal.Host host, FeedPage.Limits most) {
        FeedPage page =
                store.read(
                        db ->
                                db.page(
                                        new FeedScope.ForwardedTo(host.org(), host.id()),
                                        position,
                                        most));
        return new Forwardable(MessageRows.of(page.tables()), page.upto(), page.head());
    }

    private void giveTurns() {
        Map<HubLink, Turns> due = new LinkedHashMap<>();
        locked(
                () -> {
                    Instant now = now();
                    for (HubLink next = rota.next(now); next != null; next = rota.next(now)) {
                        due.put(next, turns(next));
                    }
                });
        due.forEach((link, turns) -> turns.run(link::ask));
        if (!due.isEmpty()) {
            asking.run();
        }
    }

    private Turns turns(HubLink link) {
        return links.getOrDefault(link, turn -> {});
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    SyncStore store() {
        return store;
    }

    Trouble trouble() {
        return trouble;
    }

    SyncSchema schema() {
        return schema;
    }

    SyncLimits limits() {
        return limits;
    }

    Instant now() {
        return clock.instant();
    }
}
