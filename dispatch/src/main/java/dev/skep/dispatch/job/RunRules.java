package dev.skep.dispatch.job;

import dev.skep.kernel.retry.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decides what follows when a run is reported, lost or overdue. Thread-safe if its random is. */
public final class RunRules {
    /** How often a job may lose its host before it is taken for the reason. */
    public static final int LOSSES = 3;

    private final Backoff backoff;
    private final RandomGenerator random;

    public RunRules(Backoff backoff, RandomGenerator random) {
        this.backoff = backoff;
        this.random = random;
    }

    /** How long a retry can have to wait. */
    public Duration longestWait() {
        return backoff.longest();
    }

    /** A host's report about a run that it claims to hold. */
    public RunTransition reported(Run run, int attempt, RunOutcome outcome) {
        if (run.status() == RunStatus.RUNNING && run.attempt() == attempt) {
            return ended(run, outcome.status());
        }
        boolean same = run.attempt() == attempt && run.status() == outcome.status();
        return same ? new RunTransition.Repeated() : new RunTransition.Late();
    }

    /** Its lease ran out. */
    public RunTransition.Ends lost(Run run) {
        if (run.cancelAsked()) {
            return new RunTransition.Ends(RunStatus.CANCELLED, null);
        }
        boolean again = run.lossesLeft() > 0;
        return new RunTransition.Ends(
                RunStatus.LOST,
                again
                        ? new RunTransition.Successor(
                                run.attempt() + 1,
                                run.failuresLeft(),
                                run.lossesLeft() - 1,
                                Duration.ZERO)
                        : null);
    }

    /** It was taken for its host and never reached it: neither a failure nor a loss of the job. */
    public RunTransition.Ends undelivered(Run run) {
        return run.cancelAsked()
                ? new RunTransition.Ends(RunStatus.CANCELLED, null)
                : new RunTransition.Ends(
                        RunStatus.LOST,
                        new RunTransition.Successor(
                                run.attempt() + 1,
                                run.failuresLeft(),
                                run.lossesLeft(),
                                Duration.ZERO));
    }

    /** Its deadline passed and its host did not end it. */
    public RunTransition.Ends overdue(Run run) {
        return ended(run, RunStatus.TIMED_OUT);
    }

    private RunTransition.Ends ended(Run run, RunStatus status) {
        return new RunTransition.Ends(status, successorOf(run, status));
    }

    private RunTransition.@Nullable Successor successorOf(Run run, RunStatus status) {
        boolean failed = status == RunStatus.FAILED || status == RunStatus.TIMED_OUT;
        if (!failed || run.cancelAsked() || run.failuresLeft() == 0) {
            return null;
        }
        return new RunTransition.Successor(
                run.attempt() + 1,
                run.failuresLeft() - 1,
                run.lossesLeft(),
                backoff.after(run.attempt(), random));
    }
}
