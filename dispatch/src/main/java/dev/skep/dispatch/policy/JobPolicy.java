package dev.skep.dispatch.policy;

/**
 * How an org wants its jobs treated.
 *
 * @param refuseExcess whether a job that would have to wait for its host's limits is refused when
 *     it is asked for, instead of waiting
 */
public record JobPolicy(boolean refuseExcess) {
    public static final JobPolicy STANDARD = new JobPolicy(false);
}
