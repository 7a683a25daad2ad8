package dev.skep.runner.loop;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** How long to wait after a provider's failure: twice as long each time, and never in step. */
final class ProviderBackoff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private ProviderBackoff() {}

    /**
     * The wait after so many failures in a row, from 1.
     *
     * @param asked what the provider asked for, kept even if it is longer
     */
    static Duration after(int failures, @Nullable Duration asked, RandomGenerator random) {
        long doubled = FIRST.toMillis() << Math.min(failures - 1, 16);
        long capped = Math.min(doubled, LONGEST.toMillis());
        Duration own = Duration.ofMillis(capped / 2 + random.nextLong(capped / 2 + 1));
        return asked != null && asked.compareTo(own) > 0 ? asked : own;
    }
}
