package dev.skep.dispatch.queue.sql;

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
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.dispatch.queue.ledger.TurnLanes;
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

    private final QueueParts parts;
    private final Ledger ledger;
    private final WorkNotices notices;
    private final SlotStore slots;
    private final SqlSweep sweep;
    private final SqlRoom room;
    private final TurnLanes turns;
    private final Renewals renewals;

    public SqlJobQueue(QueueParts parts) {
        this.parts = parts;
        this.ledger = parts.ledger(Order.HERE);
        ReadyHeads heads = new ReadyHeads();
        this.notices = new WorkNotices(parts.database(), heads);
        this.slots = new SlotStore();
        this.sweep = new SqlSweep(parts, ledger, slots, notices);
        this.room = new SqlRoom(slots);
        boolean server = parts.database().dialect() == SqlDialect.POSTGRES;
        ReadyRuns ready = server ? new ReadyRunsOnServer(heads) : new ReadyRunsInFile();
        SqlTurns taking = new SqlTurns(parts, ledger, slots, ready, notices);
        this.turns = new TurnLanes(server ? LANES_OF_A_SERVER : 1, taking::take);
        this.renewals = new Renewals(parts, ledger);
    }

    @Override
    public void start() {
        parts.database()
                .write(
                        transaction -> {
                            slots.recount(transaction);
                            return ledger.runs().takeOver(transaction);
                        });
        notices.start();
        turns.start();
        renewals.start();
    }

    @Override
    public void close() {
        turns.close();
        renewals.close();
        notices.close();
    }

    @Override
    public void onWork(Consumer<HostId> listener) {
        notices.listen(listener);
    }

    @Override
    public List<Creation> create(Actor actor, List<NewJob> jobs) {
        return parts.database()
                .write(
                        transaction -> {
                            Ledger.Stored stored = ledger.create(transaction, actor, now(), jobs);
                            notices.tellPending(transaction, stored.pending());
                            return stored.creations();
                        });
    }

    @Override
    public Room room(Principal.Host host) {
        return parts.database().read(snapshot -> room.of(snapshot, host, now()));
    }

    @Override
    public Turn turn(Principal.Host host, @Nullable Report report, @Nullable Wanted wanted) {
        return turns.call(
                new HostTurn(host, report, wanted),
                turn -> Undelivered.giveBack(this, host, turn.next()));
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
        return parts.database()
                .write(
                        transaction ->
                                ledger.lockNewest(transaction, actor.org(), job)
                                        .map(run -> ledger.cancel(transaction, actor, run, now()))
                                        .orElse(Cancellation.UNKNOWN));
    }

    @Override
    public Retry retry(Actor actor, JobId job) {
        return parts.database()
                .write(
                        transaction ->
                                ledger.lockNewest(transaction, actor.org(), job)
                                        .map(run -> retry(transaction, actor, run))
                                        .orElse(new Retry.Unknown()));
    }

    private Retry retry(Transaction transaction, Actor actor, Run run) {
        if (!run.status().isOver()) {
            return new Retry.StillActive();
        }
        RunStore.Pending next = ledger.retry(transaction, actor, run, now());
        notices.tell(transaction, List.of(next.run()));
        return new Retry.Retried(next.run().id());
    }

    @Override
    public Swept sweep() {
        return sweep.sweep();
    }

    private Instant now() {
        return parts.clock().instant();
    }
}
