package dev.skep.dispatch.job;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What follows for a run from something that happened to it. */
public sealed interface RunTransition {
    /**
     * The run is over.
     *
     * @param next the run that follows, or null when the job is over too
     */
    record Ends(RunStatus status, @Nullable Successor next) implements RunTransition {}

    /** Kept beside the run for people, without effect on it: the run was no longer the host's. */
    record Late() implements RunTransition {}

    /** Reported before and applied before. */
    record Repeated() implements RunTransition {}

    /** A run of the same job that comes after another. */
    record Successor(int attempt, int failuresLeft, int lossesLeft, Duration pause) {}
}
