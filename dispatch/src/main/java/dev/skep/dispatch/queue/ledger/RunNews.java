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

/** Tells what became of jobs and runs, once it is durable. */
final class RunNews {
    private final Events events;

    RunNews(Events events) {
        this.events = events;
    }

    void created(Transaction transaction, OrgId org, Instant now, HostId host, JobId job) {
        publish(transaction, new FleetEvent.JobCreated(org, now, host, job.value()));
    }

    void started(Transaction transaction, OrgId org, Assignment run, Instant now) {
        publish(
                transaction,
                new FleetEvent.JobRunStarted(
                        org, now, run.host(), run.job().value(), run.run().value()));
    }

    void done(
            Transaction transaction,
            FinishedRun run,
            RunStatus status,
            boolean jobOver,
            Instant now) {
        publish(
                transaction,
                new FleetEvent.JobRunDone(
                        run.org(),
                        now,
                        run.host(),
                        run.job().value(),
                        run.id().value(),
                        status.label(),
                        jobOver));
    }

    private void publish(Transaction transaction, FleetEvent event) {
        transaction.afterCommit(() -> events.publish(event));
    }
}
