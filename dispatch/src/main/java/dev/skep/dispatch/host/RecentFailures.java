package dev.skep.dispatch.host;

import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Remembers how each host's last runs ended, one bit per run, to detect a host on which most runs
 * fail. Kept in memory only. Thread-safe.
 */
public final class RecentFailures {
    private static final int REMEMBERED = 20;
    private static final int AT_LEAST = 10;
    private static final Set<String> FAILED = Set.of("failed", "timed_out");

    private record Outcomes(long bits, int count) {
        Outcomes with(boolean failed) {
            long mask = (1L << REMEMBERED) - 1;
            return new Outcomes(
                    ((bits << 1) | (failed ? 1 : 0)) & mask, Math.min(REMEMBERED, count + 1));
        }
    }

    private final ConcurrentMap<HostId, Outcomes> byHost = new ConcurrentHashMap<>();

    public void onEvent(FleetEvent event) {
        if (event instanceof FleetEvent.JobRunDone done && !done.status().equals("cancelled")) {
            boolean failed = FAILED.contains(done.status());
            byHost.merge(
                    done.host(),
                    new Outcomes(failed ? 1 : 0, 1),
                    (known, one) -> known.with(failed));
        }
    }

    /** Whether more than half of its last runs failed. */
    public boolean mostFail(HostId host) {
        Outcomes outcomes = byHost.get(host);
        return outcomes != null
                && outcomes.count >= AT_LEAST
                && Long.bitCount(outcomes.bits) * 2 > outcomes.count;
    }
}
