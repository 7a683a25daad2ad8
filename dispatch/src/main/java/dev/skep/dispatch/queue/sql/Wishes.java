package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.HostUsage;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What hosts that ask together may be given. Decides only.
 *
 * @param runs how many runs each host may have of those it asks for
 * @param refusals why a host that asks for more may not
 */
record Wishes(
        List<Principal.Host> asking,
        Map<HostId, SlotStore.Slots> known,
        Map<HostId, Integer> runs,
        Map<HostId, Claim> refusals) {

    static Wishes of(List<Principal.Host> asking, Map<HostId, SlotStore.Slots> known, long minute) {
        Map<HostId, Integer> runs = new LinkedHashMap<>();
        Map<HostId, Claim> refusals = new HashMap<>();
        for (Principal.Host host : asking) {
            SlotStore.Slots of = known.get(host.id());
            // A host of another org is a host without jobs here.
            if (of == null || !of.org().equals(host.org())) {
                continue;
            }
            HostLimits.Allowance allowance = of.limits().allowance(of.usage(), minute);
            if (runs.getOrDefault(host.id(), 0) < allowance.runs()) {
                runs.merge(host.id(), 1, Integer::sum);
            } else {
                refusals.put(
                        host.id(),
                        allowance.rateLimited() ? new Claim.RateLimited() : new Claim.AtCap());
            }
        }
        return new Wishes(asking, known, runs, refusals);
    }

    OrgId orgOf(HostId host) {
        return slotsOf(host).org();
    }

    HostUsage usageOf(HostId host) {
        return slotsOf(host).usage();
    }

    private SlotStore.Slots slotsOf(HostId host) {
        return Objects.requireNonNull(known.get(host));
    }

    /** One answer per ask, in order. */
    List<Claim> answers(Map<HostId, Deque<Assignment>> given) {
        Map<HostId, Integer> left = new HashMap<>(runs);
        List<Claim> answers = new ArrayList<>(asking.size());
        for (Principal.Host host : asking) {
            // The first to ask are those whose wish was counted; the others met the limit.
            boolean counted = left.getOrDefault(host.id(), 0) > 0;
            left.computeIfPresent(host.id(), (h, n) -> n - 1);
            Deque<Assignment> runs = given.get(host.id());
            if (counted && runs != null && !runs.isEmpty()) {
                answers.add(new Claim.Claimed(runs.removeFirst()));
            } else if (counted) {
                answers.add(new Claim.NothingPending());
            } else {
                answers.add(refusals.getOrDefault(host.id(), new Claim.NothingPending()));
            }
        }
        return answers;
    }
}
