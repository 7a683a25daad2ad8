package dev.skep.dispatch.queue;

/** What a host has room for. */
public enum ClaimScope {
    ANYTHING,
    /** What its limits do not hold for; see {@link dev.skep.dispatch.job.SteeringJobTypes}. */
    STEERING
}
