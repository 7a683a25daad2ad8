package dev.skep.runner.jobs;

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
public interface DispatchLink {
    /** What the hub is called in the log. */
    String name();

    /** Whether this host has joined the hub, so that it knows what it allows it. */
    default boolean isEnrolled() {
        return true;
    }

    /** Tells that this host is alive and what it holds; answers what to do about it. */
    BeatAnswer beat(BeatReport report);

    /** The next run, if there is one in time. */
    default Optional<AssignedRun> next(Duration wait) {
        return next(wait, Room.FOR_ANYTHING);
    }

    /** The same, of what this host has room for. */
    Optional<AssignedRun> next(Duration wait, Room room);

    /** Sends pieces of output; numbered, so that sending twice does no harm. */
    void print(String runId, int attempt, List<Printed> pieces);

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
    enum Room {
        FOR_ANYTHING,
        /** It is full; only what steers agents, which takes no place. */
        FOR_STEERING
    }

    /**
     * What a beat carries.
     *
     * @param allows asked when it is sent: what a host allows is not known before it has joined
     */
    record BeatReport(
            String version,
            Map<String, Double> metrics,
            List<Held> running,
            Map<String, ServerNow> servers,
            Supplier<Consents> allows) {}

    /** A server's state, and for how long it has been so. */
    record ServerNow(String state, Duration age) {}

    /** A run in hand. */
    record Held(String runId, int attempt) {}

    /** What the hub wants. */
    record BeatAnswer(Duration interval, Map<String, Order> orders) {}

    /** What is to be done about a run. */
    enum Order {
        RENEWED,
        CANCEL,
        GONE
    }

    /** A piece of output. */
    record Printed(long n, String stream, String text) {}
}
