package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.ledger.HostTurn;
import dev.skep.kernel.identity.Principal;
import java.util.ArrayList;
import java.util.List;

/** What one host says and asks for in all. */
final class Asked {
    private final Principal.Host host;
    private final HostLimits limits;
    private final List<RunId> over = new ArrayList<>();
    private int anything;
    private int steering;

    Asked(Principal.Host host, HostLimits limits) {
        this.host = host;
        this.limits = limits;
    }

    void add(HostTurn turn) {
        Report report = turn.report();
        // A report with another attempt than its run's is not about this run.
        if (report != null && report.run().isAttempt(report.attempt())) {
            over.add(report.run());
        }
        if (turn.asks()) {
            switch (turn.wants()) {
                case ANYTHING -> anything++;
                case STEERING -> steering++;
            }
        }
    }

    RedisQueues.Asking asking() {
        return new RedisQueues.Asking(host, limits, anything, steering, over);
    }
}
