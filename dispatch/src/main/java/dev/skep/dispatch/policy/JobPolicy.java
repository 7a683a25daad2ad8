package dev.skep.dispatch.policy;

import dev.skep.kernel.job.JobPermissions;
import java.util.List;

/**
 * How an org wants its jobs treated.
 *
 * @param refuseExcess whether a job that would have to wait for its host's limits is refused when
 *     it is asked for, instead of waiting
 * @param agentJobTypes what the keys of its agents may ask for
 */
public record JobPolicy(boolean refuseExcess, List<String> agentJobTypes) {
    public static final JobPolicy STANDARD = new JobPolicy(false, JobPermissions.GRANTED_AT_FIRST);

    public JobPolicy {
        agentJobTypes = agentJobTypes.stream().distinct().sorted().toList();
    }
}
