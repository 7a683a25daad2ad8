package dev.skep.runner.model;

/**
 * The tokens of one call, each counted once: {@code input} holds neither those read from the cache
 * nor those written to it; {@code output} includes reasoning.
 */
public record Usage(long input, long output, long cacheRead, long cacheWrite) {
    public static final Usage NONE = new Usage(0, 0, 0, 0);

    /** Everything the model had to look at: what the context window has to hold. */
    public long context() {
        return input + cacheRead + cacheWrite + output;
    }
}
