package dev.skep.dispatch.queue;

/** What became of asking for work. */
public sealed interface ClaimResult {
    record Claimed(Assignment assignment) implements ClaimResult {}

    /** The host holds as many runs as it may. */
    record AtCap() implements ClaimResult {}

    /** The host has started as many runs as it may in this minute. */
    record RateLimited() implements ClaimResult {}

    record NothingPending() implements ClaimResult {}
}
