package dev.skep.sync.hub;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.feed.FeedPage;
import dev.skep.store.feed.FeedScope;
import dev.skep.sync.SyncConnection;
import dev.skep.sync.SyncLimits;
import dev.skep.sync.SyncSchema;
import dev.skep.sync.SyncStore;
import dev.skep.sync.hub.RecentChanges.Forwardable;
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
 * All links of one hub process: whose turn it is, and what is new for which host. Thread-safe; a
 * link's own work runs where its {@link TurnExecutor} puts it, never under this object's lock.
 */
public final class HubSync {
    private final SyncStore store;
    private final SyncSchema schema;
    private final SyncLimits limits;
    private final InstantSource clock;

    private final ReentrantLock lock = new ReentrantLock();
    private final PullScheduler<HubLink> pullScheduler;
    private final Map<HubLink, TurnExecutor> links = new LinkedHashMap<>();
    private final Map<OrgId, RecentChanges> changesByOrg = new ConcurrentHashMap<>();
    private final RefusalLog refusalLog;
    private final FailureLog failureLog = new FailureLog();
    private volatile Runnable asking = () -> {};

    public HubSync(SyncStore store, SyncSchema schema, SyncLimits limits, InstantSource clock) {
        this.store = store;
        this.schema = schema;
        this.limits = limits;
        this.clock = clock;
        this.pullScheduler = new PullScheduler<>(limits);
        this.refusalLog = new RefusalLog(clock);
    }

    /** Runs a link's turn after what the link is doing now, and before its next message. */
    @FunctionalInterface
    public interface TurnExecutor {
        void run(Runnable turn);
    }

    /** A socket was opened and its host authenticated. */
    public HubLink open(
            Principal.Host host, SyncConnection syncConnection, TurnExecutor turnExecutor) {
        changesByOrg.computeIfAbsent(
                host.org(),
                org -> new RecentChanges(org, limits, store.read(SyncStore.Reading::now)));
        HubLink link = new HubLink(this, host, syncConnection);
        locked(
                () -> {
                    links.put(link, turnExecutor);
                    pullScheduler.join(link, now());
                });
        asking.run();
        return link;
    }

