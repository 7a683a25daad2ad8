package dev.skep.runner.jobs;

import java.util.concurrent.Semaphore;

/** How many runs this machine does at once, for all the hubs it is joined to. Thread-safe. */
public final class HostSlots {
    private final Semaphore free;

    public HostSlots(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("at least one run at a time, not " + most);
        }
        this.free = new Semaphore(most, true);
    }

    boolean takeAtOnce() {
        return free.tryAcquire();
    }

    boolean isFull() {
        return free.availablePermits() == 0;
    }

    /** Whether workers of more than one hub wait, so that a place should go round. */
    boolean othersWait() {
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
