package dev.skep.kernel.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait before trying again: a bound that doubles with each try up to the longest wait,
 * and a random part of it, so that what failed together does not come back together.
 */
public record Backoff(Duration first, Duration longest, Jitter jitter) {
    /** Beyond this the bound no longer grows, whatever the longest wait is. */
    private static final int DOUBLINGS = 30;

    /** Which part of the bound is left to chance. */
    public enum Jitter {
        /** Waits lie between nothing and the bound. */
        FULL,
        /** Waits lie between half the bound and the bound. */
        HALF
    }

    public Backoff {
        if (first.isNegative() || first.compareTo(longest) > 0) {
            throw new IllegalArgumentException(
                    "first wait %s, longest %s".formatted(first, longest));
        }
    }

    public static Backoff full(Duration first, Duration longest) {
        return new Backoff(first, longest, Jitter.FULL);
    }

    public static Backoff half(Duration first, Duration longest) {
        return new Backoff(first, longest, Jitter.HALF);
    }

    /** The wait after the given number of tries, counted from 1. */
    public Duration after(int tries, RandomGenerator random) {
        long bound = bound(tries).toMillis();
        long fixed = jitter == Jitter.HALF ? bound / 2 : 0;
        long chance = jitter == Jitter.HALF ? bound / 2 : bound;
        return Duration.ofMillis(fixed + random.nextLong(chance + 1));
    }

    /** The same, or what the other side asked for if that is longer. */
    public Duration after(int tries, @Nullable Duration asked, RandomGenerator random) {
        Duration own = after(tries, random);
        return asked != null && asked.compareTo(own) > 0 ? asked : own;
    }

    /** The longest that {@link #after(int, RandomGenerator)} can answer. */
    public Duration bound(int tries) {
        int doublings = Math.clamp(tries - 1, 0, DOUBLINGS);
        Duration grown = first.multipliedBy(1L << doublings);
        return grown.compareTo(longest) > 0 ? longest : grown;
    }
}
