package dev.skep.dispatch.hold;

import dev.skep.directory.operator.CallerName;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.queue.WorkSignals;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.Snapshot;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import dev.skep.wire.call.HoldAnswer;
import dev.skep.wire.call.HubCall;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Stops all agents of an org and lets them go again. What is wanted is stored before a host hears
 * of it. Works the same with several processes of one hub. Thread-safe.
 */
public final class OrgHolds implements Component {
    private static final String CHANNEL = "skep_hold";

    /** A wake-up that was lost costs no more than this. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    /** Hosts answer over other processes of this hub, too. */
    private static final Duration LOOK_FOR_ANSWERS = Duration.ofMillis(100);

    private static final String TARGET = "agents";

    /** Who asks is not a host; none has this id. */
    private static final HostId ASKERS = new HostId("asker");

    private final Database database;
    private final HoldStore store = new HoldStore();
    private final AgentCounts agents;
    private final Predicate<HostId> there;
    private final AuditRecorder audit;
    private final UlidSource ids;
    private final InstantSource clock;
    private final WorkSignals signals = new WorkSignals();
    private Database.@Nullable Listening others;
    private volatile boolean closed;

    /**
     * Hears of other processes once started.
     *
     * @param there whether a host has a link now
     */
    public OrgHolds(
            Database database,
            AgentCounts agents,
            Predicate<HostId> there,
            AuditRecorder audit,
            UlidSource ids,
            InstantSource clock) {
        this.database = database;
        this.agents = agents;
        this.there = there;
        this.audit = audit;
        this.ids = ids;
        this.clock = clock;
    }

    @Override
    public void start() {
        others = database.listen(CHANNEL, _ -> signals.signalAll(), signals::signalAll);
    }

    /** Ends all waiting; later calls are answered at once. */
    public void endWaiting() {
        closed = true;
        signals.signalAll();
    }

    @Override
    public void close() {
        endWaiting();
        if (others != null) {
            others.close();
        }
    }

    /** How it stands. */
    public HoldView view(Principal who) {
        Map<String, Integer> counts = agents.byHost(who);
        return database.read(snapshot -> HoldView.read(snapshot, who, counts, there));
    }

    /** All agents stand still from now on; where they do already, that stays as it is. */
    public void stopAll(Actor actor, String reason) {
        Map<String, Integer> counts = agents.byHost(actor.principal());
        database.write(
                transaction -> {
                    OrgHold hold =
                            new OrgHold(
                                    ids.next(),
                                    CallerName.of(transaction, actor.principal()),
                                    reason,
                                    clock.instant());
                    boolean begun = store.begin(transaction, actor.principal(), hold);
                    if (begun) {
                        audit.record(
                                transaction,
                                actor,
                                "agents_stopped",
                                TARGET,
                                Map.of(
                                        "agents",
                                        Integer.toString(
                                                counts.values().stream()
                                                        .mapToInt(Integer::intValue)
                                                        .sum()),
                                        "hosts",
                                        Integer.toString(counts.size()),
                                        "reason",
                                        reason));
                        wake(transaction);
                    }
                    return begun;
                });
    }

    /** All agents go back to what each was; false if nothing held them. */
    public boolean letGo(Actor actor) {
        return database.write(
                transaction -> {
                    String by = CallerName.of(transaction, actor.principal());
                    int lifted = store.lift(transaction, actor.principal(), by, clock.instant());
                    if (lifted > 0) {
                        audit.record(
                                transaction,
                                actor,
                                "agents_let_go",
                                TARGET,
                                Map.of("holds", Integer.toString(lifted)));
                        wake(transaction);
                    }
                    return lifted > 0;
                });
    }

    private void wake(Transaction transaction) {
        if (transaction.dialect() == SqlDialect.POSTGRES) {
            transaction.first("SELECT pg_notify(?, ?)", _ -> true, CHANNEL, "changed");
        }
        transaction.afterCommit(signals::signalAll);
    }

    /** How it stands when all hosts that are there have answered, or the time is over. */
    public HoldView settled(Principal who, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        try (WorkSignals.Waiter waiter = signals.startWaiting(ASKERS, "")) {
            HoldView view = view(who);
            while (view.isUnderWay() && !closed && System.nanoTime() < end) {
                waiter.await(LOOK_FOR_ANSWERS);
                view = view(who);
            }
            return view;
        }
    }

    /** Stores what a host says, and waits until something else is wanted of it. */
    public HoldAnswer answer(Principal.Host host, HubCall.Hold said) throws InterruptedException {
        long end = System.nanoTime() + said.longestWait().toNanos();
        store(host, said);
        try (WorkSignals.Waiter waiter = signals.startWaiting(host.id(), said.worker())) {
            while (!waiter.isSuperseded()) {
                HoldAnswer answer = database.read(snapshot -> wanted(snapshot, host, said));
                Duration left = Duration.ofNanos(end - System.nanoTime());
                if (!answer.equals(HoldAnswer.NOTHING) || closed || !left.isPositive()) {
                    return answer;
                }
                waiter.await(LOOK_AGAIN.compareTo(left) < 0 ? LOOK_AGAIN : left);
            }
            return HoldAnswer.NOTHING;
        }
    }

    private void store(Principal.Host host, HubCall.Hold said) {
        if (database.read(snapshot -> store.isNews(snapshot, host, said))) {
            database.write(
                    transaction -> {
                        store.report(transaction, host, said, clock.instant());
                        transaction.afterCommit(() -> signals.signal(ASKERS));
                        return host;
                    });
        }
    }

    private HoldAnswer wanted(Snapshot snapshot, Principal.Host host, HubCall.Hold said) {
        Optional<OrgHold> inForce = store.inForce(snapshot, host);
        if (inForce.isPresent()) {
            OrgHold hold = inForce.get();
            return said.hold().filter(hold.id()::equals).isPresent()
                    ? HoldAnswer.NOTHING
                    : HoldAnswer.hold(new HoldAnswer.Wanted(hold.id(), hold.by(), hold.reason()));
        }
        // One that this hub does not know stays: it was restored, or another's place taken.
        return said.hold()
                .filter(id -> store.isLifted(snapshot, host, id))
                .map(HoldAnswer::release)
                .orElse(HoldAnswer.NOTHING);
    }
}
