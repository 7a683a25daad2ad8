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
    private final RunLookup lookup;
    private final JobEndings listener;
    private final RunNews news;

    RunEndings(JobStore jobs, RunStore runs, RunLookup lookup, JobEndings listener, RunNews news) {
        this.jobs = jobs;
        this.runs = runs;
        this.lookup = lookup;
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

    /** Applies reports of hosts, those of success together and the others one by one. */
    public Hearing hear(
            Transaction transaction, RunRules rules, List<HostReport> said, Instant now) {
        Map<RunId, Integer> succeeded =
                runs.succeed(
                        transaction,
                        now,
                        said.stream()
                                .filter(s -> s.report().outcome() == Outcome.SUCCEEDED)
                                .toList());
        List<Settlement> settlements = new ArrayList<>(said.size());
        List<FinishedRun> ended = new ArrayList<>(said.size());
        List<HostReport> others = new ArrayList<>();
        for (HostReport each : said) {
            // The first report of a run is the one that was applied.
            Integer priority =
                    each.report().outcome() == Outcome.SUCCEEDED
                            ? succeeded.remove(each.report().run())
                            : null;
            if (priority != null) {
                settlements.add(Settlement.APPLIED);
                ended.add(succeeded(transaction, each, priority >= Steering.FLOOR, now));
            } else {
                settlements.add(Settlement.UNKNOWN);
                others.add(each);
            }
        }
        List<RunStore.Pending> next =
                others.isEmpty()
                        ? List.of()
                        : judge(transaction, rules, others, settlements, ended, now);
        return new Hearing(settlements, ended, next);
    }

    private FinishedRun succeeded(
            Transaction transaction, HostReport said, boolean steering, Instant now) {
        FinishedRun run =
                new FinishedRun(
                        said.report().run(),
                        said.host().org(),
                        said.report().run().job(),
                        said.host().id(),
                        said.report().attempt(),
                        steering);
        listener.over(transaction, run, RunStatus.SUCCEEDED);
        news.done(transaction, run, RunStatus.SUCCEEDED, true, now);
        return run;
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
            news.done(transaction, run, status, successor == null, now);
        }
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
