package dev.skep.worker;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many runs this machine does at once, for all its hubs. A poll for work holds a slot
 * meanwhile, so the last slot rotates among the hubs. Thread-safe.
 */
public final class HostSlots {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Semaphore free;
    private final AtomicInteger hubs = new AtomicInteger();
    private final AtomicInteger looksInVain = new AtomicInteger();

    public HostSlots(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at least one run at a time, not " + most);
        }
        this.free = new Semaphore(most, true);
    }

    /** A hub's worker will take places; all join before the first of them looks. */
    void join() {
        hubs.incrementAndGet();
    }

    void leave() {
        hubs.decrementAndGet();
    }

    /** How long a hub may be listened to with a place in hand. */
    Duration maxPollTime() {
        if (hubs.get() < 2 || !isFull()) {
            return LONG;
        }
        // While some hub has work, the others are only asked; when none has, each is waited for.
        return looksInVain.get() < hubs.get() ? Duration.ZERO : SHORT;
    }

    void pollFinished(boolean found) {
        if (found) {
            looksInVain.set(0);
        } else {
            looksInVain.incrementAndGet();
        }
    }

    /** Takes a slot if one is free and no one waits for it. */
    boolean takeAtOnce() throws InterruptedException {
        return free.tryAcquire(0, TimeUnit.SECONDS);
    }

    boolean isFull() {
        return free.availablePermits() == 0;
    }

    /** Whether workers of more than one hub wait, so that a place should go round. */
    boolean hasCompetingHubs() {
        return free.getQueueLength() > 1;
    }

    /** Waits for a place. */
    void take() throws InterruptedException {
        free.acquire();
    }

    void giveBack() {
        free.release();
    }
}
