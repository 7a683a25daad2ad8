package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.batch.ConcurrentTask;
import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.HostCapacity;
import dev.skep.dispatch.queue.ReportResult;
import dev.skep.dispatch.queue.TurnResult;
import dev.skep.dispatch.queue.ledger.BatchMismatchException;
import dev.skep.dispatch.queue.ledger.HostReport;
import dev.skep.dispatch.queue.ledger.JobLedger;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.ledger.ReportBatch;
import dev.skep.dispatch.queue.ledger.RunStarter;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.dispatch.queue.ledger.TakenRun;
import dev.skep.dispatch.queue.ledger.TurnRequest;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import io.lettuce.core.RedisException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Takes the reports of many hosts and claims their next runs: while one script claims, one commit
 * records what ended, and another what was claimed. The order of the commits does not matter: a
 * host that receives no answer repeats its request.
 */
final class RedisTurnProcessor {
    private final QueueDependencies queueDependencies;
    private final JobLedger ledger;
    private final HostLimitsCache limits;
    private final RedisQueues queues;
    private final RedisPublisher redisPublisher;

    RedisTurnProcessor(
            QueueDependencies queueDependencies,
            JobLedger ledger,
            HostLimitsCache limits,
            RedisQueues queues,
            RedisPublisher redisPublisher) {
        this.queueDependencies = queueDependencies;
        this.ledger = ledger;
        this.limits = limits;
        this.queues = queues;
        this.redisPublisher = redisPublisher;
    }

    /** One answer per turn, in order; a host may have several. */
    List<TurnResult> take(List<TurnRequest> turns) {
        RunStarter.StartTime now = RunStarter.StartTime.now(queueDependencies);
        boolean asks = turns.stream().anyMatch(TurnRequest::asks);
        List<RedisQueues.HostDemand> hostDemand = asks ? asking(turns) : List.of();
        ConcurrentTask<List<ReportResult>> settling =
                ConcurrentTask.begin(() -> settle(turns, hostDemand, now.shown()));
        try {
            String group = queueDependencies.ids().next();
            Map<HostId, ClaimAllocation> claimAllocations = shares(group, hostDemand, now);
            Set<RunId> started = record(group, claimAllocations.values(), now);
            return answers(turns, settling.await(), claimAllocations, started);
        } catch (RedisException | RedisQueues.EmptyRedisException e) {
            List<ReportResult> settled = settling.await();
            if (!settled.isEmpty()) {
                redisPublisher.repairLater();
            }
            if (settled.size() < turns.size()) {
                throw e;
            }
            // The ledger accepts reports without Redis; the next poll notices.
            return answers(turns, settled, Map.of(), Set.of());
        }
    }

    /** Whether a host could begin more. */
    HostCapacity room(Principal.Host host) {
        SlotStore.Limits of = limits.of(List.of(host.id())).get(host.id());
        return of == null
                ? HostCapacity.FREE
                : queues.room(host, of.limits(), queueDependencies.clock().instant());
    }

    /** Of the hosts that are known and belong to their org. */
    private List<RedisQueues.HostDemand> asking(List<TurnRequest> turns) {
        Map<HostId, SlotStore.Limits> known =
                limits.of(turns.stream().map(turn -> turn.host().id()).toList());
        Map<HostId, RedisClaimRequest> redisClaimRequest = new LinkedHashMap<>();
        for (TurnRequest turn : turns) {
            Principal.Host host = turn.host();
            SlotStore.Limits of = known.get(host.id());
            if (of != null && of.org().equals(host.org())) {
                redisClaimRequest
                        .computeIfAbsent(host.id(), h -> new RedisClaimRequest(host, of.limits()))
                        .add(turn);
            }
        }
        return redisClaimRequest.values().stream().map(RedisClaimRequest::hostDemand).toList();
    }

