package dev.skep.testkit.provider;

/**
 * What a call is charged for, each token once.
 *
 * @param input without what was cached
 */
public record ProviderUsage(long input, long cacheRead, long cacheWrite, long output) {
    public static ProviderUsage of(long input, long output) {
        return new ProviderUsage(input, 0, 0, output);
    }

    long prompt() {
        return input + cacheRead + cacheWrite;
    }

    /**
     * The most there can be: a token for each byte sent, written to the cache, all that may be
     * said.
     */
    public static ProviderUsage most(ProviderCall call) {
        return of(call.bytes(), call.outputAtMost() * call.answers());
    }
}
