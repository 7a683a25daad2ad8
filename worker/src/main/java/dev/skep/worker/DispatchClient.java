package dev.skep.worker;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.wire.call.HeartbeatAnswer;
import dev.skep.wire.call.HoldAnswer;
import dev.skep.wire.call.HoldState;
import dev.skep.wire.call.HubCall;
import dev.skep.wire.call.OutputChunk;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A hub's side of a job worker: plain HTTP, or the link. Thread-safe; throws SkepException when the
 * hub cannot be reached or refuses.
 */
public interface DispatchClient {
    /** What the hub is called in the log. */
    String name();

    /** Whether this host has joined the hub, so that it knows what it allows it. */
    default boolean isEnrolled() {
        return true;
    }

    /** Reports that this host is alive and what it holds; returns what to do about it. */
    HeartbeatAnswer beat(HubCall.Heartbeat beat);

    /** The next run, if there is one in time. */
    default Optional<AssignedRun> next(Duration wait) {
        return next(wait, AcceptedWork.FOR_ANYTHING);
    }

    /** The same, of what this host has room for. */
    Optional<AssignedRun> next(Duration wait, AcceptedWork acceptedWork);

    /** Sends pieces of output; numbered, so that sending twice does no harm. */
    void print(String runId, int attempt, List<OutputChunk> chunks);

    /** Reports how a run ended; returns when the hub has stored it. */
    default void report(String runId, int attempt, JobResult result) {
        report(runId, attempt, result, false);
    }

    /**
     * The same; returns the next run, if the hub has one.
     *
     * @param more whether this host would do another
     */
    Optional<AssignedRun> report(String runId, int attempt, JobResult result, boolean more);

    /** Says what this host knows of holds; what is to be done, when that is something else. */
    default HoldAnswer hold(Optional<String> hold, HoldState state, Duration wait) {
        throw new SkepException(ErrorCode.NOT_FOUND, name() + " knows no holds");
    }

    /** What a host can take. */
    enum AcceptedWork {
        FOR_ANYTHING,
        /** It is full; only what steers agents, which takes no place. */
        FOR_STEERING
    }
}
