package dev.skep.dispatch.queue;

/** Whether a host could begin one more job now. */
public enum HostCapacity {
    FREE,
    /** What it holds and what waits for it take all that it may hold. */
    AT_CAP,
    /** It may start no more in this minute than wait already. */
    RATE_LIMITED
}
