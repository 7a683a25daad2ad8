package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.queue.Cancellation;
import dev.skep.dispatch.queue.Creation;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.Renewal;
import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.Retry;
import dev.skep.dispatch.queue.Room;
import dev.skep.dispatch.queue.Turn;
import dev.skep.dispatch.queue.Undelivered;
import dev.skep.dispatch.queue.Wanted;
import dev.skep.dispatch.queue.ledger.HostTurn;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.Order;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.ledger.Renewals;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.dispatch.queue.ledger.TurnLanes;
import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import io.lettuce.core.RedisException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A queue in Redis whose runs are recorded in SQL before anybody is told of them. */
public final class RedisJobQueue implements JobQueue {
    /** While one group is being recorded, Redis looks for another. */
    private static final int LANES = 2;

    private final QueueParts parts;
    private final Ledger ledger;
    private final RedisLink link;
    private final RedisQueues queues;
    private final Reconciler reconciler;
    private final Handover handover;
    private final RedisSweep sweep;
    private final Leftovers leftovers;
    private final KnownLimits limits;
    private final RedisTurns taking;
    private final Renewals renewals;
    private final TurnLanes lanes;

    public RedisJobQueue(QueueParts parts, RedisLink link) {
        this.parts = parts;
        this.ledger = parts.ledger(Order.OUTSIDE);
        this.queues = new RedisQueues(link.connection());
        this.link = link;
        this.reconciler = new Reconciler(parts, ledger, queues);
        this.handover = new Handover(parts.database(), queues, reconciler);
        this.sweep = new RedisSweep(parts, ledger, handover);
        this.leftovers = new Leftovers(parts, ledger, queues, handover);
        this.renewals = new Renewals(parts, ledger);
        this.limits = new KnownLimits(parts.database());
        this.taking = new RedisTurns(parts, ledger, limits, queues, handover);
        this.lanes = new TurnLanes(LANES, taking::take);
    }

    @Override
    public void start() {
        inRedis(
                () -> {
                    reconciler.repairIfAsked();
                    link.listen("jobs:work", host -> handover.tell(List.of(new HostId(host))));
                    return true;
                });
        lanes.start();
        renewals.start();
    }

    @Override
    public void close() {
        lanes.close();
        renewals.close();
        limits.close();
    }

    @Override
    public void onWork(Consumer<HostId> listener) {
        handover.listen(listener);
    }

    @Override
    public List<Creation> create(Actor actor, List<NewJob> jobs) {
        Ledger.Stored stored = parts.database().write(tx -> ledger.create(tx, actor, now(), jobs));
        handover.put(stored.pending());
        return stored.creations();
    }

    @Override
    public Room room(Principal.Host host) {
        return inRedis(() -> taking.room(host));
    }

    @Override
    public Turn turn(Principal.Host host, @Nullable Report report, @Nullable Wanted wanted) {
        HostTurn turn = new HostTurn(host, report, wanted);
        return inRedis(
                () -> {
                    try {
                        return take(turn);
                    } catch (RedisQueues.Empty e) {
                        reconciler.ask();
                        reconciler.repairIfAsked();
                        return take(turn);
                    }
                });
    }

    private Turn take(HostTurn turn) {
        return lanes.call(turn, answer -> Undelivered.giveBack(this, turn.host(), answer.next()));
    }

    @Override
    public void giveBack(Principal.Host host, Holding undelivered) {
        sweep.giveBack(host, undelivered);
    }

    @Override
    public List<Renewal> renew(Principal.Host host, List<Holding> held) {
        return renewals.renew(host, held);
    }

    @Override
    public Cancellation cancel(Actor actor, JobId job) {
        List<Run> found = new ArrayList<>();
        Cancellation cancellation =
                parts.database()
                        .write(
                                transaction -> {
                                    found.clear();
                                    return ledger.lockNewest(transaction, actor.org(), job)
                                            .map(
                                                    run -> {
                                                        found.add(run);
                                                        return ledger.cancel(
                                                                transaction, actor, run, now());
                                                    })
                                            .orElse(Cancellation.UNKNOWN);
                                });
        if (cancellation == Cancellation.CANCELLED) {
            found.forEach(handover::withdraw);
        }
        return cancellation;
    }

    @Override
    public Retry retry(Actor actor, JobId job) {
        List<RunStore.Pending> next = new ArrayList<>();
        Retry retry =
                parts.database()
                        .write(
                                transaction -> {
                                    next.clear();
                                    return ledger.lockNewest(transaction, actor.org(), job)
                                            .map(
                                                    run -> {
                                                        if (!run.status().isOver()) {
                                                            return new Retry.StillActive();
                                                        }
                                                        next.add(
                                                                ledger.retry(
                                                                        transaction,
                                                                        actor,
                                                                        run,
                                                                        now()));
                                                        return (Retry)
                                                                new Retry.Retried(
                                                                        next.getFirst().run().id());
                                                    })
                                            .orElse(new Retry.Unknown());
                                });
        handover.put(next);
        return retry;
    }

    @Override
    public Swept sweep() {
        return inRedis(
                () -> {
                    reconciler.repairIfAsked();
                    leftovers.clear();
                    return sweep.sweep();
                });
    }

    private static <T> T inRedis(Supplier<T> step) {
        try {
            return step.get();
        } catch (RedisException e) {
            throw new SkepException(
                    ErrorCode.QUEUE_UNREACHABLE,
                    "Redis does not answer; check QUEUE_URL and that it runs",
                    e);
        }
    }

    private Instant now() {
        return parts.clock().instant();
    }
}
