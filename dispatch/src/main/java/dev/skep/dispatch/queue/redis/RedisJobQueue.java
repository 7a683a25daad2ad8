package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.CancelResult;
import dev.skep.dispatch.queue.ClaimScope;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.HostCapacity;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.LeaseRenewal;
import dev.skep.dispatch.queue.RetryResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.dispatch.queue.TurnResult;
import dev.skep.dispatch.queue.UndeliveredClaims;
import dev.skep.dispatch.queue.ledger.JobLedger;
import dev.skep.dispatch.queue.ledger.LeaseRenewer;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.ledger.QueueOrderOwner;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.dispatch.queue.ledger.ShardedBatcher;
import dev.skep.dispatch.queue.ledger.TurnRequest;
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

/** A queue in Redis whose runs are recorded in SQL before any host receives them. */
public final class RedisJobQueue implements JobQueue {
    /** While one group is being recorded, Redis looks for another. */
    private static final int LANES = 2;

    private final QueueDependencies queueDependencies;
    private final JobLedger ledger;
    private final RedisConnection redisConnection;
    private final RedisQueues queues;
    private final RedisReconciler reconciler;
    private final RedisPublisher redisPublisher;
    private final RedisRunSweeper redisRunSweeper;
    private final OrphanedRunCleaner orphanedRunCleaner;
    private final HostLimitsCache limits;
    private final RedisTurnProcessor taking;
    private final LeaseRenewer leaseRenewer;
    private final ShardedBatcher shardedBatcher;

    public RedisJobQueue(QueueDependencies queueDependencies, RedisConnection redisConnection) {
        this.queueDependencies = queueDependencies;
        this.ledger = queueDependencies.ledger(QueueOrderOwner.OUTSIDE);
        this.queues = new RedisQueues(redisConnection.connection());
        this.redisConnection = redisConnection;
        this.reconciler = new RedisReconciler(queueDependencies, ledger, queues);
        this.redisPublisher = new RedisPublisher(queueDependencies.database(), queues, reconciler);
        this.redisRunSweeper = new RedisRunSweeper(queueDependencies, ledger, redisPublisher);
        this.orphanedRunCleaner =
                new OrphanedRunCleaner(queueDependencies, ledger, queues, redisPublisher);
        this.leaseRenewer = new LeaseRenewer(queueDependencies, ledger);
        this.limits = new HostLimitsCache(queueDependencies.database());
        this.taking =
                new RedisTurnProcessor(queueDependencies, ledger, limits, queues, redisPublisher);
        this.shardedBatcher = new ShardedBatcher(LANES, taking::take);
    }

    @Override
    public void start() {
        inRedis(
                () -> {
                    reconciler.repairIfAsked();
                    redisConnection.listen(
                            "jobs:work", host -> redisPublisher.wake(List.of(new HostId(host))));
                    return true;
                });
        shardedBatcher.start();
        leaseRenewer.start();
    }

    @Override
    public void close() {
        shardedBatcher.close();
        leaseRenewer.close();
        limits.close();
    }

    @Override
    public void onWork(Consumer<HostId> listener) {
        redisPublisher.listen(listener);
    }

    @Override
    public List<CreatedJob> create(Actor actor, List<NewJob> jobs) {
        JobLedger.Stored stored =
                queueDependencies.database().write(tx -> ledger.create(tx, actor, now(), jobs));
        redisPublisher.put(stored.pending());
        return stored.creations();
    }

    @Override
    public HostCapacity room(Principal.Host host) {
        return inRedis(() -> taking.room(host));
    }

    @Override
    public TurnResult turn(
            Principal.Host host, @Nullable RunReport report, @Nullable ClaimScope claimScope) {
        TurnRequest turn = new TurnRequest(host, report, claimScope);
        return inRedis(
                () -> {
                    try {
                        return take(turn);
                    } catch (RedisQueues.EmptyRedisException e) {
                        reconciler.ask();
                        reconciler.repairIfAsked();
                        return take(turn);
                    }
                });
    }

    private TurnResult take(TurnRequest turn) {
        return shardedBatcher.call(
                turn, answer -> UndeliveredClaims.giveBack(this, turn.host(), answer.next()));
    }

    @Override
    public void giveBack(Principal.Host host, ActiveRun undelivered) {
        redisRunSweeper.giveBack(host, undelivered);
    }

    @Override
    public List<LeaseRenewal> renew(Principal.Host host, List<ActiveRun> held) {
        return leaseRenewer.renew(host, held);
    }

    @Override
    public CancelResult cancel(Actor actor, JobId job) {
        List<Run> found = new ArrayList<>();
        CancelResult cancelResult =
                queueDependencies
                        .database()
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
                                            .orElse(CancelResult.UNKNOWN);
                                });
        if (cancelResult == CancelResult.CANCELLED) {
            found.forEach(redisPublisher::withdraw);
        }
        return cancelResult;
    }

    @Override
    public RetryResult retry(Actor actor, JobId job) {
        List<RunStore.Pending> next = new ArrayList<>();
        RetryResult retry =
                queueDependencies
                        .database()
                        .write(
                                transaction -> {
                                    next.clear();
                                    return ledger.lockNewest(transaction, actor.org(), job)
                                            .map(
                                                    run -> {
                                                        if (!run.status().isOver()) {
                                                            return new RetryResult.StillActive();
                                                        }
                                                        next.add(
                                                                ledger.retry(
                                                                        transaction,
                                                                        actor,
                                                                        run,
                                                                        now()));
                                                        return (RetryResult)
                                                                new RetryResult.Retried(
                                                                        next.getFirst().run().id());
                                                    })
                                            .orElse(new RetryResult.Unknown());
                                });
        redisPublisher.put(next);
        return retry;
    }

    @Override
    public Swept sweep() {
        return inRedis(
                () -> {
                    reconciler.repairIfAsked();
                    orphanedRunCleaner.clear();
                    return redisRunSweeper.sweep();
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
        return queueDependencies.clock().instant();
    }
}
