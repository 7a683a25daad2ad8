package dev.skep.dispatch.queue;

/** What a host has room for. */
public enum Wanted {
    ANYTHING,
    /** What its limits do not hold for; see {@link dev.skep.dispatch.job.Steering}. */
    STEERING
}
