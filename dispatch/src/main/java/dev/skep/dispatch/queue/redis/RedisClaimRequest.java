package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.RunReport;
import dev.skep.dispatch.queue.ledger.TurnRequest;
import dev.skep.kernel.identity.Principal;
import java.util.ArrayList;
import java.util.List;

/** All that one host reports and requests in a batch. */
final class RedisClaimRequest {
    private final Principal.Host host;
    private final HostLimits limits;
    private final List<RunId> over = new ArrayList<>();
    private int anything;
    private int steering;

    RedisClaimRequest(Principal.Host host, HostLimits limits) {
        this.host = host;
        this.limits = limits;
    }

    void add(TurnRequest turn) {
        RunReport report = turn.report();
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

    RedisQueues.HostDemand hostDemand() {
        return new RedisQueues.HostDemand(host, limits, anything, steering, over);
    }
}
