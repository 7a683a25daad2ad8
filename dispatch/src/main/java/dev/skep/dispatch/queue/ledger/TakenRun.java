package dev.skep.dispatch.queue.ledger;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.kernel.id.OrgId;

/**
 * A run about to be handed to its host.
 *
 * @param steering whether it takes none of what its host may hold
 */
public record TakenRun(OrgId org, Assignment assignment, boolean steering) {
    public RunId run() {
        return assignment.run();
    }

    /** What it is once it is over. */
    FinishedRun finished() {
        return new FinishedRun(
                assignment.run(),
                org,
                assignment.job(),
                assignment.host(),
                assignment.attempt(),
                steering);
    }
}
