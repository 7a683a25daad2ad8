package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.Verdict;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.JobQueue.Swept;
import dev.skep.dispatch.queue.ledger.DueRuns;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.ledger.RunEndings.Ending;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Ends what nobody reports: lost, overdue or undelivered; and wakes what is due. */
final class SqlSweep {
    private static final int SWEPT = 500;

    private final QueueParts parts;
    private final Ledger ledger;
    private final SlotStore slots;
    private final WorkNotices notices;
    private final DueRuns due;

    SqlSweep(QueueParts parts, Ledger ledger, SlotStore slots, WorkNotices notices) {
        this.parts = parts;
        this.ledger = ledger;
        this.slots = slots;
        this.notices = notices;
        this.due = new DueRuns(parts, ledger);
    }

    Swept sweep() {
        return new Swept(
                wake(),
                endEach(ledger.lookup()::unrenewed, parts.rules()::lost),
                endEach(ledger.lookup()::overdue, parts.rules()::overdue));
    }

    private int wake() {
        return parts.database()
                .write(
                        transaction -> {
                            List<Run> woken = due.wake(transaction, SWEPT);
                            notices.tell(transaction, woken);
                            return woken.size();
                        });
    }

    /** Looks for runs to end. */
    private interface Search {
        List<Run> find(Transaction transaction, Instant now, int limit, boolean lock);
    }

    private int endEach(Search search, Function<Run, Verdict.Ends> verdict) {
        Instant now = parts.steady().instant();
        return parts.database()
                .write(
                        transaction -> {
                            List<Run> seen = search.find(transaction, now, SWEPT, false);
                            if (seen.isEmpty()) {
                                return 0;
                            }
                            HostCounters counters =
                                    counters(transaction, seen.stream().map(Run::host).toList());
                            // Again under the locks: a beat or a report may have come meanwhile.
                            List<Ending> endings =
                                    search.find(transaction, now, SWEPT, true).stream()
                                            .filter(run -> counters.knows(run.host()))
                                            .map(run -> Ending.of(run, verdict.apply(run)))
                                            .toList();
                            end(transaction, counters, endings);
                            return endings.size();
                        });
    }

    /** Ends a run that did not reach its host. */
    void giveBack(Principal.Host host, Holding undelivered) {
        parts.database()
                .write(
                        transaction -> {
                            HostCounters counters = counters(transaction, List.of(host.id()));
                            List<Ending> endings =
                                    ledger
                                            .lockHeld(transaction, host, undelivered)
                                            .map(
                                                    run ->
                                                            Ending.of(
                                                                    run,
                                                                    parts.rules().undelivered(run)))
                                            .stream()
                                            .toList();
                            end(transaction, counters, endings);
                            return endings.size();
                        });
    }

    private HostCounters counters(Transaction transaction, Collection<HostId> hosts) {
        return new HostCounters(slots.lock(transaction, hosts), now().getEpochSecond() / 60);
    }

    /** Ends running runs and frees what they held. */
    private void end(Transaction transaction, HostCounters counters, List<Ending> endings) {
        if (endings.isEmpty()) {
            return;
        }
        notices.tellPending(transaction, ledger.endings().end(transaction, now(), endings));
        counters.freed(endings.stream().map(e -> FinishedRun.of(e.run())).toList());
        slots.write(transaction, counters.changed());
        notices.tellHere(transaction, counters.changed().keySet());
    }

    private Instant now() {
        return parts.clock().instant();
    }
}
