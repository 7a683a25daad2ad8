package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.event.EventNotes;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.Steering;
import dev.skep.dispatch.job.Verdict;
import dev.skep.dispatch.queue.Audit;
import dev.skep.dispatch.queue.Cancellation;
import dev.skep.dispatch.queue.Creation;
import dev.skep.dispatch.queue.Holding;
import dev.skep.dispatch.queue.JobEndings;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.job.JobKind;
import dev.skep.store.Transaction;
import dev.skep.transport.route.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What is durably known about jobs, whatever engine orders them: does what people ask for,
 * creating, cancelling and repeating, with the audit that belongs to it. Knows nothing of slots and
 * leases.
 */
public final class Ledger {
    private final JobStore jobs = new JobStore();
    private final RunStore runs;
    private final RunLookup lookup = new RunLookup();
    private final UlidSource ids;
    private final Audit audit;
    private final RunNews news;
    private final RunStarts starts;
    private final RunEndings endings;

    public Ledger(
            UlidSource ids, Audit audit, EventNotes events, JobEndings listener, Order order) {
        this.runs = new RunStore(order);
        this.ids = ids;
        this.audit = audit;
        this.news = new RunNews(events);
        RunStepStore steps = new RunStepStore();
        HandedOut handedOut = new HandedOut();
        this.starts = new RunStarts(steps, handedOut, news);
        this.endings = new RunEndings(jobs, runs, steps, lookup, handedOut, listener, news);
    }

    public RunStore runs() {
        return runs;
    }

    public RunLookup lookup() {
        return lookup;
    }

    public RunEndings endings() {
        return endings;
    }

    public RunStarts starts() {
        return starts;
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
            newJobs.forEach(row -> record(transaction, actor, row));
            news.created(transaction, actor.org(), now, newJobs);
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
                        Steering.standing(asked),
                        false,
                        asked.maxAttempts() - 1,
                        RunRules.LOSSES),
                runAt != null && runAt.isAfter(now) ? runAt : null);
    }

    private void record(Transaction transaction, Actor actor, JobStore.Row row) {
        audit.record(transaction, actor, "job_created", "job:" + row.id(), told(row.job()));
    }

    /** Of a decision also about what, so that it is found beside what its host recorded. */
    private static Map<String, String> told(NewJob job) {
        Map<String, String> told = new TreeMap<>();
        told.put("type", job.type());
        told.put("host", job.host().value());
        if (JobKind.of(job.type()).filter(JobKind::isDecision).isPresent()) {
            told.putAll(Json.fields(job.payload()).texts());
        }
        return told;
    }

    /** A further run of a job that is over, with its allowances as at the start. */
    public RunStore.Pending retry(Transaction transaction, Actor actor, Run run, Instant now) {
        int failuresLeft = jobs.maxAttempts(transaction, run.job()) - 1;
        RunStore.Pending next =
                RunEndings.following(
                        run,
                        new Verdict.Successor(
                                run.attempt() + 1, failuresLeft, RunRules.LOSSES, Duration.ZERO),
                        now);
        endings.append(transaction, List.of(next));
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
        endings.end(
                transaction,
                now,
                List.of(RunEndings.Ending.of(run, new Verdict.Ends(RunStatus.CANCELLED, null))));
        return Cancellation.CANCELLED;
    }

    /** A run that this host holds with this attempt, locked. */
    public Optional<Run> lockHeld(Transaction transaction, Principal.Host host, Holding holding) {
        return lookup.lock(transaction, List.of(holding.run())).values().stream()
                .filter(run -> run.host().equals(host.id()) && run.org().equals(host.org()))
                .filter(run -> run.status() == RunStatus.RUNNING)
                .filter(run -> run.attempt() == holding.attempt())
                .findFirst();
    }

    /** A job's newest run, locked; empty if the org has no such job. */
    public Optional<Run> lockNewest(Transaction transaction, OrgId org, JobId job) {
        Optional<RunId> newest = jobs.newestRun(transaction, org, job);
        while (newest.isPresent()) {
            Run locked = lookup.lock(transaction, List.of(newest.get())).get(newest.get());
            Optional<RunId> now = jobs.newestRun(transaction, org, job);
            // Another run may have followed while this one's lock was awaited.
            if (now.equals(newest)) {
                return Optional.ofNullable(locked);
            }
            newest = now;
        }
        return Optional.empty();
    }
}
