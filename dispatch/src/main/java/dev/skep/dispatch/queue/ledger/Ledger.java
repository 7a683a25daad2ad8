package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Outcome;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.Verdict;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Audit;
import dev.skep.dispatch.queue.Cancellation;
import dev.skep.dispatch.queue.Creation;
import dev.skep.dispatch.queue.JobEndings;
import dev.skep.dispatch.queue.Settlement;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is durably known about jobs, whatever engine orders them: creates them and ends their runs,
 * with the audit and the events that belong to it. Knows nothing of slots and leases.
 */
public final class Ledger {
    private final JobStore jobs = new JobStore();
    private final RunStore runs = new RunStore();
    private final UlidSource ids;
    private final Audit audit;
    private final Events events;
    private final JobEndings endings;

    public Ledger(UlidSource ids, Audit audit, Events events, JobEndings endings) {
        this.ids = ids;
        this.audit = audit;
        this.events = events;
        this.endings = endings;
    }

    public RunStore runs() {
        return runs;
    }

    public JobStore jobs() {
        return jobs;
    }

    /** What was stored: an answer per job, and the runs that are new. */
    public record Stored(List<Creation> creations, List<RunStore.Pending> pending) {}

    public Stored create(Transaction transaction, Actor actor, Instant now, List<NewJob> asked) {
        Map<String, Creation> known =
                new HashMap<>(
                        jobs.byKey(
                                transaction,
                                actor.org(),
                                asked.stream()
                                        .map(NewJob::idempotencyKey)
                                        .filter(Objects::nonNull)
                                        .toList()));
        List<Creation> creations = new ArrayList<>(asked.size());
        List<JobStore.Row> newJobs = new ArrayList<>();
        List<RunStore.Pending> pending = new ArrayList<>();
        for (NewJob job : asked) {
            Creation before = job.idempotencyKey() == null ? null : known.get(job.idempotencyKey());
            if (before != null) {
                creations.add(before);
                continue;
            }
            JobId id = new JobId(ids.next());
            RunId run = RunId.of(id, 1);
            creations.add(new Creation(id, run, true));
            if (job.idempotencyKey() != null) {
                known.put(job.idempotencyKey(), new Creation(id, run, false));
            }
            newJobs.add(new JobStore.Row(id, run, job));
            pending.add(firstRun(actor, id, run, job, now));
        }
        if (!newJobs.isEmpty()) {
            jobs.insert(transaction, actor, now, newJobs);
            runs.insert(transaction, pending);
            newJobs.forEach(row -> tellCreated(transaction, actor, now, row));
        }
        return new Stored(creations, pending);
    }

    private static RunStore.Pending firstRun(
            Actor actor, JobId job, RunId run, NewJob asked, Instant now) {
        Instant runAt = asked.runAt();
        return new RunStore.Pending(
                new Run(
                        run,
                        actor.org(),
                        job,
                        asked.host(),
                        1,
                        RunStatus.PENDING,
                        asked.priority(),
                        false,
                        asked.maxAttempts() - 1,
                        RunRules.LOSSES),
                runAt != null && runAt.isAfter(now) ? runAt : null);
    }

    private void tellCreated(Transaction transaction, Actor actor, Instant now, JobStore.Row row) {
        audit.record(
                transaction,
                actor,
                "job_created",
                "job:" + row.id(),
                Map.of("type", row.job().type(), "host", row.job().host().value()));
        var event = new FleetEvent.JobCreated(actor.org(), now, row.job().host(), row.id().value());
        transaction.afterCommit(() -> events.publish(event));
    }

    /** Applies reports of hosts, those of success together and the others one by one. */
    public Hearing hear(
            Transaction transaction, RunRules rules, List<HostReport> said, Instant now) {
        Map<RunId, Run> succeeded =
                runs.succeed(
                        transaction,
                        now,
                        said.stream()
                                .filter(s -> s.report().outcome() == Outcome.SUCCEEDED)
                                .toList());
        Set<RunId> applied = new HashSet<>(succeeded.keySet());
        List<Settlement> settlements = new ArrayList<>(said.size());
        List<HostReport> others = new ArrayList<>();
        for (HostReport each : said) {
            // The first report of a run is the one that was applied.
            boolean isApplied =
                    each.report().outcome() == Outcome.SUCCEEDED
                            && applied.remove(each.report().run());
            if (!isApplied) {
                others.add(each);
            }
            settlements.add(isApplied ? Settlement.APPLIED : Settlement.UNKNOWN);
        }
        List<Run> ended = new ArrayList<>(succeeded.values());
        ended.forEach(run -> tellOver(transaction, now, run));
        List<RunStore.Pending> next =
                others.isEmpty()
                        ? List.of()
                        : judge(transaction, rules, others, settlements, ended, now);
        return new Hearing(settlements, ended, next);
    }

