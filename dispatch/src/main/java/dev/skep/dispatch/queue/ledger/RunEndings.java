package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.Outcome;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.Steering;
import dev.skep.dispatch.job.Verdict;
import dev.skep.dispatch.queue.JobEndings;
import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.Settlement;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ends runs, as their hosts say or as a sweep finds, and adds the ones that follow. */
public final class RunEndings {
    private final JobStore jobs;
    private final RunStore runs;
    private final RunStepStore steps;
    private final RunLookup lookup;
    private final HandedOut handedOut;
    private final JobEndings listener;
    private final RunNews news;

    RunEndings(
            JobStore jobs,
            RunStore runs,
            RunStepStore steps,
            RunLookup lookup,
            HandedOut handedOut,
            JobEndings listener,
            RunNews news) {
        this.jobs = jobs;
        this.runs = runs;
        this.steps = steps;
        this.lookup = lookup;
        this.handedOut = handedOut;
        this.listener = listener;
        this.news = news;
    }

    /** A run, what follows for it, and what it said. */
    public record Ending(Run run, Verdict.Ends verdict, @Nullable String result) {
        /** Its host said nothing. */
        public static Ending of(Run run, Verdict.Ends verdict) {
            return new Ending(run, verdict, null);
        }
    }

    /**
     * Applies reports of hosts: successes of what was handed out here without a look, other
     * successes together, the rest one by one.
     *
     * @throws Surprise if what was handed out here is over; written again, all are looked at
     */
    public Hearing hear(
            Transaction transaction, RunRules rules, List<HostReport> said, Instant now) {
        List<@Nullable FinishedRun> known = new ArrayList<>(said.size());
        List<Report> expected = new ArrayList<>(said.size());
        List<HostReport> unknown = new ArrayList<>();
        for (HostReport each : said) {
            FinishedRun run = handedOut.take(each);
            known.add(run);
            if (run != null) {
                expected.add(each.report());
            } else if (each.report().outcome() == Outcome.SUCCEEDED) {
                unknown.add(each);
            }
        }
        steps.succeedExpected(transaction, now, expected);
        Map<RunId, Integer> succeeded = steps.succeed(transaction, now, unknown);
        List<Settlement> settlements = new ArrayList<>(said.size());
        List<FinishedRun> ended = new ArrayList<>(said.size());
        List<HostReport> others = new ArrayList<>();
        for (int i = 0; i < said.size(); i++) {
            FinishedRun run = known.get(i) == null ? among(succeeded, said.get(i)) : known.get(i);
            if (run == null) {
                settlements.add(Settlement.UNKNOWN);
                others.add(said.get(i));
            } else {
                settlements.add(Settlement.APPLIED);
                ended.add(run);
                listener.over(transaction, run, RunStatus.SUCCEEDED);
            }
        }
        news.succeeded(transaction, List.copyOf(ended), now);
        List<RunStore.Pending> next =
                others.isEmpty()
                        ? List.of()
                        : judge(transaction, rules, others, settlements, ended, now);
        return new Hearing(settlements, ended, next);
    }

    /** The first report of a run is the one that was applied. */
    private static @Nullable FinishedRun among(Map<RunId, Integer> succeeded, HostReport said) {
        Report report = said.report();
        Integer priority =
                report.outcome() == Outcome.SUCCEEDED ? succeeded.remove(report.run()) : null;
        return priority == null
                ? null
                : new FinishedRun(
                        report.run(),
                        said.host().org(),
                        report.run().job(),
                        said.host().id(),
                        report.attempt(),
                        priority >= Steering.FLOOR);
    }

    private List<RunStore.Pending> judge(
            Transaction transaction,
            RunRules rules,
            List<HostReport> others,
            List<Settlement> settlements,
            List<FinishedRun> ended,
            Instant now) {
        Judgement judgement =
                new Judgement(
                        rules,
                        lookup.lock(
                                transaction, others.stream().map(o -> o.report().run()).toList()));
        Iterator<HostReport> left = others.iterator();
        for (int i = 0; i < settlements.size() && left.hasNext(); i++) {
            if (settlements.get(i) != Settlement.APPLIED) {
                settlements.set(i, judgement.of(left.next()));
            }
        }
        runs.keepLate(transaction, judgement.late());
        judgement.endings().forEach(ending -> ended.add(FinishedRun.of(ending.run())));
        return end(transaction, now, judgement.endings());
    }

    /** Ends runs and returns those that follow. */
    public List<RunStore.Pending> end(Transaction transaction, Instant now, List<Ending> ended) {
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
        for (Ending each : ended) {
            FinishedRun run = FinishedRun.of(each.run());
            RunStatus status = each.verdict().status();
            Verdict.Successor successor = each.verdict().next();
            if (successor != null) {
                next.add(following(each.run(), successor, now));
            } else {
                listener.over(transaction, run, status);
            }
        }
        news.done(transaction, ended, now);
        append(transaction, next);
        return next;
    }

    /** The run that follows another. */
    static RunStore.Pending following(Run run, Verdict.Successor successor, Instant now) {
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
