package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.HostLimits.Allowance;
import dev.skep.dispatch.job.HostUsage;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What hosts hold of what they may, as it changes within one transaction. */
final class HostCounters {
    private final Map<HostId, SlotStore.Slots> known;
    private final long minute;
    private final Map<HostId, HostUsage> changed = new LinkedHashMap<>();

    HostCounters(Map<HostId, SlotStore.Slots> known, long minute) {
        this.known = known;
        this.minute = minute;
    }

    /** What a host may be given; empty if it is not the org's. */
    Optional<Allowance> allowance(Principal.Host host) {
        // A host of another org is a host without jobs here.
        return Optional.ofNullable(known.get(host.id()))
                .filter(slots -> slots.org().equals(host.org()))
                .map(slots -> slots.limits().allowance(usage(host.id(), slots), minute));
    }

    void given(HostId host, int runs) {
        SlotStore.Slots slots = known.get(host);
        if (slots != null && runs > 0) {
            changed.put(host, usage(host, slots).given(runs, minute));
        }
    }

    void freed(Collection<FinishedRun> ended) {
        for (FinishedRun run : ended) {
            SlotStore.Slots slots = known.get(run.host());
            if (slots != null && !run.steering()) {
                changed.put(run.host(), usage(run.host(), slots).freed(1));
            }
        }
    }

    private HostUsage usage(HostId host, SlotStore.Slots slots) {
        return changed.getOrDefault(host, slots.usage());
    }

    boolean knows(HostId host) {
        return known.containsKey(host);
    }

    OrgId orgOf(HostId host) {
        return Objects.requireNonNull(known.get(host)).org();
    }

    /** The counters to write. */
    Map<HostId, HostUsage> changed() {
        return changed;
    }
}
