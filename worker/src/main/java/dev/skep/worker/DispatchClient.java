package dev.skep.worker;

import dev.skep.kernel.consent.Consents;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

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

    /** Tells that this host is alive and what it holds; answers what to do about it. */
    HeartbeatResponse beat(HeartbeatReport report);

    /** The next run, if there is one in time. */
    default Optional<AssignedRun> next(Duration wait) {
        return next(wait, AcceptedWork.FOR_ANYTHING);
    }

    /** The same, of what this host has room for. */
    Optional<AssignedRun> next(Duration wait, AcceptedWork acceptedWork);

    /** Sends pieces of output; numbered, so that sending twice does no harm. */
    void print(String runId, int attempt, List<OutputPiece> pieces);

    /** Says how a run ended; returns when the hub has stored it. */
    default void report(String runId, int attempt, JobResult result) {
        report(runId, attempt, result, false);
    }

    /**
     * The same; returns the next run, if the hub has one.
     *
     * @param more whether this host would do another
     */
    Optional<AssignedRun> report(String runId, int attempt, JobResult result, boolean more);

    /** What a host can take. */
    enum AcceptedWork {
        FOR_ANYTHING,
        /** It is full; only what steers agents, which takes no place. */
        FOR_STEERING
    }

    /**
     * What a beat carries.
     *
     * @param allows asked when it is sent: what a host allows is not known before it has joined
     */
    record HeartbeatReport(
            String version,
            Map<String, Double> metrics,
            List<RunningAttempt> running,
            Map<String, ServerState> servers,
            Supplier<Consents> allows) {}

    /** A server's state, and for how long it has been so. */
    record ServerState(String state, Duration age) {}

    /** A run in hand. */
    record RunningAttempt(String runId, int attempt) {}

    /** What the hub wants. */
    record HeartbeatResponse(Duration interval, Map<String, RunOrder> orders) {}

    /** What is to be done about a run. */
    enum RunOrder {
        RENEWED,
        CANCEL,
        GONE
    }

    /** A piece of output. */
    record OutputPiece(long n, String stream, String text) {}
}
