package dev.skep.dispatch.job;

import org.jspecify.annotations.Nullable;

/**
 * How much a host may be given.
 *
 * @param perMinute how many runs may start within one minute of the clock; null for any number
 */
public record HostLimits(int concurrent, @Nullable Integer perMinute) {
    public static final HostLimits STANDARD = new HostLimits(1, null);

    public HostLimits {
        if (concurrent < 0 || (perMinute != null && perMinute < 0)) {
            throw new IllegalArgumentException("limits are not negative");
        }
    }

    /** How many more runs a host with this usage may be given in this minute. */
    public Allowance allowance(HostUsage usage, long minute) {
        int free = Math.max(0, concurrent - usage.running());
        if (free == 0) {
            return new Allowance(0, false);
        }
        if (perMinute == null) {
            return new Allowance(free, false);
        }
        int started = usage.minute() == minute ? usage.started() : 0;
        int left = Math.max(0, perMinute - started);
        return new Allowance(Math.min(free, left), left == 0);
    }

    /**
     * What a host may be given now.
     *
     * @param rateLimited true if nothing may be given, only because of the limit per minute
     */
    public record Allowance(int runs, boolean rateLimited) {}
}
