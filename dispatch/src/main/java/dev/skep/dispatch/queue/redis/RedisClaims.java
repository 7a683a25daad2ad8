package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.queue.Assignment;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Takes runs for many hosts with one script, and records them with one commit. */
final class RedisClaims {
    private final QueueParts parts;
    private final Ledger ledger;
    private final SlotStore slots = new SlotStore();
    private final RedisQueues queues;
    private final Handover handover;

    RedisClaims(QueueParts parts, Ledger ledger, RedisQueues queues, Handover handover) {
        this.parts = parts;
        this.ledger = ledger;
        this.queues = queues;
        this.handover = handover;
    }

    /** One answer per asking host, in order; a host may ask several times. */
    List<Claim> claim(List<Principal.Host> asking) {
        Instant now = parts.clock().instant();
        Map<HostId, HostLimits> limits = limits(asking);
        Map<Principal.Host, Integer> wanted = new LinkedHashMap<>();
        asking.stream()
                .filter(host -> limits.containsKey(host.id()))
                .forEach(host -> wanted.merge(host, 1, Integer::sum));
        List<RedisQueues.Asking> all =
                wanted.entrySet().stream()
                        .map(
                                e ->
                                        new RedisQueues.Asking(
                                                e.getKey(),
                                                limits.getOrDefault(
                                                        e.getKey().id(), HostLimits.STANDARD),
                                                e.getValue()))
                        .toList();
        if (all.isEmpty()) {
            return asking.stream().<Claim>map(host -> new Claim.NothingPending()).toList();
        }
        List<RedisQueues.Given> given = queues.claim(all, now, now.plus(parts.settings().lease()));
        Map<HostId, Deque<Assignment>> recorded = record(all, given, now);
        Map<HostId, RedisQueues.Refusal> refusals = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            refusals.put(all.get(i).host().id(), given.get(i).refusal());
        }
        return asking.stream().map(host -> answer(host, recorded, refusals)).toList();
    }

    /** Limits of the hosts that are what they say they are: known, and of their org. */
    private Map<HostId, HostLimits> limits(List<Principal.Host> asking) {
        Map<HostId, HostLimits> limits = new HashMap<>();
        Map<HostId, SlotStore.Slots> known =
                parts.database()
                        .read(
                                snapshot ->
                                        slots.read(
                                                snapshot,
                                                asking.stream().map(Principal.Host::id).toList()));
        for (Principal.Host host : asking) {
            SlotStore.Slots of = known.get(host.id());
            if (of != null && of.org().equals(host.org())) {
                limits.put(host.id(), of.limits());
            }
        }
        return limits;
    }

    /** A run taken from the queue of its org. */
    private record Taken(OrgId org, Assignment run) {
        FinishedRun asFinished() {
            return new FinishedRun(run.run(), org, run.job(), run.host(), run.attempt());
        }
    }

    private Map<HostId, Deque<Assignment>> record(
            List<RedisQueues.Asking> asking, List<RedisQueues.Given> given, Instant now) {
        List<Taken> taken = new ArrayList<>();
        for (int i = 0; i < asking.size(); i++) {
            OrgId org = asking.get(i).host().org();
            given.get(i).runs().forEach(run -> taken.add(new Taken(org, run)));
        }
        if (taken.isEmpty()) {
            return Map.of();
        }
        Set<RunId> started = parts.database().write(tx -> start(tx, taken, now));
        Map<HostId, Deque<Assignment>> recorded = new HashMap<>();
        List<FinishedRun> stale = new ArrayList<>();
        for (Taken each : taken) {
            if (started.contains(each.run().run())) {
                recorded.computeIfAbsent(each.run().host(), h -> new ArrayDeque<>())
                        .add(each.run());
            } else {
                stale.add(each.asFinished());
            }
        }
        handover.release(stale);
        return recorded;
    }

    private Set<RunId> start(Transaction transaction, List<Taken> taken, Instant now) {
        Map<Optional<Duration>, List<RunId>> byTimeout = new HashMap<>();
        for (Taken each : taken) {
            byTimeout
                    .computeIfAbsent(
                            Optional.ofNullable(each.run().timeout()), t -> new ArrayList<>())
                    .add(each.run().run());
        }
        Instant lease = now.plus(parts.settings().lease());
        Duration grace = parts.settings().timeoutGrace();
        Set<RunId> started = new HashSet<>();
        byTimeout.forEach(
                (timeout, runs) -> {
                    Instant deadline = timeout.map(t -> now.plus(t).plus(grace)).orElse(null);
                    started.addAll(
                            ledger.runs().startPending(transaction, runs, now, lease, deadline));
                });
        for (Taken each : taken) {
            if (started.contains(each.run().run())) {
                ledger.news().started(transaction, each.org(), each.run(), now);
            }
        }
        return started;
    }

    private static Claim answer(
            Principal.Host host,
            Map<HostId, Deque<Assignment>> recorded,
            Map<HostId, RedisQueues.Refusal> refusals) {
        Deque<Assignment> runs = recorded.get(host.id());
        if (runs != null && !runs.isEmpty()) {
            return new Claim.Claimed(runs.removeFirst());
        }
        return switch (refusals.getOrDefault(host.id(), RedisQueues.Refusal.NONE)) {
            case NONE -> new Claim.NothingPending();
            case AT_CAP -> new Claim.AtCap();
            case RATE_LIMITED -> new Claim.RateLimited();
        };
    }
}
