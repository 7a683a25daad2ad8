package dev.skep.models.gateway;

import dev.skep.models.ModelCard;
import dev.skep.models.Prices;

/**
 * What counts for one call: the table's prices with the surcharges for its tier, for a cache that
 * is kept longer, and for a prompt beyond the length up to which the table's prices hold.
 */
record CallPrices(ModelCard model, int percent, boolean keepsCacheLonger) {
    private static final int WHOLE = 100;

    /** What providers charge beyond that length, in percent. */
    private static final int LONG_INPUT = 200;

    private static final int LONG_OUTPUT = 150;

    Prices forPrompt(long tokens) {
        Prices plain = model.prices();
        boolean isLong = tokens > model.contextTokens();
        // An hour in the cache costs twice the input.
        long written =
                keepsCacheLonger
                        ? Math.max(plain.cacheWrite(), 2 * plain.input())
                        : plain.cacheWrite();
        int input = isLong ? LONG_INPUT : WHOLE;
        return new Prices(
                times(plain.input(), input),
                times(plain.output(), isLong ? LONG_OUTPUT : WHOLE),
                times(plain.cacheRead(), input),
                times(written, input));
    }

    private long times(long price, int factor) {
        return Math.ceilDiv(price * percent * factor, WHOLE * WHOLE);
    }
}
