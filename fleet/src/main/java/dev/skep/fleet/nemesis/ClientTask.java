package dev.skep.fleet.nemesis;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Something a client asks a process for, again and again, one call at a time. */
interface ClientTask {
    /** Asks once. */
    void step(RandomGenerator random) throws InterruptedException;

    /** How long it rests between two calls, more or less. */
    Duration pause();
}
