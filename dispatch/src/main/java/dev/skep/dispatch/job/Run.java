package dev.skep.dispatch.job;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;

/**
 * The part of a run that decisions depend on.
 *
 * @param attempt the fencing token: counts from 1 and rises with each run of a job
 * @param failuresLeft how often the job may run again after a failure
 * @param lossesLeft how often it may run again after its host was lost
 */
public record Run(
        RunId id,
        OrgId org,
        JobId job,
        HostId host,
        int attempt,
        RunStatus status,
        int priority,
        boolean cancelAsked,
        int failuresLeft,
        int lossesLeft) {

    /** Whether it takes none of what its host may hold. */
    public boolean isSteering() {
        return priority >= SteeringJobTypes.FLOOR;
    }
}
