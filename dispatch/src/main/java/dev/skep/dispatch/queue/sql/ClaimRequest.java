package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.HostLimits.Allowance;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.ClaimScope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** What one host requests within a batch of calls, and what it gets. Decides only. */
final class ClaimRequest {
    private final Allowance allowance;
    private final Deque<Assignment> forAnything = new ArrayDeque<>();
    private final Deque<Assignment> forSteering = new ArrayDeque<>();
    private int anything;
    private int steering;
    private int counted;

    ClaimRequest(Allowance allowance) {
        this.allowance = allowance;
    }

    void ask(ClaimScope claimScope) {
        switch (claimScope) {
            case ANYTHING -> anything++;
            case STEERING -> steering++;
        }
    }

    /** How many runs it takes at most. */
    int most() {
        return anything + steering;
    }

    /** Whether it may be given nothing that counts. */
    boolean onlySteering() {
        return anything == 0 || allowance.runs() == 0;
    }

    /** Takes from what is ready for the host, best first, what it may have, and returns that. */
    List<ReadyRun> take(List<ReadyRun> found) {
        List<ReadyRun> ready = found.subList(0, Math.min(most(), found.size()));
        List<ReadyRun> taken = new ArrayList<>(ready.stream().filter(ReadyRun::steering).toList());
        // Calls that take only steering jobs come first; the rest is for those that take any.
        for (ReadyRun run : taken) {
            (forSteering.size() < steering ? forSteering : forAnything).add(run.assignment());
        }
        int may = Math.min(allowance.runs(), anything - forAnything.size());
        for (ReadyRun run : ready) {
            if (!run.steering() && counted < may) {
                forAnything.add(run.assignment());
                taken.add(run);
                counted++;
            }
        }
        return taken;
    }

    /** How many of those it took count against its limits. */
    int counted() {
        return counted;
    }

    /** The answer to one of its calls. */
    ClaimResult answer(ClaimScope claimScope) {
        Assignment run = (claimScope == ClaimScope.STEERING ? forSteering : forAnything).poll();
        if (run != null) {
            return new ClaimResult.Claimed(run);
        }
        if (claimScope == ClaimScope.STEERING || counted < allowance.runs()) {
            return new ClaimResult.NothingPending();
        }
        return allowance.rateLimited() ? new ClaimResult.RateLimited() : new ClaimResult.AtCap();
    }
}
