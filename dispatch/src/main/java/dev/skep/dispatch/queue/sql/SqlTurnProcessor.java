package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.TurnResult;
import dev.skep.dispatch.queue.ledger.BatchMismatchException;
import dev.skep.dispatch.queue.ledger.HostReport;
import dev.skep.dispatch.queue.ledger.JobLedger;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.ledger.ReportBatch;
import dev.skep.dispatch.queue.ledger.RunStarter;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.dispatch.queue.ledger.TakenRun;
import dev.skep.dispatch.queue.ledger.TurnRequest;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes the reports of many hosts and hands out their next runs, all in one transaction. */
final class SqlTurnProcessor {
    private final QueueDependencies queueDependencies;
    private final JobLedger ledger;
    private final SlotStore slots;
    private final ReadyRuns ready;
    private final WorkNotifier workNotifier;

    SqlTurnProcessor(
            QueueDependencies queueDependencies,
            JobLedger ledger,
            SlotStore slots,
            ReadyRuns ready,
            WorkNotifier workNotifier) {
        this.queueDependencies = queueDependencies;
        this.ledger = ledger;
        this.slots = slots;
        this.ready = ready;
        this.workNotifier = workNotifier;
    }

    /** One answer per turn, in order; a host may have several. */
    List<TurnResult> take(List<TurnRequest> turns) {
        // Rows found here are locked, so only reports can mismatch; the second pass checks each.
        return BatchMismatchException.write(
                queueDependencies.database(), (transaction, looking) -> take(transaction, turns));
    }

    private List<TurnResult> take(Transaction transaction, List<TurnRequest> turns) {
        Instant now = queueDependencies.clock().instant();
        HostCounters counters =
                new HostCounters(
                        slots.lock(transaction, turns.stream().map(t -> t.host().id()).toList()),
                        now.getEpochSecond() / 60);
        List<ReportResult> reportResults =
                applyReports(transaction, counters, TurnRequest.reports(turns), now);
        Map<HostId, ClaimRequest> claimRequests = claimRequests(counters, turns);
        start(transaction, counters, claimRequests, RunStarter.StartTime.now(queueDependencies));
        slots.write(transaction, counters.changed());
        return answers(turns, reportResults, claimRequests);
    }

    private List<ReportResult> applyReports(
            Transaction transaction, HostCounters counters, List<HostReport> said, Instant now) {
        if (said.isEmpty()) {
            return List.of();
        }
        ReportBatch reportBatch =
                ledger.runFinisher().apply(transaction, queueDependencies.rules(), said, now);
        counters.freed(reportBatch.ended());
        workNotifier.notifyThisProcess(
                transaction,
                reportBatch.ended().stream().map(FinishedRun::host).distinct().toList());
        workNotifier.notifyPending(transaction, reportBatch.next());
        return reportBatch.settlements();
    }

    private static Map<HostId, ClaimRequest> claimRequests(
            HostCounters counters, List<TurnRequest> turns) {
        Map<HostId, ClaimRequest> claimRequests = new LinkedHashMap<>();
        for (TurnRequest turn : turns) {
            if (turn.asks()) {
                Principal.Host host = turn.host();
                counters.allowance(host)
                        .ifPresent(
                                allowance ->
                                        claimRequests
                                                .computeIfAbsent(
                                                        host.id(), h -> new ClaimRequest(allowance))
                                                .ask(turn.wants()));
            }
        }
        return claimRequests;
    }

    private void start(
            Transaction transaction,
            HostCounters counters,
            Map<HostId, ClaimRequest> claimRequests,
            RunStarter.StartTime now) {
        List<TakenRun> taken = new ArrayList<>();
        ready.find(transaction, claimRequests)
                .forEach(
                        (host, found) -> {
                            ClaimRequest claimRequest = claimRequests.get(host);
                            if (claimRequest == null) {
                                return;
                            }
                            OrgId org = counters.orgOf(host);
                            for (ReadyRun run : claimRequest.take(found)) {
                                taken.add(new TakenRun(org, run.assignment(), run.steering()));
                            }
                            counters.given(host, claimRequest.counted());
                        });
        ledger.runStarter().startLocked(transaction, taken, now, queueDependencies.settings());
    }

    private static List<TurnResult> answers(
            List<TurnRequest> turns,
            List<ReportResult> reportResults,
            Map<HostId, ClaimRequest> claimRequests) {
        Iterator<ReportResult> settled = reportResults.iterator();
        List<TurnResult> answers = new ArrayList<>(turns.size());
        for (TurnRequest turn : turns) {
            ReportResult reportResult =
                    turn.report() == null ? ReportResult.UNKNOWN : settled.next();
            ClaimRequest claimRequest = turn.asks() ? claimRequests.get(turn.host().id()) : null;
            answers.add(
                    new TurnResult(
                            reportResult,
                            claimRequest == null
                                    ? new ClaimResult.NothingPending()
                                    : claimRequest.answer(turn.wants())));
        }
        return answers;
    }
}
