package dev.skep.models;

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

    /** What a call costs at most, whatever of its prompt goes to the cache or comes from it. */
    public long atMost(long promptTokens, long outputTokens) {
        long total =
                Math.multiplyExact(dearestInput(), promptTokens)
                        + Math.multiplyExact(output, outputTokens);
        return Math.ceilDiv(total, MILLION);
    }

    /** How many tokens a reply to such a prompt may have for this amount. */
    public long outputWithin(long micros, long promptTokens) {
        if (output == 0) {
            return Long.MAX_VALUE;
        }
        long left =
                Math.multiplyExact(micros, MILLION)
                        - Math.multiplyExact(dearestInput(), promptTokens);
        return Math.max(0, left / output);
    }

    private long dearestInput() {
        return Math.max(input, Math.max(cacheRead, cacheWrite));
    }
}
