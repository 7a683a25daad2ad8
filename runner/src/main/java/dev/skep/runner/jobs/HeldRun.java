package dev.skep.runner.jobs;

import java.util.concurrent.atomic.AtomicReference;

/** A run in hand, and the reason it is to end early, once there is one. Thread-safe. */
final class HeldRun {
    /** Why a run is to end before it is done. */
    enum Stop {
        CANCELLED,
        TIMED_OUT,
        /** The hub gave it to nobody or somebody else; it is not reported. */
        GONE,
        /** This worker closes; the hub hands the run out again. */
        CLOSING
    }

    private final AssignedRun run;
    private final AtomicReference<Stop> stop = new AtomicReference<>();
    private final Thread thread;

    HeldRun(AssignedRun run, Thread thread) {
        this.run = run;
        this.thread = thread;
    }

    AssignedRun run() {
        return run;
    }

    /** Ends it for this reason, unless it is ending for another. */
    void stop(Stop reason) {
        if (stop.compareAndSet(null, reason)) {
            thread.interrupt();
        }
    }

    AtomicReference<Stop> reason() {
        return stop;
    }
}
