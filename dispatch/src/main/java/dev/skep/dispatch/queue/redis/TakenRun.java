package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.kernel.id.OrgId;

/** A run taken from the queue of its org. */
record TakenRun(OrgId org, Assignment run, boolean steering) {
    FinishedRun asFinished() {
        return new FinishedRun(run.run(), org, run.job(), run.host(), run.attempt(), steering);
    }
}
