package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.Wanted;
import dev.skep.dispatch.queue.ledger.Taken;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;

/** What one host got for its calls of a group, until each of them has its answer. */
final class Share {
    private final Deque<Assignment> forSteering = new ArrayDeque<>();
    private final Deque<Assignment> forAnything = new ArrayDeque<>();
    private final List<Taken> taken = new ArrayList<>();
    private final RedisQueues.Refusal refusal;

    Share(RedisQueues.Asking asking, RedisQueues.Given given) {
        this.refusal = given.refusal();
        for (int i = 0; i < given.runs().size(); i++) {
            boolean steering = i < given.steering();
            Assignment run = given.runs().get(i);
            // Who takes nothing else comes first; what is left is for those who take anything.
            boolean kept = steering && forSteering.size() < asking.steering();
            (kept ? forSteering : forAnything).add(run);
            taken.add(new Taken(asking.host().org(), run, steering));
        }
    }

    List<Taken> taken() {
        return taken;
    }

    /** The answer to one call: a run of those that were recorded, or why there is none. */
    Claim answer(Wanted wanted, Set<RunId> recorded) {
        Deque<Assignment> runs = wanted == Wanted.STEERING ? forSteering : forAnything;
        for (Assignment run = runs.poll(); run != null; run = runs.poll()) {
            if (recorded.contains(run.run())) {
                return new Claim.Claimed(run);
            }
        }
        if (wanted == Wanted.STEERING) {
            return new Claim.NothingPending();
        }
        return switch (refusal) {
            case NONE -> new Claim.NothingPending();
            case AT_CAP -> new Claim.AtCap();
            case RATE_LIMITED -> new Claim.RateLimited();
        };
    }
}
