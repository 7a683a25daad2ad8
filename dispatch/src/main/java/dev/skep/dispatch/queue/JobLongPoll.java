package dev.skep.dispatch.queue;

import dev.skep.kernel.identity.Principal;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Lets a host wait for its next run. Thread-safe. */
public final class JobLongPoll implements AutoCloseable {
    /** A wake-up that was lost, as from another hub's crash, costs no more than this. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final JobQueue queue;
    private final InstantSource clock;
    private final Duration lookAgain;
    private final WorkSignals signals = new WorkSignals();
    private volatile boolean closed;

    public JobLongPoll(JobQueue queue, InstantSource clock) {
        this(queue, clock, LOOK_AGAIN);
    }

    /** The same with another interval after which calls that were not woken check by themselves. */
    public JobLongPoll(JobQueue queue, InstantSource clock, Duration lookAgain) {
        this.queue = queue;
        this.clock = clock;
        this.lookAgain = lookAgain;
        queue.onWork(signals::signal);
    }

    /**
     * The next run as soon as there is one, or why there was none in time.
     *
     * @param worker which process of the host asks, or empty
     * @param claimScope what the host has room for
     */
    public ClaimResult next(
            Principal.Host host, String worker, ClaimScope claimScope, Duration atMost)
            throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        try (WorkSignals.Waiter waiter = signals.startWaiting(host.id(), worker)) {
            while (!waiter.isSuperseded()) {
                ClaimResult claim = queue.claim(host, claimScope);
                Duration left = Duration.ofNanos(end - System.nanoTime());
                if (claim instanceof ClaimResult.Claimed || closed || !left.isPositive()) {
                    return claim;
                }
                Duration pause =
                        claim instanceof ClaimResult.RateLimited ? untilNextMinute() : lookAgain;
                waiter.await(pause.compareTo(left) < 0 ? pause : left);
            }
            return new ClaimResult.NothingPending();
        }
    }

    /** Ends all waiting; later calls are answered at once. */
    @Override
    public void close() {
        closed = true;
        signals.signalAll();
    }

    private Duration untilNextMinute() {
        Instant now = clock.instant();
        long next = (now.getEpochSecond() / 60 + 1) * 60;
        return Duration.between(now, Instant.ofEpochSecond(next)).plusMillis(1);
    }
}
