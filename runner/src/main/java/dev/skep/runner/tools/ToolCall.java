package dev.skep.runner.tools;

import dev.skep.transport.route.JsonFields;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One call of a tool, until it is answered or given up. Used by the thread that answers it; anyone
 * may wake it or give it up.
 */
final class ToolCall {
    private static final long LONGEST_REST = TimeUnit.SECONDS.toNanos(2);

    private final ToolCaller caller;
    private final JsonFields given;
    private final Semaphore wakes = new Semaphore(0);
    private volatile boolean givenUp;

    ToolCall(ToolCaller caller, JsonFields given) {
        this.caller = caller;
        this.given = given;
    }

    ToolCaller caller() {
        return caller;
    }

    JsonFields given() {
        return given;
    }

    /** Looks again now, if it waits. */
    void wake() {
        wakes.release();
    }

    /** Nobody wants the answer any more. */
    void giveUp() {
        givenUp = true;
        wake();
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** Rests until it is woken, at most so long and never for long. */
    void rest(long nanos) throws InterruptedException {
        if (wakes.tryAcquire(Math.min(nanos, LONGEST_REST), TimeUnit.NANOSECONDS)) {
            wakes.drainPermits();
        }
    }

    /** How long the agent wants to wait, as far as it may. */
    Duration patience() {
        Optional<Long> seconds = given.optionalNumber(MailTools.WAIT);
        return seconds.map(Duration::ofSeconds)
                .filter(wanted -> wanted.compareTo(caller.longestWait()) < 0)
                .orElse(caller.longestWait());
    }
}
