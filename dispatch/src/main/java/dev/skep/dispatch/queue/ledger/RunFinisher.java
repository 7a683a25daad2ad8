package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunOutcome;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.RunTransition;
import dev.skep.dispatch.job.SteeringJobTypes;
import dev.skep.dispatch.queue.JobEndListener;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ends runs, as their hosts report or as a sweep finds, and adds the ones that follow. */
public final class RunFinisher {
    private final JobStore jobs;
    private final RunStore runs;
    private final RunStepStore steps;
    private final RunLookup lookup;
    private final RecentAssignments recentAssignments;
    private final JobEndListener listener;
    private final RunEventPublisher runEventPublisher;

    RunFinisher(
            JobStore jobs,
            RunStore runs,
            RunStepStore steps,
            RunLookup lookup,
            RecentAssignments recentAssignments,
            JobEndListener listener,
            RunEventPublisher runEventPublisher) {
        this.jobs = jobs;
        this.runs = runs;
        this.steps = steps;
        this.lookup = lookup;
        this.recentAssignments = recentAssignments;
        this.listener = listener;
        this.runEventPublisher = runEventPublisher;
    }

    /** A run, what follows for it, and its result. */
    public record RunEnd(Run run, RunTransition.Ends verdict, @Nullable String result) {
        /** Without a report of its host. */
        public static RunEnd of(Run run, RunTransition.Ends verdict) {
            return new RunEnd(run, verdict, null);
        }
    }

    /**
     * Applies reports of hosts: successes of recent assignments of this process without a check,
     * other successes together, the rest one by one.
     *
     * @throws BatchMismatchException if such an assignment is over already; when repeated, all are
     *     checked
     */
    public ReportBatch apply(
            Transaction transaction, RunRules rules, List<HostReport> said, Instant now) {
        List<@Nullable FinishedRun> known = new ArrayList<>(said.size());
        List<RunReport> expected = new ArrayList<>(said.size());
        List<HostReport> unknown = new ArrayList<>();
        for (HostReport each : said) {
            FinishedRun run = recentAssignments.take(each);
            known.add(run);
            if (run != null) {
                expected.add(each.report());
            } else if (each.report().outcome() == RunOutcome.SUCCEEDED) {
                unknown.add(each);
            }
        }
        steps.succeedExpected(transaction, now, expected);
        Map<RunId, Integer> succeeded = steps.succeed(transaction, now, unknown);
        List<ReportResult> reportResults = new ArrayList<>(said.size());
        List<FinishedRun> ended = new ArrayList<>(said.size());
        List<HostReport> others = new ArrayList<>();
        for (int i = 0; i < said.size(); i++) {
            FinishedRun run = known.get(i) == null ? among(succeeded, said.get(i)) : known.get(i);
            if (run == null) {
                reportResults.add(ReportResult.UNKNOWN);
                others.add(said.get(i));
            } else {
                reportResults.add(ReportResult.APPLIED);
                ended.add(run);
                listener.over(transaction, run, RunStatus.SUCCEEDED);
            }
        }
        runEventPublisher.succeeded(transaction, List.copyOf(ended), now);
        List<RunStore.Pending> next =
                others.isEmpty()
                        ? List.of()
                        : judge(transaction, rules, others, reportResults, ended, now);
        return new ReportBatch(reportResults, ended, next);
    }

    /** The first report of a run is the one that was applied. */
    private static @Nullable FinishedRun among(Map<RunId, Integer> succeeded, HostReport said) {
        RunReport report = said.report();
        Integer priority =
                report.outcome() == RunOutcome.SUCCEEDED ? succeeded.remove(report.run()) : null;
        return priority == null
                ? null
                : new FinishedRun(
                        report.run(),
                        said.host().org(),
                        report.run().job(),
                        said.host().id(),
                        report.attempt(),
                        priority >= SteeringJobTypes.FLOOR);
    }

    private List<RunStore.Pending> judge(
            Transaction transaction,
            RunRules rules,
            List<HostReport> others,
            List<ReportResult> reportResults,
            List<FinishedRun> ended,
            Instant now) {
        ReportEvaluator reportEvaluator =
                new ReportEvaluator(
                        rules,
                        lookup.lock(
                                transaction, others.stream().map(o -> o.report().run()).toList()));
        Iterator<HostReport> left = others.iterator();
        for (int i = 0; i < reportResults.size() && left.hasNext(); i++) {
            if (reportResults.get(i) != ReportResult.APPLIED) {
                reportResults.set(i, reportEvaluator.of(left.next()));
            }
        }
        runs.keepLate(transaction, reportEvaluator.late());
        reportEvaluator.endings().forEach(runEnd -> ended.add(FinishedRun.of(runEnd.run())));
        return end(transaction, now, reportEvaluator.endings());
    }

    /** Ends runs and returns those that follow. */
    public List<RunStore.Pending> end(Transaction transaction, Instant now, List<RunEnd> ended) {
        if (ended.isEmpty()) {
            return List.of();
        }
        runs.end(
                transaction,
                now,
                ended.stream()
                        .map(
                                e ->
                                        new RunStore.Ended(
                                                e.run().id(), e.verdict().status(), e.result()))
                        .toList());
        List<RunStore.Pending> next = new ArrayList<>();
        for (RunEnd each : ended) {
            FinishedRun run = FinishedRun.of(each.run());
            RunStatus status = each.verdict().status();
            RunTransition.Successor successor = each.verdict().next();
            if (successor != null) {
                next.add(following(each.run(), successor, now));
            } else {
                listener.over(transaction, run, status);
            }
        }
        runEventPublisher.done(transaction, ended, now);
        append(transaction, next);
        return next;
    }

    /** The run that follows another. */
    static RunStore.Pending following(Run run, RunTransition.Successor successor, Instant now) {
        Run next =
                new Run(
                        RunId.of(run.job(), successor.attempt()),
                        run.org(),
                        run.job(),
                        run.host(),
                        successor.attempt(),
                        RunStatus.PENDING,
                        run.priority(),
                        false,
                        successor.failuresLeft(),
                        successor.lossesLeft());
        return new RunStore.Pending(
                next, successor.pause().isZero() ? null : now.plus(successor.pause()));
    }

    /** Stores runs that follow others, as the newest of their jobs. */
    void append(Transaction transaction, List<RunStore.Pending> next) {
        if (next.isEmpty()) {
            return;
        }
        runs.insert(transaction, next);
        List<@Nullable Object[]> newest = new ArrayList<>();
        next.forEach(
                p ->
                        newest.add(
                                new @Nullable Object[] {
                                    p.run().id().value(), p.run().job().value()
                                }));
        jobs.setNewestRuns(transaction, newest);
    }
}
