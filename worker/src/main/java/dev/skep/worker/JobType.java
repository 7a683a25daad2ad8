package dev.skep.worker;

import dev.skep.kernel.job.JobKind;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** One kind of job this host can do; a new kind is one class. Thread-safe. */
public interface JobType {
    /** The types of job that are for this class. */
    Set<JobKind> kinds();

    default boolean does(String type) {
        return JobKind.of(type).filter(kinds()::contains).isPresent();
    }

    /** After which time a run ends early, if there is one. */
    default Optional<Duration> timeLimit(AssignedRun run) {
        return run.timeout();
    }

    /** Whether a run needs no consent, because it only ends what an earlier consent began. */
    default boolean needsNoConsent(AssignedRun run) {
        return false;
    }

    /**
     * Does a run. Interrupted when it is to end early: then it stops what it started and throws
     * {@link InterruptedException}.
     */
    JobResult run(AssignedRun run, RunOutput output) throws InterruptedException;
}