    /**
     * Reads what was stored since the last time, by this process or another on the same database,
     * and schedules the links that it concerns. One caller at a time: after each commit that moved
     * the feed, and about once a second.
     */
    public void readFeed() {
        changesByOrg.forEach(
                (org, recentChanges) -> {
                    Set<String> owners = recentChanges.readNewChanges(store);
                    if (!owners.isEmpty()) {
                        locked(
                                () -> {
                                    for (HubLink link : links.keySet()) {
                                        if (link.host().org().equals(org)
                                                && concerns(link, owners)) {
                                            pullScheduler.queueNotification(link);
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
        Map<HubLink, TurnExecutor> silent = new LinkedHashMap<>();
        locked(
                () -> {
                    pullScheduler
                            .overdueLinks(now())
                            .forEach(link -> silent.put(link, turns(link)));
                    pullScheduler.idleLinks(now()).forEach(pullScheduler::queueNotification);
                });
        silent.forEach((link, turnExecutor) -> turnExecutor.run(link::onSilence));
        giveTurns();
    }

    /**
     * An operator granted something to these hosts, or others reported rows they hold of theirs.
     */
    public void remind(Collection<String> hosts) {
        locked(
                () -> {
                    for (HubLink link : links.keySet()) {
                        if (hosts.contains(link.host().id().value())) {
                            link.remind();
                            pullScheduler.queueNotification(link);
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
    public record MemoryUse(int links, int turns, long bytes) {}

    public MemoryUse memoryUse() {
        long bytes = changesByOrg.values().stream().mapToLong(RecentChanges::keptBytes).sum();
        lock.lock();
        try {
            return new MemoryUse(links.size(), pullScheduler.waiting(), bytes);
        } finally {
            lock.unlock();
        }
    }

    /**
     * An answer that is awaited.
     *
     * @param movedAt when part of it came last, or it was asked for
     */
    public record PendingResponse(Instant since, Instant movedAt) {}

    /** The hosts of this process whose answer is awaited, and since when. */
    public Map<HostId, PendingResponse> asked() {
        Map<HostId, PendingResponse> hosts = new HashMap<>();
        locked(() -> pullScheduler.asked().forEach((link, at) -> hosts.put(link.host().id(), at)));
        return hosts;
    }

    /** Runs the listener when {@link #asked} has changed. It must not block. */
    public void onAsked(Runnable listener) {
        asking = listener;
    }

    /** Whether to log this refusal of a host. */
    public boolean isWorthLogging(HostId host, String error) {
        return refusalLog.isWorthLogging(host, error);
    }

    /** A host reported what it holds of others. */
    void learn(Principal.Host reporter, Map<String, Map<Long, Long>> held) {
        Set<String> hosts =
                store.write(
                        tx -> {
                            Map<String, Map<Long, Long>> seen =
                                    ReportedPositions.believed(
                                            tx,
                                            reporter,
                                            held,
                                            () -> isWorthLogging(reporter.id(), "position"));
                            tx.mergeSeen(seen);
                            return seen.keySet();
                        });
        remind(hosts);
    }

    void recordActivity(HubLink link) {
        locked(() -> pullScheduler.recordActivity(link, now()));
    }

    /** Bytes of the link came. */
    void moved(HubLink link) {
        locked(() -> pullScheduler.moved(link, now()));
    }

    /** Rows of the link were stored, of which it is to know. */
    void stored(HubLink link) {
        locked(() -> pullScheduler.stored(link, now()));
    }

    /** So many bytes of rows were sent to a link whose answer is awaited. */
    void sent(HubLink link, long bytes) {
        locked(() -> pullScheduler.sent(link, bytes));
    }

    void ready(HubLink link) {
        locked(
                () -> {
                    pullScheduler.ready(link, now());
                    pullScheduler.queuePull(link);
                });
        asking.run();
        giveTurns();
    }

    void queuePull(HubLink link) {
        locked(() -> pullScheduler.queuePull(link));
        giveTurns();
    }

    void answered(HubLink link, boolean useful, boolean moreRows, boolean moreToTell) {
        locked(
                () -> {
                    pullScheduler.answered(link, now(), useful);
                    if (moreRows) {
                        pullScheduler.queuePull(link);
                    } else if (moreToTell) {
                        pullScheduler.queueNotification(link);
                    }
                });
        asking.run();
        giveTurns();
    }

    /** Whether a link that has more may be asked for it at once. */
    boolean mayContinue(HubLink link) {
        lock.lock();
        try {
            return pullScheduler.mayContinue(link, now());
        } finally {
            lock.unlock();
        }
    }

    void left(HubLink link) {
        locked(
                () -> {
                    links.remove(link);
                    pullScheduler.leave(link);
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

    boolean hasChangesAfter(long position, Principal.Host host, FeedPage.Limits page) {
        return tail(host.org())
                .after(position, host.id(), page)
                .map(next -> !next.rows().isEmpty())
                .orElse(true);
    }

    private RecentChanges tail(OrgId org) {
        RecentChanges recentChanges = changesByOrg.get(org);
        if (recentChanges == null) {
            throw new IllegalStateException("no link of the org was opened");
        }
        return recentChanges;
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
        Map<HubLink, TurnExecutor> due = new LinkedHashMap<>();
        locked(
                () -> {
                    Instant now = now();
                    for (HubLink next = pullScheduler.next(now);
                            next != null;
                            next = pullScheduler.next(now)) {
                        due.put(next, turns(next));
                    }
                });
        due.forEach((link, turnExecutor) -> turnExecutor.run(link::ask));
        if (!due.isEmpty()) {
            asking.run();
        }
    }

    private TurnExecutor turns(HubLink link) {
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

    FailureLog failureLog() {
        return failureLog;
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
