package dev.skep.dispatch.job;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;

/**
 * A run that is over: all that its place in the queue and its listeners ask of it.
 *
 * @param steering whether it took none of what its host may hold
 */
public record FinishedRun(
        RunId id, OrgId org, JobId job, HostId host, int attempt, boolean steering) {
    public static FinishedRun of(Run run) {
        return new FinishedRun(
                run.id(), run.org(), run.job(), run.host(), run.attempt(), run.isSteering());
    }
}
