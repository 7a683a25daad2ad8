package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.ClaimScope;
import dev.skep.dispatch.queue.ledger.TakenRun;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** What one host got for its calls of a group, until each of them has its answer. */
final class ClaimAllocation {
    private final Deque<Assignment> forSteering = new ArrayDeque<>();
    private final Deque<Assignment> forAnything = new ArrayDeque<>();
    private final List<TakenRun> taken = new ArrayList<>();
    private final RedisQueues.Refusal refusal;

    ClaimAllocation(
            RedisQueues.HostDemand hostDemand, RedisQueues.HostAssignments hostAssignments) {
        this.refusal = hostAssignments.refusal();
        for (int i = 0; i < hostAssignments.runs().size(); i++) {
            boolean steering = i < hostAssignments.steering();
            Assignment run = hostAssignments.runs().get(i);
            // Calls that take only steering jobs come first; the rest is for those that take any.
            boolean kept = steering && forSteering.size() < hostDemand.steering();
            (kept ? forSteering : forAnything).add(run);
            taken.add(new TakenRun(hostDemand.host().org(), run, steering));
        }
    }

    List<TakenRun> taken() {
        return taken;
    }

    /** The answer to one call: a run of those that were recorded, or why there is none. */
    ClaimResult answer(ClaimScope claimScope, Set<RunId> recorded) {
        Deque<Assignment> runs = claimScope == ClaimScope.STEERING ? forSteering : forAnything;
        for (Assignment run = runs.poll(); run != null; run = runs.poll()) {
            if (recorded.contains(run.run())) {
                return new ClaimResult.Claimed(run);
            }
        }
        if (claimScope == ClaimScope.STEERING) {
            return new ClaimResult.NothingPending();
        }
        return switch (refusal) {
            case NONE -> new ClaimResult.NothingPending();
            case AT_CAP -> new ClaimResult.AtCap();
            case RATE_LIMITED -> new ClaimResult.RateLimited();
        };
    }
}
