package dev.skep.models;

/**
 * The tokens of one call, each counted once: {@code input} holds neither those read from the cache
 * nor those written to it; {@code output} includes reasoning.
 *
 * @param exact whether the provider counted the whole call; if not, it may charge for more
 */
public record Usage(long input, long output, long cacheRead, long cacheWrite, boolean exact) {
    public static final Usage NONE = new Usage(0, 0, 0, 0);

    public Usage(long input, long output, long cacheRead, long cacheWrite) {
        this(input, output, cacheRead, cacheWrite, true);
    }

    /** What is known of a call whose usage was not counted to the end. */
    public Usage atLeast() {
        return new Usage(input, output, cacheRead, cacheWrite, false);
    }

    /** Everything the model was sent. */
    public long prompt() {
        return input + cacheRead + cacheWrite;
    }

    /** All tokens of the call: what the context window has to hold. */
    public long context() {
        return prompt() + output;
    }
}
