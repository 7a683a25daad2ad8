package dev.skep.dispatch.budget;

/** How large leases are and how long they last. */
final class LeaseRules {
    private static final long LONGEST = 6 * 3_600_000L;
    private static final long HOUR = 3_600_000L;

    private LeaseRules() {}

    /** A quarter of the window, at most six hours. */
    static long lasts(long window) {
        return Math.min(window / 4, LONGEST);
    }

    /**
     * What a host is lent: enough for its next call and for what it will spend at its rate, but no
     * more than half of what is free unless the call takes it. Zero where even the least is not
     * free.
     *
     * @param rate what the host spends in an hour
     */
    static long amount(long limit, long free, long least, long most, long rate, long lasts) {
        if (free <= 0 || free < least) {
            return 0;
        }
        double expected = (double) rate * lasts / HOUR * 1.25;
        long usual = Math.max(limit / 20, Math.min((long) Math.min(expected, 1e15), limit));
        return Math.min(free, Math.max(most, Math.min(usual, free / 2)));
    }
}
