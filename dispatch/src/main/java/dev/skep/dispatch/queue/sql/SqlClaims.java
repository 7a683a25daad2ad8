package dev.skep.dispatch.queue.sql;

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
        Wishes wishes =
                Wishes.of(
                        asking,
                        slots.lock(transaction, asking.stream().map(Principal.Host::id).toList()),
                        minuteOf(now));
        Map<HostId, Deque<Assignment>> started = start(transaction, wishes, now);
        count(transaction, wishes, started, now);
        return wishes.answers(started);
    }

    private Map<HostId, Deque<Assignment>> start(
            Transaction transaction, Wishes wishes, Instant now) {
        Map<HostId, Deque<Assignment>> started = new HashMap<>();
        Map<Optional<Duration>, List<RunId>> byTimeout = new HashMap<>();
        for (Assignment run : ReadyRuns.find(transaction, wishes.runs())) {
            started.computeIfAbsent(run.host(), h -> new ArrayDeque<>()).add(run);
            byTimeout
                    .computeIfAbsent(Optional.ofNullable(run.timeout()), t -> new ArrayList<>())
                    .add(run.run());
            ledger.news().started(transaction, wishes.orgOf(run.host()), run, now);
        }
        Instant lease = now.plus(settings.lease());
        byTimeout.forEach(
                (timeout, runs) -> {
                    Duration grace = settings.timeoutGrace();
                    Instant deadline = timeout.map(t -> now.plus(t).plus(grace)).orElse(null);
                    ledger.runs().start(transaction, runs, now, lease, deadline);
                });
        return started;
    }

    private void count(
            Transaction transaction,
            Wishes wishes,
            Map<HostId, Deque<Assignment>> started,
            Instant now) {
        Map<HostId, HostUsage> changed = new LinkedHashMap<>();
        started.forEach(
                (host, runs) ->
                        changed.put(host, wishes.usageOf(host).given(runs.size(), minuteOf(now))));
        slots.write(transaction, changed);
    }

    private static long minuteOf(Instant now) {
        return now.getEpochSecond() / 60;
    }
}
