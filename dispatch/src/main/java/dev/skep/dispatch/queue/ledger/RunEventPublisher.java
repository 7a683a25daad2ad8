package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;

/** Publishes what happened to jobs and runs, once it is durable. */
final class RunEventPublisher {
    private final EventPublisher eventPublisher;

    RunEventPublisher(EventPublisher eventPublisher) {
        this.eventPublisher = eventPublisher;
    }

    /** All that a commit made at once, here and below: they share a row and a step after it. */
    void created(Transaction transaction, OrgId org, Instant now, List<JobStore.Row> jobs) {
        eventPublisher.publish(
                transaction,
                jobs.stream()
                        .map(
                                row ->
                                        new FleetEvent.JobCreated(
                                                org, now, row.job().host(), row.id().value()))
                        .toList());
    }

    void started(Transaction transaction, List<TakenRun> runs, Instant now) {
        eventPublisher.publish(transaction, runs.stream().map(run -> started(run, now)).toList());
    }

    private static FleetEvent started(TakenRun taken, Instant now) {
        Assignment run = taken.assignment();
        return new FleetEvent.JobRunStarted(
                taken.org(), now, run.host(), run.job().value(), run.run().value());
    }

    /** For jobs that are over with these runs. */
    void succeeded(Transaction transaction, List<FinishedRun> runs, Instant now) {
        eventPublisher.publish(
                transaction,
                runs.stream().map(run -> done(run, RunStatus.SUCCEEDED, true, now)).toList());
    }

    void done(Transaction transaction, List<RunFinisher.RunEnd> runEnds, Instant now) {
        eventPublisher.publish(
                transaction,
                runEnds.stream()
                        .map(
                                each ->
                                        done(
                                                FinishedRun.of(each.run()),
                                                each.verdict().status(),
                                                each.verdict().next() == null,
                                                now))
                        .toList());
    }

    private static FleetEvent done(
            FinishedRun run, RunStatus status, boolean jobOver, Instant now) {
        return new FleetEvent.JobRunDone(
                run.org(),
                now,
                run.host(),
                run.job().value(),
                run.id().value(),
                status.label(),
                jobOver);
    }
}
