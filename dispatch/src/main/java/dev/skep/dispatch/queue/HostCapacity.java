package dev.skep.dispatch.queue;

/** Whether a host could begin one more job now. */
public enum HostCapacity {
    FREE,
    /** Its running and waiting runs use up its limit. */
    AT_CAP,
    /** It may start no more in this minute than wait already. */
    RATE_LIMITED
}
