package dev.skep.dispatch.host;

import java.time.Duration;

/**
 * How often hosts send heartbeats: more rarely the more hosts there are, so that heartbeats stay
 * cheap.
 */
public final class HeartbeatInterval {
    static final Duration SHORTEST = Duration.ofSeconds(10);

    /** Well inside a lease of 30 seconds, and three of them inside the offline threshold. */
    static final Duration LONGEST = Duration.ofSeconds(20);

    private static final int HOSTS_PER_SECOND = 500;

    private HeartbeatInterval() {}

    public static Duration forFleet(long hosts) {
        Duration wanted = Duration.ofSeconds(hosts / HOSTS_PER_SECOND);
        if (wanted.compareTo(SHORTEST) < 0) {
            return SHORTEST;
        }
        return wanted.compareTo(LONGEST) > 0 ? LONGEST : wanted;
    }

    /** Two beats missed: shown as silent, before it counts as offline. */
    public static Duration suspectAfter(Duration interval) {
        return interval.multipliedBy(2).plus(interval.dividedBy(2));
    }
}
