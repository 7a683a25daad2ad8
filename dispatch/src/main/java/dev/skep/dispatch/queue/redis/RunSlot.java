package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.kernel.id.HostId;
import java.util.Collection;
import java.util.List;

/** The slot that a run takes of its host's limit. */
record RunSlot(HostId host, RunId run) {
    static List<RunSlot> ofFinished(Collection<FinishedRun> runs) {
        return runs.stream()
                .filter(run -> !run.steering())
                .map(run -> new RunSlot(run.host(), run.id()))
                .toList();
    }

    static List<RunSlot> of(Collection<Run> runs) {
        return ofFinished(runs.stream().map(FinishedRun::of).toList());
    }
}
