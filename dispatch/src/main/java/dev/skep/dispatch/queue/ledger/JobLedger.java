package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.NewJob;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.job.RunTransition;
import dev.skep.dispatch.job.SteeringJobTypes;
import dev.skep.dispatch.queue.ActiveRun;
import dev.skep.dispatch.queue.AuditRecorder;
import dev.skep.dispatch.queue.CancelResult;
import dev.skep.dispatch.queue.CreatedJob;
import dev.skep.dispatch.queue.JobEndListener;
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
 * The durable state of jobs, whichever engine orders them: creates, cancels and retries them, with
 * the audit entries. Knows nothing of slots and leases.
 */
public final class JobLedger {
    private final JobStore jobs = new JobStore();
    private final RunStore runs;
    private final RunLookup lookup = new RunLookup();
    private final UlidSource ids;
    private final AuditRecorder audit;
    private final RunEventPublisher runEventPublisher;
    private final RunStarter runStarter;
    private final RunFinisher runFinisher;

    public JobLedger(
            UlidSource ids,
            AuditRecorder audit,
            EventPublisher events,
            JobEndListener listener,
            QueueOrderOwner order) {
        this.runs = new RunStore(order);
        this.ids = ids;
        this.audit = audit;
        this.runEventPublisher = new RunEventPublisher(events);
        RunStepStore steps = new RunStepStore();
        RecentAssignments recentAssignments = new RecentAssignments();
        this.runStarter = new RunStarter(steps, recentAssignments, runEventPublisher);
        this.runFinisher =
                new RunFinisher(
                        jobs, runs, steps, lookup, recentAssignments, listener, runEventPublisher);
    }

    public RunStore runs() {
        return runs;
    }

    public RunLookup lookup() {
        return lookup;
    }

    public RunFinisher runFinisher() {
        return runFinisher;
    }

    public RunStarter runStarter() {
        return runStarter;
    }

    /** What was stored: an answer per job, and the runs that are new. */
    public record Stored(List<CreatedJob> creations, List<RunStore.Pending> pending) {}

    public Stored create(Transaction transaction, Actor actor, Instant now, List<NewJob> asked) {
        Map<String, CreatedJob> known =
                new HashMap<>(
                        jobs.byKey(
                                transaction,
                                actor.org(),
                                asked.stream()
                                        .map(NewJob::idempotencyKey)
                                        .filter(Objects::nonNull)
                                        .toList()));
        List<CreatedJob> createdJobs = new ArrayList<>(asked.size());
        List<JobStore.Row> newJobs = new ArrayList<>();
        List<RunStore.Pending> pending = new ArrayList<>();
        for (NewJob job : asked) {
            CreatedJob before =
                    job.idempotencyKey() == null ? null : known.get(job.idempotencyKey());
            if (before != null) {
                createdJobs.add(before);
                continue;
            }
            JobId id = new JobId(ids.next());
            RunId run = RunId.of(id, 1);
            createdJobs.add(new CreatedJob(id, run, true));
            if (job.idempotencyKey() != null) {
                known.put(job.idempotencyKey(), new CreatedJob(id, run, false));
            }
            newJobs.add(new JobStore.Row(id, run, job));
            pending.add(firstRun(actor, id, run, job, now));
        }
        if (!newJobs.isEmpty()) {
            jobs.insert(transaction, actor, now, newJobs);
            runs.insert(transaction, pending);
            newJobs.forEach(row -> record(transaction, actor, row));
            runEventPublisher.created(transaction, actor.org(), now, newJobs);
        }
        return new Stored(createdJobs, pending);
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
                        SteeringJobTypes.standing(asked),
                        false,
                        asked.maxAttempts() - 1,
                        RunRules.LOSSES),
                runAt != null && runAt.isAfter(now) ? runAt : null);
    }

    private void record(Transaction transaction, Actor actor, JobStore.Row row) {
        audit.record(transaction, actor, "job_created", "job:" + row.id(), auditDetails(row.job()));
    }

    /**
     * With the decided command, if it is a decision, so that it is found beside what its host
     * recorded.
     */
    private static Map<String, String> auditDetails(NewJob job) {
        Map<String, String> details = new TreeMap<>();
        details.put("type", job.type());
        details.put("host", job.host().value());
        if (JobKind.of(job.type()).filter(JobKind::isDecision).isPresent()) {
            details.putAll(Json.fields(job.payload()).texts());
        }
        return details;
    }

    /** A further run of a job that is over, with its allowances as at the start. */
    public RunStore.Pending retry(Transaction transaction, Actor actor, Run run, Instant now) {
        int failuresLeft = jobs.maxAttempts(transaction, run.job()) - 1;
        RunStore.Pending next =
                RunFinisher.following(
                        run,
                        new RunTransition.Successor(
                                run.attempt() + 1, failuresLeft, RunRules.LOSSES, Duration.ZERO),
                        now);
        runFinisher.append(transaction, List.of(next));
        audit.record(transaction, actor, "job_retried", "job:" + run.job(), Map.of());
        return next;
    }

    /** Ends a pending run; asks for the end of a running one. */
    public CancelResult cancel(Transaction transaction, Actor actor, Run run, Instant now) {
        if (run.status().isOver()) {
            return CancelResult.OVER;
        }
        audit.record(transaction, actor, "job_cancelled", "job:" + run.job(), Map.of());
        if (run.status() == RunStatus.RUNNING) {
            runs.askToCancel(transaction, run.id());
            return CancelResult.ASKED;
        }
        runFinisher.end(
                transaction,
                now,
                List.of(
                        RunFinisher.RunEnd.of(
                                run, new RunTransition.Ends(RunStatus.CANCELLED, null))));
        return CancelResult.CANCELLED;
    }

    /** A run that this host holds with this attempt, locked. */
    public Optional<Run> lockHeld(
            Transaction transaction, Principal.Host host, ActiveRun activeRun) {
        return lookup.lock(transaction, List.of(activeRun.run())).values().stream()
                .filter(run -> run.host().equals(host.id()) && run.org().equals(host.org()))
                .filter(run -> run.status() == RunStatus.RUNNING)
                .filter(run -> run.attempt() == activeRun.attempt())
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
