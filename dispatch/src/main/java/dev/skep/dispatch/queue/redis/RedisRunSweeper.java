package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunTransition;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.JobQueue.Swept;
import dev.skep.dispatch.queue.ledger.DueRunScheduler;
import dev.skep.dispatch.queue.ledger.JobLedger;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.ledger.RunFinisher.RunEnd;
import dev.skep.dispatch.queue.ledger.RunStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Ends runs without a report: lost, overdue or undelivered; and wakes those that are due. */
final class RedisRunSweeper {
    private static final int SWEPT = 500;

    private final QueueDependencies queueDependencies;
    private final JobLedger ledger;
    private final RedisPublisher redisPublisher;
    private final DueRunScheduler due;

    RedisRunSweeper(
            QueueDependencies queueDependencies, JobLedger ledger, RedisPublisher redisPublisher) {
        this.queueDependencies = queueDependencies;
        this.ledger = ledger;
        this.redisPublisher = redisPublisher;
        this.due = new DueRunScheduler(queueDependencies, ledger);
    }

    Swept sweep() {
        List<Run> woken = queueDependencies.database().write(tx -> due.wake(tx, SWEPT));
        redisPublisher.putDue(woken.stream().map(Run::id).toList());
        return new Swept(
                woken.size(),
                end(
                        tx -> ledger.lookup().unrenewed(tx, steady(), SWEPT, true),
                        queueDependencies.rules()::lost),
                end(
                        tx -> ledger.lookup().overdue(tx, steady(), SWEPT, true),
                        queueDependencies.rules()::overdue));
    }

    /** Ends a run that did not reach its host. */
    void giveBack(Principal.Host host, ActiveRun undelivered) {
        end(
                tx -> ledger.lockHeld(tx, host, undelivered).stream().toList(),
                queueDependencies.rules()::undelivered);
    }

    /** Runs that were ended, and what follows them. */
    private record Ended(List<Run> runs, List<RunStore.Pending> next) {}

    private int end(
            Function<Transaction, List<Run>> search, Function<Run, RunTransition.Ends> verdict) {
        Ended ended =
                queueDependencies
                        .database()
                        .write(
                                tx -> {
                                    List<Run> runs = search.apply(tx);
                                    return new Ended(
                                            runs,
                                            ledger.runFinisher()
                                                    .end(tx, now(), ends(runs, verdict)));
                                });
        redisPublisher.release(RunSlot.of(ended.runs()));
        redisPublisher.put(ended.next());
        return ended.runs().size();
    }

    private static List<RunEnd> ends(List<Run> runs, Function<Run, RunTransition.Ends> verdict) {
        return runs.stream().map(run -> RunEnd.of(run, verdict.apply(run))).toList();
    }

    private Instant steady() {
        return queueDependencies.steady().instant();
    }

    private Instant now() {
        return queueDependencies.clock().instant();
    }
}
