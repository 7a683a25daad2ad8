package dev.skep.dispatch.queue.redis;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.job.HostLimits;
import dev.skep.dispatch.job.Run;
import dev.skep.dispatch.job.RunId;
import dev.skep.dispatch.job.RunStatus;
import dev.skep.dispatch.queue.Claim;
import dev.skep.dispatch.queue.Report;
import dev.skep.dispatch.queue.Room;
import dev.skep.dispatch.queue.Settlement;
import dev.skep.dispatch.queue.Turn;
import dev.skep.dispatch.queue.ledger.Hearing;
import dev.skep.dispatch.queue.ledger.HostReport;
import dev.skep.dispatch.queue.ledger.HostTurn;
import dev.skep.dispatch.queue.ledger.Ledger;
import dev.skep.dispatch.queue.ledger.QueueParts;
import dev.skep.dispatch.queue.ledger.SlotStore;
import dev.skep.dispatch.queue.ledger.Surprise;
import dev.skep.dispatch.queue.ledger.Taken;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import io.lettuce.core.RedisException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Hears many hosts and takes their next runs: one script, and one commit that records it all. */
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
        Instant now = parts.clock().instant();
        String group = parts.ids().next();
        boolean asks = turns.stream().anyMatch(HostTurn::asks);
        Map<HostId, Share> shares = asks ? shares(group, turns, now) : Map.of();
        return record(group, turns, shares, now);
    }

    /** Whether a host could begin more. */
    Room room(Principal.Host host) {
        SlotStore.Limits of = limits.of(List.of(host.id())).get(host.id());
        return of == null ? Room.FREE : queues.room(host, of.limits(), parts.clock().instant());
    }

    private Map<HostId, Share> shares(String group, List<HostTurn> turns, Instant now) {
        Map<HostId, Asked> asked = asked(turns);
        if (asked.isEmpty()) {
            return Map.of();
        }
        List<RedisQueues.Asking> asking = asked.values().stream().map(Asked::asking).toList();
        try {
            List<RedisQueues.Given> given =
                    queues.turn(group, now.plus(parts.settings().lease()), asking, now);
            Map<HostId, Share> shares = new HashMap<>();
            for (int i = 0; i < asking.size(); i++) {
                RedisQueues.Asking of = asking.get(i);
                shares.put(of.host().id(), new Share(of, given.get(i)));
            }
            return shares;
        } catch (RedisException | RedisQueues.Empty e) {
            if (turns.size() == 1 && turns.getFirst().report() != null) {
                // The ledger takes the report without Redis; whoever asks again finds out.
                handover.repairLater();
                return Map.of();
            }
            throw e;
        }
    }

    /** What one host says and asks for in all. */
    private static final class Asked {
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

    /** Of the hosts that are what they say they are: known, and of their org. */
    private Map<HostId, Asked> asked(List<HostTurn> turns) {
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
        return asked;
    }

    private List<Turn> record(
            String group, List<HostTurn> turns, Map<HostId, Share> shares, Instant now) {
        List<HostReport> said = HostTurn.reports(turns);
        List<Taken> taken =
                shares.values().stream().flatMap(share -> share.taken().stream()).toList();
        if (said.isEmpty() && taken.isEmpty()) {
            return answers(turns, List.of(), shares, Set.of());
        }
        Recorded recorded =
                Surprise.write(
                        parts.database(),
                        (tx, looking) -> {
                            Hearing hearing = ledger.endings().hear(tx, parts.rules(), said, now);
                            Set<RunId> started = start(tx, taken, now, looking);
                            return new Recorded(hearing, started, refused(tx, taken, started));
                        });
        boolean decided =
                recorded.refused().stream().noneMatch(run -> run.status() == RunStatus.PENDING);
        if (decided && !taken.isEmpty()) {
            queues.recorded(group);
        }
        handOver(recorded, shares);
        return answers(turns, recorded.hearing().settlements(), shares, recorded.started());
    }

    /**
     * What the ledger says.
     *
     * @param refused runs that were taken and not started
     */
    private record Recorded(Hearing hearing, Set<RunId> started, List<Run> refused) {}

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

    private void handOver(Recorded recorded, Map<HostId, Share> shares) {
        Set<RunId> freed =
                shares.values().stream().flatMap(Share::freed).collect(Collectors.toSet());
        List<FinishedRun> ended = recorded.hearing().ended();
        handover.release(
                Slot.ofFinished(ended.stream().filter(run -> !freed.contains(run.id())).toList()));
        // Where it runs, it was taken twice, and the slot is its own.
        handover.release(
                Slot.of(recorded.refused().stream().filter(run -> run.status().isOver()).toList()));
        handover.tell(ended.stream().map(FinishedRun::host).distinct().toList());
        handover.put(recorded.hearing().next());
    }

    private Set<RunId> start(
            Transaction transaction, List<Taken> taken, Instant now, boolean looking) {
        if (parts.clock().instant().isAfter(now.plus(parts.settings().lease()))) {
            // This took so long that others may look after the group: they put all of it back.
            return Set.of();
        }
        return ledger.starts().startPending(transaction, taken, now, parts.settings(), looking);
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
