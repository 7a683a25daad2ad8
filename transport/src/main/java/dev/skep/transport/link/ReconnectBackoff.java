package dev.skep.transport.link;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Pauses between tries: each up to twice the last, and never quite the same, so that the hosts of a
 * hub that restarts do not come back all at once. Not thread-safe.
 */
final class ReconnectBackoff {
    private static final long FIRST_MILLIS = 200;
    private static final int DOUBLINGS = 7;

    private final RandomGenerator random;
    private int failures;

    ReconnectBackoff(RandomGenerator random) {
        this.random = random;
    }

    Duration next() {
        long most = FIRST_MILLIS << Math.min(failures++, DOUBLINGS);
        return Duration.ofMillis(most / 2 + random.nextLong(most / 2 + 1));
    }

    void reset() {
        failures = 0;
    }
}
