package dev.skep.worker;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;

/** A run in hand, and the reason it is to end early, once there is one. Thread-safe. */
final class HeldRun {
    /** Why a run is to end before it is done. */
    enum Stop {
        CANCELLED,
        TIMED_OUT,
        /** The hub cancelled it or gave it to another host; it is not reported. */
        GONE,
        /** The host no longer allows its hub what it needs. */
        WITHDRAWN,
        /** This worker closes; the hub hands the run out again. */
        CLOSING
    }

    private final AssignedRun run;
    private final AtomicReference<Stop> stop = new AtomicReference<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread;

    HeldRun(AssignedRun run, Thread thread) {
        this.run = run;
        this.thread = thread;
    }

    AssignedRun run() {
        return run;
    }

    /** Whether it is of the same job as another run. */
    boolean isOf(AssignedRun other) {
        return run.jobId().equals(other.jobId());
    }

    /** Ends it for this reason, unless it is ending for another. */
    void stop(Stop reason) {
        if (stop.compareAndSet(null, reason)) {
            thread.interrupt();
        }
    }

    /** Nothing of it runs on this host any more; it may still have to be reported. */
    void isOver() {
        over.countDown();
    }

    void awaitOver() throws InterruptedException {
        over.await();
    }

    AtomicReference<Stop> reason() {
        return stop;
    }
}