    /** Records what is over, and frees the slots that the script does not. */
    private List<ReportResult> settle(
            List<TurnRequest> turns, List<RedisQueues.HostDemand> hostDemand, Instant now) {
        List<HostReport> said = TurnRequest.reports(turns);
        if (said.isEmpty()) {
            return List.of();
        }
        ReportBatch reportBatch =
                BatchMismatchException.write(
                        queueDependencies.database(),
                        (tx, looking) ->
                                ledger.runFinisher()
                                        .apply(tx, queueDependencies.rules(), said, now));
        Set<RunId> freed =
                hostDemand.stream().flatMap(a -> a.over().stream()).collect(Collectors.toSet());
        List<FinishedRun> ended = reportBatch.ended();
        redisPublisher.release(
                RunSlot.ofFinished(
                        ended.stream().filter(run -> !freed.contains(run.id())).toList()));
        redisPublisher.wake(ended.stream().map(FinishedRun::host).distinct().toList());
        redisPublisher.put(reportBatch.next());
        return reportBatch.settlements();
    }

    private Map<HostId, ClaimAllocation> shares(
            String group, List<RedisQueues.HostDemand> hostDemand, RunStarter.StartTime now) {
        if (hostDemand.isEmpty()) {
            return Map.of();
        }
        List<RedisQueues.HostAssignments> hostAssignments =
                queues.turn(
                        group,
                        now.steady().plus(queueDependencies.settings().lease()),
                        hostDemand,
                        now.shown());
        Map<HostId, ClaimAllocation> claimAllocations = new HashMap<>();
        for (int i = 0; i < hostDemand.size(); i++) {
            RedisQueues.HostDemand of = hostDemand.get(i);
            claimAllocations.put(of.host().id(), new ClaimAllocation(of, hostAssignments.get(i)));
        }
        return claimAllocations;
    }

    /** Records what was taken, and returns what may begin of it. */
    private Set<RunId> record(
            String group, Collection<ClaimAllocation> claimAllocations, RunStarter.StartTime now) {
        List<TakenRun> taken =
                claimAllocations.stream()
                        .flatMap(claimAllocation -> claimAllocation.taken().stream())
                        .toList();
        if (taken.isEmpty()) {
            return Set.of();
        }
        Recorded recorded =
                BatchMismatchException.write(
                        queueDependencies.database(),
                        (tx, looking) -> {
                            Set<RunId> started = start(tx, taken, now, looking);
                            return new Recorded(started, refused(tx, taken, started));
                        });
        List<Run> refused = recorded.refused();
        if (refused.stream().noneMatch(run -> run.status() == RunStatus.PENDING)) {
            queues.recorded(group);
        }
        // If it runs, it was claimed twice, and the slot is its own.
        redisPublisher.release(
                RunSlot.of(refused.stream().filter(run -> run.status().isOver()).toList()));
        return recorded.started();
    }

    /**
     * The result from the ledger.
     *
     * @param refused runs that were taken and not started
     */
    private record Recorded(Set<RunId> started, List<Run> refused) {}

    private Set<RunId> start(
            Transaction transaction,
            List<TakenRun> taken,
            RunStarter.StartTime now,
            boolean looking) {
        if (queueDependencies
                .steady()
                .instant()
                .isAfter(now.steady().plus(queueDependencies.settings().lease()))) {
            // This took so long that other hubs may clean up the group: they put all of it back.
            return Set.of();
        }
        return ledger.runStarter()
                .startPending(transaction, taken, now, queueDependencies.settings(), looking);
    }

    private List<Run> refused(Transaction transaction, List<TakenRun> taken, Set<RunId> started) {
        if (started.size() == taken.size()) {
            return List.of();
        }
        return List.copyOf(
                ledger.lookup()
                        .find(
                                transaction,
                                taken.stream()
                                        .map(TakenRun::run)
                                        .filter(run -> !started.contains(run))
                                        .toList())
                        .values());
    }

    private static List<TurnResult> answers(
            List<TurnRequest> turns,
            List<ReportResult> reportResults,
            Map<HostId, ClaimAllocation> claimAllocations,
            Set<RunId> started) {
        Iterator<ReportResult> settled = reportResults.iterator();
        List<TurnResult> answers = new ArrayList<>(turns.size());
        for (TurnRequest turn : turns) {
            ReportResult reportResult =
                    turn.report() == null ? ReportResult.UNKNOWN : settled.next();
            ClaimAllocation claimAllocation =
                    turn.asks() ? claimAllocations.get(turn.host().id()) : null;
            ClaimResult claim =
                    claimAllocation == null
                            ? new ClaimResult.NothingPending()
                            : claimAllocation.answer(turn.wants(), started);
            answers.add(new TurnResult(reportResult, claim));
        }
        return answers;
    }
}
