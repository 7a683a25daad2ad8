package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.kernel.event.Events;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.List;

/** Tells what became of jobs and runs, once it is durable. */
final class RunNews {
    private final Events events;

    RunNews(Events events) {
        this.events = events;
    }

    void created(Transaction transaction, OrgId org, Instant now, HostId host, JobId job) {
        publish(transaction, List.of(new FleetEvent.JobCreated(org, now, host, job.value())));
    }

    /** One step after the commit for all of them. */
    void started(Transaction transaction, List<Taken> runs, Instant now) {
        publish(transaction, runs.stream().map(run -> started(run, now)).toList());
    }

    private static FleetEvent started(Taken taken, Instant now) {
        Assignment run = taken.assignment();
        return new FleetEvent.JobRunStarted(
                taken.org(), now, run.host(), run.job().value(), run.run().value());
    }

    /** The same for jobs that are over with these runs. */
    void succeeded(Transaction transaction, List<FinishedRun> runs, Instant now) {
        publish(
                transaction,
                runs.stream().map(run -> done(run, RunStatus.SUCCEEDED, true, now)).toList());
    }

    void done(
            Transaction transaction,
            FinishedRun run,
            RunStatus status,
            boolean jobOver,
            Instant now) {
        publish(transaction, List.of(done(run, status, jobOver, now)));
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

    private void publish(Transaction transaction, List<FleetEvent> all) {
        if (!all.isEmpty()) {
            transaction.afterCommit(() -> all.forEach(events::publish));
        }
    }
}
