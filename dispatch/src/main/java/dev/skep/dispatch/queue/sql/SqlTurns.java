package dev.skep.dispatch.queue.sql;

import dev.skep.dispatch.job.FinishedRun;
import dev.skep.dispatch.queue.Claim;
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
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Hears many hosts and hands out their next runs, all in one transaction. */
final class SqlTurns {
    private final QueueParts parts;
    private final Ledger ledger;
    private final SlotStore slots;
    private final ReadyRuns ready;
    private final WorkNotices notices;

    SqlTurns(
            QueueParts parts,
            Ledger ledger,
            SlotStore slots,
            ReadyRuns ready,
            WorkNotices notices) {
        this.parts = parts;
        this.ledger = ledger;
        this.slots = slots;
        this.ready = ready;
        this.notices = notices;
    }

    /** One answer per turn, in order; a host may have several. */
    List<Turn> take(List<HostTurn> turns) {
        // What is found here is locked, so only reports can surprise; a second look finds out.
        return Surprise.write(parts.database(), (transaction, looking) -> take(transaction, turns));
    }

    private List<Turn> take(Transaction transaction, List<HostTurn> turns) {
        Instant now = parts.clock().instant();
        HostCounters counters =
                new HostCounters(
                        slots.lock(transaction, turns.stream().map(t -> t.host().id()).toList()),
                        now.getEpochSecond() / 60);
        List<Settlement> settlements = hear(transaction, counters, HostTurn.reports(turns), now);
        Map<HostId, Wish> wishes = wishes(counters, turns);
        start(transaction, counters, wishes, RunStarts.Moment.now(parts));
        slots.write(transaction, counters.changed());
        return answers(turns, settlements, wishes);
    }

    private List<Settlement> hear(
            Transaction transaction, HostCounters counters, List<HostReport> said, Instant now) {
        if (said.isEmpty()) {
            return List.of();
        }
        Hearing hearing = ledger.endings().hear(transaction, parts.rules(), said, now);
        counters.freed(hearing.ended());
        notices.tellHere(
                transaction, hearing.ended().stream().map(FinishedRun::host).distinct().toList());
        notices.tellPending(transaction, hearing.next());
        return hearing.settlements();
    }

    private static Map<HostId, Wish> wishes(HostCounters counters, List<HostTurn> turns) {
        Map<HostId, Wish> wishes = new LinkedHashMap<>();
        for (HostTurn turn : turns) {
            if (turn.asks()) {
                Principal.Host host = turn.host();
                counters.allowance(host)
                        .ifPresent(
                                allowance ->
                                        wishes.computeIfAbsent(host.id(), h -> new Wish(allowance))
                                                .ask(turn.wants()));
            }
        }
        return wishes;
    }

    private void start(
            Transaction transaction,
            HostCounters counters,
            Map<HostId, Wish> wishes,
            RunStarts.Moment now) {
        List<Taken> taken = new ArrayList<>();
        ready.find(transaction, wishes)
                .forEach(
                        (host, found) -> {
                            Wish wish = wishes.get(host);
                            if (wish == null) {
                                return;
                            }
                            OrgId org = counters.orgOf(host);
                            for (ReadyRun run : wish.take(found)) {
                                taken.add(new Taken(org, run.assignment(), run.steering()));
                            }
                            counters.given(host, wish.counted());
                        });
        ledger.starts().startLocked(transaction, taken, now, parts.settings());
    }

    private static List<Turn> answers(
            List<HostTurn> turns, List<Settlement> settlements, Map<HostId, Wish> wishes) {
        Iterator<Settlement> settled = settlements.iterator();
        List<Turn> answers = new ArrayList<>(turns.size());
        for (HostTurn turn : turns) {
            Settlement settlement = turn.report() == null ? Settlement.UNKNOWN : settled.next();
            Wish wish = turn.asks() ? wishes.get(turn.host().id()) : null;
            answers.add(
                    new Turn(
                            settlement,
                            wish == null ? new Claim.NothingPending() : wish.answer(turn.wants())));
        }
        return answers;
    }
}
