package dev.skep.runner.model;

/** What a model costs, in micro-dollars per million tokens: exact, never floating point. */
public record Prices(long input, long output, long cacheRead, long cacheWrite) {
    public static final Prices FREE = new Prices(0, 0, 0, 0);

    private static final long MILLION = 1_000_000;

    /** The cost of one call in micro-dollars, rounded up so that a limit is never passed unseen. */
    public long cost(Usage usage) {
        long total =
                Math.multiplyExact(input, usage.input())
                        + Math.multiplyExact(output, usage.output())
                        + Math.multiplyExact(cacheRead, usage.cacheRead())
                        + Math.multiplyExact(cacheWrite, usage.cacheWrite());
        return Math.ceilDiv(total, MILLION);
    }
}
