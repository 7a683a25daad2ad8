package dev.skep.dispatch.host;

import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.setting.OrgSettingsStore;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.OrgId;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds hosts that fell silent; called every few seconds by one thread. */
public final class HostSweeper {
    private static final int AT_ONCE = 1_000;

    private final Database database;
    private final HostHealthStore store;
    private final StatusRules rules;
    private final HostAlertListener hostAlertListener;
    private final EventPublisher events;
    private final InstantSource clock;
    private final InstantSource steady;
    private final Map<OrgId, OutageDetector> orgs = new HashMap<>();
    private final Instant listeningSince;

    public HostSweeper(
            Database database,
            HostHealthStore store,
            StatusRules rules,
            HostAlertListener hostAlertListener,
            EventPublisher events,
            InstantSource clock,
            InstantSource steady) {
        this.database = database;
        this.store = store;
        this.rules = rules;
        this.hostAlertListener = hostAlertListener;
        this.events = events;
        this.clock = clock;
        this.steady = steady;
        this.listeningSince = steady.instant();
    }

    /** Gives hosts a status that a version before statuses left without. */
    public void backfill() {
        Instant now = clock.instant();
        database.write(tx -> store.backfill(tx, rules.silentBefore(steady.instant()), now));
    }

    /** Marks silent hosts offline, raises the alarms that are due, and returns how many fell. */
    public int sweep() {
        int fallen = sweep(rules, HostHealthStore.USUAL_SILENCE);
        for (long seconds : database.read(OrgSettingsStore::offlineTimes)) {
            Duration silence = Duration.ofSeconds(seconds);
            fallen += sweep(new StatusRules(silence, rules.beatsToReturn()), seconds);
        }
        return fallen;
    }

    /** Those of the orgs that have set the time of these rules. */
    private int sweep(StatusRules rules, long setSeconds) {
        Instant now = clock.instant();
        Instant counted = steady.instant();
        if (rules.inGrace(counted, listeningSince)) {
            return 0;
        }
        Instant silentBefore = rules.silentBefore(counted);
        if (database.read(s -> store.silentSince(s, silentBefore, setSeconds, 1)).isEmpty()) {
            return 0;
        }
        return database.write(
                transaction -> {
                    Map<OrgId, List<HostHealthStore.StatusInput>> fallen = new LinkedHashMap<>();
                    for (HostHealthStore.StatusInput silent :
                            store.silentSince(transaction, silentBefore, setSeconds, AT_ONCE)) {
                        // Another hub may have been faster, or the host may just have beaten.
                        if (store.goOffline(transaction, silent, now)) {
                            fallen.computeIfAbsent(silent.org(), o -> new ArrayList<>())
                                    .add(silent);
                        }
                    }
                    fallen.forEach((org, hosts) -> announceOffline(transaction, org, hosts, now));
                    return fallen.values().stream().mapToInt(List::size).sum();
                });
    }

    private void announceOffline(
            Transaction transaction,
            OrgId org,
            List<HostHealthStore.StatusInput> fell,
            Instant now) {
        events.publish(
                transaction,
                fell.stream()
                        .map(
                                host ->
                                        new FleetEvent.HostStatusChanged(
                                                org, now, host.host(), HostStatus.OFFLINE.label()))
                        .toList());
        int stillUp = store.up(transaction, org);
        OutageDetector outageDetector = orgs.computeIfAbsent(org, o -> new OutageDetector());
        switch (outageDetector.hostsWentOffline(steady.instant(), fell.size(), stillUp)) {
            case EACH_HOST ->
                    fell.forEach(host -> hostAlertListener.offline(transaction, org, host.host()));
            case HUB_CONNECTIVITY -> hostAlertListener.outage(transaction, org, fell.size());
            case NOTHING -> {}
        }
    }
}
