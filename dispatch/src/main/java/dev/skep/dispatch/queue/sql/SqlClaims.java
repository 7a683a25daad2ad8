package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.HostUsage;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Hands out runs to many hosts in one transaction. */
final class SqlClaims {
    private final Database database;
    private final Ledger ledger;
    private final SlotStore slots;
    private final QueueSettings settings;
    private final InstantSource clock;

    SqlClaims(
            Database database,
            Ledger ledger,
            SlotStore slots,
            QueueSettings settings,
            InstantSource clock) {
        this.database = database;
        this.ledger = ledger;
        this.slots = slots;
        this.settings = settings;
        this.clock = clock;
    }

    /** One answer per asking host, in order; a host may ask several times. */
    List<Claim> claim(List<Principal.Host> asking) {
        return database.write(transaction -> claim(transaction, asking));
    }

    private List<Claim> claim(Transaction transaction, List<Principal.Host> asking) {
        Instant now = clock.instant();
        long minute = minuteOf(now);
        Map<HostId, SlotStore.Slots> known =
                slots.lock(transaction, asking.stream().map(Principal.Host::id).toList());
        Map<HostId, Integer> wanted = new LinkedHashMap<>();
        Map<HostId, Claim> refusals = new HashMap<>();
        for (Principal.Host host : asking) {
            SlotStore.Slots of = known.get(host.id());
            // A host of another org is a host without jobs here.
            if (of == null || !of.org().equals(host.org())) {
                continue;
            }
            HostLimits.Allowance allowance = of.limits().allowance(of.usage(), minute);
            if (wanted.getOrDefault(host.id(), 0) < allowance.runs()) {
                wanted.merge(host.id(), 1, Integer::sum);
            } else {
                refusals.put(
                        host.id(),
                        allowance.rateLimited() ? new Claim.RateLimited() : new Claim.AtCap());
            }
        }
        Map<HostId, Deque<Assignment>> found = start(transaction, wanted, now);
        count(transaction, known, found, now);
        return answers(asking, found, wanted, refusals);
    }

    private Map<HostId, Deque<Assignment>> start(
            Transaction transaction, Map<HostId, Integer> wanted, Instant now) {
        Map<HostId, Deque<Assignment>> byHost = new HashMap<>();
        Map<Optional<Duration>, List<RunId>> byTimeout = new HashMap<>();
        for (Assignment assignment : ReadyRuns.find(transaction, wanted)) {
            byHost.computeIfAbsent(assignment.host(), h -> new ArrayDeque<>()).add(assignment);
            byTimeout
                    .computeIfAbsent(
                            Optional.ofNullable(assignment.timeout()), t -> new ArrayList<>())
                    .add(assignment.run());
        }
        Instant lease = now.plus(settings.lease());
        byTimeout.forEach(
                (timeout, runs) ->
                        ledger.runs()
                                .start(
                                        transaction,
                                        runs,
                                        now,
                                        lease,
                                        timeout.map(t -> now.plus(t).plus(settings.timeoutGrace()))
                                                .orElse(null)));
        return byHost;
    }

    private void count(
            Transaction transaction,
            Map<HostId, SlotStore.Slots> known,
            Map<HostId, Deque<Assignment>> found,
            Instant now) {
        Map<HostId, HostUsage> changed = new LinkedHashMap<>();
        known.forEach(
                (host, of) -> {
                    Deque<Assignment> taken = found.get(host);
                    if (taken != null) {
                        changed.put(host, of.usage().given(taken.size(), minuteOf(now)));
                        taken.forEach(run -> ledger.tellStarted(transaction, of.org(), run, now));
                    }
                });
        slots.write(transaction, changed);
    }

    private static long minuteOf(Instant now) {
        return now.getEpochSecond() / 60;
    }

    private static List<Claim> answers(
            List<Principal.Host> asking,
            Map<HostId, Deque<Assignment>> found,
            Map<HostId, Integer> wanted,
            Map<HostId, Claim> refusals) {
        Map<HostId, Integer> left = new HashMap<>(wanted);
        List<Claim> answers = new ArrayList<>(asking.size());
        for (Principal.Host host : asking) {
            // The first to ask are those whose wish was counted; the others met the limit.
            boolean counted = left.getOrDefault(host.id(), 0) > 0;
            left.computeIfPresent(host.id(), (h, n) -> n - 1);
            Deque<Assignment> assignments = found.get(host.id());
            if (counted && assignments != null && !assignments.isEmpty()) {
                answers.add(new Claim.Claimed(assignments.removeFirst()));
            } else if (counted) {
                answers.add(new Claim.NothingPending());
            } else {
                answers.add(refusals.getOrDefault(host.id(), new Claim.NothingPending()));
            }
        }
        return answers;
    }
}
