package dev.skep.dispatch.job;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before trying again: anything between nothing and a bound that doubles with each
 * try, so that what failed together does not come back together.
 */
public record RetryBackoff(Duration first, Duration longest) {
    /** Beyond this the bound no longer grows, whatever the longest wait is. */
    private static final int DOUBLINGS = 30;

    public RetryBackoff {
        if (first.isNegative() || first.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "first wait %s, longest %s".formatted(first, longest));
        }
    }

    /** The wait after the given number of tries, counted from 1. */
    public Duration after(int tries, RandomGenerator random) {
        long bound = bound(tries).toMillis();
        return Duration.ofMillis(bound == 0 ? 0 : random.nextLong(bound + 1));
    }

    /** The longest that {@link #after} can answer. */
    public Duration bound(int tries) {
        int doublings = Math.clamp(tries - 1, 0, DOUBLINGS);
        Duration grown = first.multipliedBy(1L << doublings);
        return grown.compareTo(longest) > 0 ? longest : grown;
    }
}