    private List<RunStore.Pending> judge(
            Transaction transaction,
            RunRules rules,
            List<HostReport> others,
            List<Settlement> settlements,
            List<Run> ended,
            Instant now) {
        Judgement judgement =
                new Judgement(
                        rules,
                        runs.lock(
                                transaction, others.stream().map(o -> o.report().run()).toList()));
        Iterator<HostReport> left = others.iterator();
        for (int i = 0; i < settlements.size() && left.hasNext(); i++) {
            if (settlements.get(i) != Settlement.APPLIED) {
                settlements.set(i, judgement.of(left.next()));
            }
        }
        runs.keepLate(transaction, judgement.late());
        judgement.endings().forEach(ending -> ended.add(ending.run()));
        return end(transaction, now, judgement.endings());
    }

    private void tellOver(Transaction transaction, Instant now, Run run) {
        endings.over(transaction, run, RunStatus.SUCCEEDED);
        tellDone(
                transaction,
                now,
                Ending.of(run, new Verdict.Ends(RunStatus.SUCCEEDED, null)),
                true);
    }

    /** A run, what follows for it, and what it said. */
    public record Ending(Run run, Verdict.Ends verdict, @Nullable String result) {
        /** Its host said nothing. */
        public static Ending of(Run run, Verdict.Ends verdict) {
            return new Ending(run, verdict, null);
        }
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
            Verdict.Successor successor = each.verdict().next();
            if (successor != null) {
                next.add(follow(each.run(), successor, now));
            } else {
                endings.over(transaction, each.run(), each.verdict().status());
            }
            tellDone(transaction, now, each, successor == null);
        }
        append(transaction, next);
        return next;
    }

    private RunStore.Pending follow(Run run, Verdict.Successor successor, Instant now) {
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

    /** A further run of a job that is over, with its allowances as at the start. */
    public RunStore.Pending retry(Transaction transaction, Actor actor, Run run, Instant now) {
        int failuresLeft = jobs.maxAttempts(transaction, run.job()) - 1;
        RunStore.Pending next =
                follow(
                        run,
                        new Verdict.Successor(
                                run.attempt() + 1, failuresLeft, RunRules.LOSSES, Duration.ZERO),
                        now);
        append(transaction, List.of(next));
        audit.record(transaction, actor, "job_retried", "job:" + run.job(), Map.of());
        return next;
    }

    /** Ends a pending run; asks for the end of a running one. */
    public Cancellation cancel(Transaction transaction, Actor actor, Run run, Instant now) {
        if (run.status().isOver()) {
            return Cancellation.OVER;
        }
        audit.record(transaction, actor, "job_cancelled", "job:" + run.job(), Map.of());
        if (run.status() == RunStatus.RUNNING) {
            runs.askToCancel(transaction, run.id());
            return Cancellation.ASKED;
        }
        end(transaction, now, List.of(Ending.of(run, new Verdict.Ends(RunStatus.CANCELLED, null))));
        return Cancellation.CANCELLED;
    }

    private void append(Transaction transaction, List<RunStore.Pending> next) {
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

    public void tellStarted(Transaction transaction, OrgId org, Assignment run, Instant now) {
        var event =
                new FleetEvent.JobRunStarted(
                        org, now, run.host(), run.job().value(), run.run().value());
        transaction.afterCommit(() -> events.publish(event));
    }

    /** A job's newest run, locked; empty if the org has no such job. */
    public Optional<Run> lockNewest(Transaction transaction, OrgId org, JobId job) {
        Optional<RunId> newest = jobs.newestRun(transaction, org, job);
        while (newest.isPresent()) {
            Run locked = runs.lock(transaction, List.of(newest.get())).get(newest.get());
            Optional<RunId> now = jobs.newestRun(transaction, org, job);
            // Another run may have followed while this one's lock was awaited.
            if (now.equals(newest)) {
                return Optional.ofNullable(locked);
            }
            newest = now;
        }
        return Optional.empty();
    }

    private void tellDone(Transaction transaction, Instant now, Ending ending, boolean jobOver) {
        Run run = ending.run();
        var event =
                new FleetEvent.JobRunDone(
                        run.org(),
                        now,
                        run.host(),
                        run.job().value(),
                        run.id().value(),
                        ending.verdict().status().label(),
                        jobOver);
        transaction.afterCommit(() -> events.publish(event));
    }
}
