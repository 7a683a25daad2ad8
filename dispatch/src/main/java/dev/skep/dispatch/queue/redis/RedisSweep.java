package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.Verdict;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.JobQueue.Swept;
import dev.skep.dispatch.queue.ledger.DueRuns;
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
    private final Handover handover;
    private final DueRuns due;

    RedisSweep(QueueParts parts, Ledger ledger, Handover handover) {
        this.parts = parts;
        this.ledger = ledger;
        this.handover = handover;
        this.due = new DueRuns(parts, ledger);
    }

    Swept sweep() {
        List<Run> woken = parts.database().write(tx -> due.wake(tx, SWEPT));
        handover.putDue(woken.stream().map(Run::id).toList());
        return new Swept(
                woken.size(),
                end(
                        tx -> ledger.lookup().unrenewed(tx, steady(), SWEPT, true),
                        parts.rules()::lost),
                end(
                        tx -> ledger.lookup().overdue(tx, steady(), SWEPT, true),
                        parts.rules()::overdue));
    }

    /** Ends a run that did not reach its host. */
    void giveBack(Principal.Host host, Holding undelivered) {
        end(
                tx -> ledger.lockHeld(tx, host, undelivered).stream().toList(),
                parts.rules()::undelivered);
    }

    /** Runs that were ended, and what follows them. */
    private record Ended(List<Run> runs, List<RunStore.Pending> next) {}

    private int end(Function<Transaction, List<Run>> search, Function<Run, Verdict.Ends> verdict) {
        Ended ended =
                parts.database()
                        .write(
                                tx -> {
                                    List<Run> runs = search.apply(tx);
                                    return new Ended(
                                            runs,
                                            ledger.endings().end(tx, now(), ends(runs, verdict)));
                                });
        handover.release(Slot.of(ended.runs()));
        handover.put(ended.next());
        return ended.runs().size();
    }

    private static List<Ending> ends(List<Run> runs, Function<Run, Verdict.Ends> verdict) {
        return runs.stream().map(run -> Ending.of(run, verdict.apply(run))).toList();
    }

    private Instant steady() {
        return parts.steady().instant();
    }

    private Instant now() {
        return parts.clock().instant();
    }
}
