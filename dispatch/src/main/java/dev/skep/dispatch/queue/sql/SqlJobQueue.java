package dev.skep.dispatch.queue.sql;

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
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.dispatch.queue.ledger.TurnRequest;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.SqlDialect;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A queue in the database itself. Claims and reports that wait together share a commit. */
public final class SqlJobQueue implements JobQueue {
    /** A server works for one group while it flushes another; a file has one writer. */
    private static final int LANES_OF_A_SERVER = 2;

    private final QueueDependencies queueDependencies;
    private final JobLedger ledger;
    private final WorkNotifier workNotifier;
    private final SlotStore slots;
    private final SqlRunSweeper sqlRunSweeper;
    private final SqlCapacityCheck sqlCapacityCheck;
    private final ShardedBatcher turns;
    private final LeaseRenewer leaseRenewer;

    public SqlJobQueue(QueueDependencies queueDependencies) {
        this.queueDependencies = queueDependencies;
        this.ledger = queueDependencies.ledger(QueueOrderOwner.HERE);
        QueueHeadCache queueHeadCache = new QueueHeadCache();
        this.workNotifier = new WorkNotifier(queueDependencies.database(), queueHeadCache);
        this.slots = new SlotStore();
        this.sqlRunSweeper = new SqlRunSweeper(queueDependencies, ledger, slots, workNotifier);
        this.sqlCapacityCheck = new SqlCapacityCheck(slots);
        boolean server = queueDependencies.database().dialect() == SqlDialect.POSTGRES;
        ReadyRuns ready = server ? new PostgresReadyRuns(queueHeadCache) : new SqliteReadyRuns();
        SqlTurnProcessor taking =
                new SqlTurnProcessor(queueDependencies, ledger, slots, ready, workNotifier);
        this.turns = new ShardedBatcher(server ? LANES_OF_A_SERVER : 1, taking::take);
        this.leaseRenewer = new LeaseRenewer(queueDependencies, ledger);
    }

    @Override
    public void start() {
        queueDependencies
                .database()
                .write(
                        transaction -> {
                            slots.recount(transaction);
                            return ledger.runs().takeOver(transaction);
                        });
        workNotifier.start();
        turns.start();
        leaseRenewer.start();
    }

    @Override
    public void close() {
        turns.close();
        leaseRenewer.close();
        workNotifier.close();
    }

    @Override
    public void onWork(Consumer<HostId> listener) {
        workNotifier.listen(listener);
    }

    @Override
    public List<CreatedJob> create(Actor actor, List<NewJob> jobs) {
        return queueDependencies
                .database()
                .write(
                        transaction -> {
                            JobLedger.Stored stored =
                                    ledger.create(transaction, actor, now(), jobs);
                            workNotifier.notifyPending(transaction, stored.pending());
                            return stored.creations();
                        });
    }

    @Override
    public HostCapacity room(Principal.Host host) {
        return queueDependencies
                .database()
                .read(snapshot -> sqlCapacityCheck.of(snapshot, host, now()));
    }

    @Override
    public TurnResult turn(
            Principal.Host host, @Nullable RunReport report, @Nullable ClaimScope claimScope) {
        return turns.call(
                new TurnRequest(host, report, claimScope),
                turn -> UndeliveredClaims.giveBack(this, host, turn.next()));
    }

    @Override
    public void giveBack(Principal.Host host, ActiveRun undelivered) {
        sqlRunSweeper.giveBack(host, undelivered);
    }

    @Override
    public List<LeaseRenewal> renew(Principal.Host host, List<ActiveRun> held) {
        return leaseRenewer.renew(host, held);
    }

    @Override
    public CancelResult cancel(Actor actor, JobId job) {
        return queueDependencies
                .database()
                .write(
                        transaction ->
                                ledger.lockNewest(transaction, actor.org(), job)
                                        .map(run -> ledger.cancel(transaction, actor, run, now()))
                                        .orElse(CancelResult.UNKNOWN));
    }

    @Override
    public RetryResult retry(Actor actor, JobId job) {
        return queueDependencies
                .database()
                .write(
                        transaction ->
                                ledger.lockNewest(transaction, actor.org(), job)
                                        .map(run -> retry(transaction, actor, run))
                                        .orElse(new RetryResult.Unknown()));
    }

    private RetryResult retry(Transaction transaction, Actor actor, Run run) {
        if (!run.status().isOver()) {
            return new RetryResult.StillActive();
        }
        RunStore.Pending next = ledger.retry(transaction, actor, run, now());
        workNotifier.notifyReady(transaction, List.of(next.run()));
        return new RetryResult.Retried(next.run().id());
    }

    @Override
    public Swept sweep() {
        return sqlRunSweeper.sweep();
    }

    private Instant now() {
        return queueDependencies.clock().instant();
    }
}
