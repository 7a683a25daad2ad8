package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.HostLimits.Allowance;
import dev.skep.dispatch.queue.HostCapacity;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Snapshot;
import java.time.Instant;
import java.util.List;

/** Checks whether hosts could start more runs. */
final class SqlCapacityCheck {
    private final SlotStore slots;

    SqlCapacityCheck(SlotStore slots) {
        this.slots = slots;
    }

    HostCapacity of(Snapshot snapshot, Principal.Host host, Instant now) {
        HostCounters counters =
                new HostCounters(
                        slots.read(snapshot, List.of(host.id())), now.getEpochSecond() / 60);
        return counters.allowance(host)
                .map(may -> of(snapshot, host, may))
                .orElse(HostCapacity.FREE);
    }

    private static HostCapacity of(Snapshot snapshot, Principal.Host host, Allowance allowance) {
        if (waiting(snapshot, host, allowance.runs()) < allowance.runs()) {
            return HostCapacity.FREE;
        }
        return allowance.rateLimited() ? HostCapacity.RATE_LIMITED : HostCapacity.AT_CAP;
    }

    /** How many runs wait, counted no further than matters. */
    private static long waiting(Snapshot snapshot, Principal.Host host, int enough) {
        return snapshot.first(
                        """
                        SELECT count(*) FROM (
                            SELECT 1 FROM job_runs
                            WHERE host_id = ? AND status = 'pending' AND due_at IS NULL
                              AND ordered_outside IS NULL LIMIT ?) AS w""",
                        row -> row.number(1),
                        host.id().value(),
                        enough)
                .orElse(0L);
    }
}
