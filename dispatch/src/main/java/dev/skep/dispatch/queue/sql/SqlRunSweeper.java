package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunTransition;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.JobQueue.Swept;
import dev.skep.dispatch.queue.ledger.DueRunScheduler;
import dev.skep.dispatch.queue.ledger.JobLedger;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.ledger.RunFinisher.RunEnd;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** Ends runs without a report: lost, overdue or undelivered; and wakes those that are due. */
final class SqlRunSweeper {
    private static final int SWEPT = 500;

    private final QueueDependencies queueDependencies;
    private final JobLedger ledger;
    private final SlotStore slots;
    private final WorkNotifier workNotifier;
    private final DueRunScheduler due;

    SqlRunSweeper(
            QueueDependencies queueDependencies,
            JobLedger ledger,
            SlotStore slots,
            WorkNotifier workNotifier) {
        this.queueDependencies = queueDependencies;
        this.ledger = ledger;
        this.slots = slots;
        this.workNotifier = workNotifier;
        this.due = new DueRunScheduler(queueDependencies, ledger);
    }

    Swept sweep() {
        return new Swept(
                wake(),
                endEach(ledger.lookup()::unrenewed, queueDependencies.rules()::lost),
                endEach(ledger.lookup()::overdue, queueDependencies.rules()::overdue));
    }

    private int wake() {
        return queueDependencies
                .database()
                .write(
                        transaction -> {
                            List<Run> woken = due.wake(transaction, SWEPT);
                            workNotifier.notifyReady(transaction, woken);
                            return woken.size();
                        });
    }

    /** Looks for runs to end. */
    private interface Search {
        List<Run> find(Transaction transaction, Instant now, int limit, boolean lock);
    }

    private int endEach(Search search, Function<Run, RunTransition.Ends> verdict) {
        Instant now = queueDependencies.steady().instant();
        return queueDependencies
                .database()
                .write(
                        transaction -> {
                            List<Run> seen = search.find(transaction, now, SWEPT, false);
                            if (seen.isEmpty()) {
                                return 0;
                            }
                            HostCounters counters =
                                    counters(transaction, seen.stream().map(Run::host).toList());
                            // Again under the locks: a beat or a report may have come meanwhile.
                            List<RunEnd> runEnds =
                                    search.find(transaction, now, SWEPT, true).stream()
                                            .filter(run -> counters.knows(run.host()))
                                            .map(run -> RunEnd.of(run, verdict.apply(run)))
                                            .toList();
                            end(transaction, counters, runEnds);
                            return runEnds.size();
                        });
    }

    /** Ends a run that did not reach its host. */
    void giveBack(Principal.Host host, ActiveRun undelivered) {
        queueDependencies
                .database()
                .write(
                        transaction -> {
                            HostCounters counters = counters(transaction, List.of(host.id()));
                            List<RunEnd> runEnds =
                                    ledger
                                            .lockHeld(transaction, host, undelivered)
                                            .map(
                                                    run ->
                                                            RunEnd.of(
                                                                    run,
                                                                    queueDependencies
                                                                            .rules()
                                                                            .undelivered(run)))
                                            .stream()
                                            .toList();
                            end(transaction, counters, runEnds);
                            return runEnds.size();
                        });
    }

    private HostCounters counters(Transaction transaction, Collection<HostId> hosts) {
        return new HostCounters(slots.lock(transaction, hosts), now().getEpochSecond() / 60);
    }

    /** Ends running runs and frees what they held. */
    private void end(Transaction transaction, HostCounters counters, List<RunEnd> runEnds) {
        if (runEnds.isEmpty()) {
            return;
        }
        workNotifier.notifyPending(
                transaction, ledger.runFinisher().end(transaction, now(), runEnds));
        counters.freed(runEnds.stream().map(e -> FinishedRun.of(e.run())).toList());
        slots.write(transaction, counters.changed());
        workNotifier.notifyThisProcess(transaction, counters.changed().keySet());
    }

    private Instant now() {
        return queueDependencies.clock().instant();
    }
}
