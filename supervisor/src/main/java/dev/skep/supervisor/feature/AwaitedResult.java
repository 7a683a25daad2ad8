package dev.skep.supervisor.feature;

import dev.skep.dispatch.job.JobId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.view.JobDetails;
import dev.skep.dispatch.view.JobQueries;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A job whose asker waits a moment for its end. It looks whenever runs were written here, and now
 * and then in between: the host may have reported to another process of the hub.
 */
record AwaitedResult(Database database, Principal who, JobId job) {
    private static final Duration LOOK_ANYWAY = Duration.ofMillis(200);

    /** The job once it is over; empty if it is not by then. */
    Optional<JobDetails> within(Duration patience) {
        Semaphore written = new Semaphore(0);
        long end = System.nanoTime() + patience.toNanos();
        try (Database.Listening _ = database.onWritten(tables -> wake(tables, written))) {
            while (true) {
                Optional<JobDetails> ended = ended();
                long left = end - System.nanoTime();
                if (ended.isPresent() || left <= 0) {
                    return ended;
                }
                if (written.tryAcquire(
                        Math.min(left, LOOK_ANYWAY.toNanos()), TimeUnit.NANOSECONDS)) {
                    written.drainPermits();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private static void wake(Set<String> tables, Semaphore written) {
        if (tables.isEmpty() || tables.contains("job_runs")) {
            written.release();
        }
    }

    private Optional<JobDetails> ended() {
        return database.read(snapshot -> JobQueries.find(snapshot, who, job.value()))
                .filter(found -> RunStatus.of(found.status()).isOver());
    }
}
