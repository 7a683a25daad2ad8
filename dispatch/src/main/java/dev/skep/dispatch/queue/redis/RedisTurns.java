package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.batch.Alongside;
import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.Room;
import dev.skep.dispatch.queue.Settlement;
import dev.skep.dispatch.queue.Turn;
import dev.skep.dispatch.queue.ledger.Hearing;
import dev.skep.dispatch.queue.ledger.HostReport;
import dev.skep.dispatch.queue.ledger.HostTurn;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.ledger.RunStarts;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.dispatch.queue.ledger.Surprise;
import dev.skep.dispatch.queue.ledger.Taken;
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
 * Hears many hosts and takes their next runs: while one script takes them, a commit records what is
 * over, and another what was taken. Which of the commits comes first is no matter: a host that
 * hears neither says the same again.
 */
final class RedisTurns {
    private final QueueParts parts;
    private final Ledger ledger;
    private final KnownLimits limits;
    private final RedisQueues queues;
    private final Handover handover;

    RedisTurns(
            QueueParts parts,
            Ledger ledger,
            KnownLimits limits,
            RedisQueues queues,
            Handover handover) {
        this.parts = parts;
        this.ledger = ledger;
        this.limits = limits;
        this.queues = queues;
        this.handover = handover;
    }

    /** One answer per turn, in order; a host may have several. */
    List<Turn> take(List<HostTurn> turns) {
        RunStarts.Moment now = RunStarts.Moment.now(parts);
        boolean asks = turns.stream().anyMatch(HostTurn::asks);
        List<RedisQueues.Asking> asking = asks ? asking(turns) : List.of();
        Alongside<List<Settlement>> settling =
                Alongside.begin(() -> settle(turns, asking, now.shown()));
        try {
            String group = parts.ids().next();
            Map<HostId, Share> shares = shares(group, asking, now);
            Set<RunId> started = record(group, shares.values(), now);
            return answers(turns, settling.await(), shares, started);
        } catch (RedisException | RedisQueues.Empty e) {
            List<Settlement> settled = settling.await();
            if (!settled.isEmpty()) {
                handover.repairLater();
            }
            if (settled.size() < turns.size()) {
                throw e;
            }
            // The ledger takes reports without Redis; whoever asks again finds out.
            return answers(turns, settled, Map.of(), Set.of());
        }
    }

    /** Whether a host could begin more. */
    Room room(Principal.Host host) {
        SlotStore.Limits of = limits.of(List.of(host.id())).get(host.id());
        return of == null ? Room.FREE : queues.room(host, of.limits(), parts.clock().instant());
    }

    /** Of the hosts that are what they say they are: known, and of their org. */
    private List<RedisQueues.Asking> asking(List<HostTurn> turns) {
        Map<HostId, SlotStore.Limits> known =
                limits.of(turns.stream().map(turn -> turn.host().id()).toList());
        Map<HostId, Asked> asked = new LinkedHashMap<>();
        for (HostTurn turn : turns) {
            Principal.Host host = turn.host();
            SlotStore.Limits of = known.get(host.id());
            if (of != null && of.org().equals(host.org())) {
                asked.computeIfAbsent(host.id(), h -> new Asked(host, of.limits())).add(turn);
            }
        }
        return asked.values().stream().map(Asked::asking).toList();
    }

    /** Records what is over, and frees the slots that the script does not. */
    private List<Settlement> settle(
            List<HostTurn> turns, List<RedisQueues.Asking> asking, Instant now) {
        List<HostReport> said = HostTurn.reports(turns);
        if (said.isEmpty()) {
            return List.of();
        }
        Hearing hearing =
                Surprise.write(
                        parts.database(),
                        (tx, looking) -> ledger.endings().hear(tx, parts.rules(), said, now));
        Set<RunId> freed =
                asking.stream().flatMap(a -> a.over().stream()).collect(Collectors.toSet());
        List<FinishedRun> ended = hearing.ended();
        handover.release(
                Slot.ofFinished(ended.stream().filter(run -> !freed.contains(run.id())).toList()));
        handover.tell(ended.stream().map(FinishedRun::host).distinct().toList());
        handover.put(hearing.next());
        return hearing.settlements();
    }

    private Map<HostId, Share> shares(
            String group, List<RedisQueues.Asking> asking, RunStarts.Moment now) {
        if (asking.isEmpty()) {
            return Map.of();
        }
        List<RedisQueues.Given> given =
                queues.turn(
                        group, now.steady().plus(parts.settings().lease()), asking, now.shown());
        Map<HostId, Share> shares = new HashMap<>();
        for (int i = 0; i < asking.size(); i++) {
            RedisQueues.Asking of = asking.get(i);
            shares.put(of.host().id(), new Share(of, given.get(i)));
        }
        return shares;
    }

    /** Records what was taken, and returns what may begin of it. */
    private Set<RunId> record(String group, Collection<Share> shares, RunStarts.Moment now) {
        List<Taken> taken = shares.stream().flatMap(share -> share.taken().stream()).toList();
        if (taken.isEmpty()) {
            return Set.of();
        }
        Recorded recorded =
                Surprise.write(
                        parts.database(),
                        (tx, looking) -> {
                            Set<RunId> started = start(tx, taken, now, looking);
                            return new Recorded(started, refused(tx, taken, started));
                        });
        List<Run> refused = recorded.refused();
        if (refused.stream().noneMatch(run -> run.status() == RunStatus.PENDING)) {
            queues.recorded(group);
        }
        // Where it runs, it was taken twice, and the slot is its own.
        handover.release(Slot.of(refused.stream().filter(run -> run.status().isOver()).toList()));
        return recorded.started();
    }

    /**
     * What the ledger says.
     *
     * @param refused runs that were taken and not started
     */
    private record Recorded(Set<RunId> started, List<Run> refused) {}

    private Set<RunId> start(
            Transaction transaction, List<Taken> taken, RunStarts.Moment now, boolean looking) {
        if (parts.steady().instant().isAfter(now.steady().plus(parts.settings().lease()))) {
            // This took so long that others may look after the group: they put all of it back.
            return Set.of();
        }
        return ledger.starts().startPending(transaction, taken, now, parts.settings(), looking);
    }

    private List<Run> refused(Transaction transaction, List<Taken> taken, Set<RunId> started) {
        if (started.size() == taken.size()) {
            return List.of();
        }
        return List.copyOf(
                ledger.lookup()
                        .find(
                                transaction,
                                taken.stream()
                                        .map(Taken::run)
                                        .filter(run -> !started.contains(run))
                                        .toList())
                        .values());
    }

    private static List<Turn> answers(
            List<HostTurn> turns,
            List<Settlement> settlements,
            Map<HostId, Share> shares,
            Set<RunId> started) {
        Iterator<Settlement> settled = settlements.iterator();
        List<Turn> answers = new ArrayList<>(turns.size());
        for (HostTurn turn : turns) {
            Settlement settlement = turn.report() == null ? Settlement.UNKNOWN : settled.next();
            Share share = turn.asks() ? shares.get(turn.host().id()) : null;
            Claim claim =
                    share == null
                            ? new Claim.NothingPending()
                            : share.answer(turn.wants(), started);
            answers.add(new Turn(settlement, claim));
        }
        return answers;
    }
}
