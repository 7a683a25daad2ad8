package dev.skep.dispatch.queue;

/** What became of asking for work. */
public sealed interface Claim {
    record Claimed(Assignment assignment) implements Claim {}

    /** The host holds as many runs as it may. */
    record AtCap() implements Claim {}

    /** The host has started as many runs as it may in this minute. */
    record RateLimited() implements Claim {}

    record NothingPending() implements Claim {}
}
