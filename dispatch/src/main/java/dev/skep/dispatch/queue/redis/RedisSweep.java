package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.Verdict;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.JobQueue.Swept;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.ledger.RunEndings.Ending;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Ends what nobody reports: lost, overdue or undelivered; and wakes what is due. */
final class RedisSweep {
    private static final int SWEPT = 500;

    private final QueueParts parts;
    private final Ledger ledger;
    private final RedisQueues queues;
    private final Handover handover;

    RedisSweep(QueueParts parts, Ledger ledger, RedisQueues queues, Handover handover) {
        this.parts = parts;
        this.ledger = ledger;
        this.queues = queues;
        this.handover = handover;
    }

    Swept sweep() {
        List<Run> due = parts.database().write(tx -> ledger.runs().wake(tx, now(), SWEPT));
        handover.enqueue(due.stream().map(Run::id).toList());
        return new Swept(due.size(), endExpired(), endOverdue());
    }

    private int endExpired() {
        List<RunId> expired = queues.expire(now(), SWEPT);
        if (expired.isEmpty()) {
            return 0;
        }
        Ended ended =
                parts.database()
                        .write(
                                tx -> {
                                    var seen =
                                            List.copyOf(ledger.lookup().lock(tx, expired).values());
                                    return end(tx, seen, parts.rules()::lost);
                                });
        handOver(ended);
        // Taken from the queue and never recorded: its hub died in between, and nobody was told.
        handover.enqueue(
                ended.seen().stream()
                        .filter(run -> run.status() == RunStatus.PENDING)
                        .map(Run::id)
                        .toList());
        return ended.count();
    }

    private int endOverdue() {
        Ended ended =
                parts.database()
                        .write(
                                tx -> {
                                    var seen = ledger.lookup().overdue(tx, now(), SWEPT, true);
                                    return end(tx, seen, parts.rules()::overdue);
                                });
        handOver(ended);
        return ended.count();
    }

    /** Ends a run that did not reach its host. */
    void giveBack(Principal.Host host, Holding undelivered) {
        handOver(
                parts.database()
                        .write(
                                tx -> {
                                    var seen =
                                            ledger.lockHeld(tx, host, undelivered).stream()
                                                    .toList();
                                    return end(tx, seen, parts.rules()::undelivered);
                                }));
    }

    /** Runs that were looked at, how many of them were ended, and what follows those. */
    private record Ended(List<Run> seen, int count, List<RunStore.Pending> next) {}

    private Ended end(
            Transaction transaction, List<Run> seen, Function<Run, Verdict.Ends> verdict) {
        List<Ending> endings =
                seen.stream()
                        .filter(run -> run.status() == RunStatus.RUNNING)
                        .map(run -> Ending.of(run, verdict.apply(run)))
                        .toList();
        return new Ended(seen, endings.size(), ledger.endings().end(transaction, now(), endings));
    }

    private void handOver(Ended ended) {
        handover.release(ended.seen().stream().map(FinishedRun::of).toList());
        handover.put(ended.next());
    }

    private Instant now() {
        return parts.clock().instant();
    }
}
