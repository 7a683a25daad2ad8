package dev.skep.dispatch.host;

import dev.skep.dispatch.batch.GroupedCalls;
import dev.skep.dispatch.event.EventNotes;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Takes hosts' beats; those that come together share a commit. Thread-safe. */
public final class Heartbeats implements Component {
    private static final int GROUP = 1_000;

    /** A beat can wait a moment for others; a commit of its own would cost ten times the beat. */
    private static final Duration APART = Duration.ofMillis(50);

    private final Database database;
    private final HostHealthStore store;
    private final StatusRules rules;
    private final RecentFailures failures;
    private final HostAlarms alarms;
    private final EventNotes events;
    private final InstantSource clock;
    private final InstantSource steady;
    private final GroupedCalls<Beat, Boolean> calls;
    private volatile Duration interval = BeatInterval.SHORTEST;

    public Heartbeats(
            Database database,
            HostHealthStore store,
            StatusRules rules,
            RecentFailures failures,
            HostAlarms alarms,
            EventNotes events,
            InstantSource clock,
            InstantSource steady) {
        this.database = database;
        this.store = store;
        this.rules = rules;
        this.failures = failures;
        this.alarms = alarms;
        this.events = events;
        this.clock = clock;
        this.steady = steady;
        this.calls = new GroupedCalls<>("heartbeats", GROUP, APART, this::takeAll);
    }

    @Override
    public void start() {
        resize();
        calls.start();
    }

    @Override
    public void close() {
        calls.close();
    }

    /** Stores a beat; false if the id belongs to another org here. */
    public boolean take(Beat beat) {
        return calls.call(beat);
    }

    /** How often hosts are to beat from now on. */
    public Duration interval() {
        return interval;
    }

    /** Looks at how large the fleet is by now. */
    public void resize() {
        interval = BeatInterval.forFleet(database.read(store::count));
    }

    private List<Boolean> takeAll(List<Beat> beats) {
        return database.write(transaction -> takeAll(transaction, beats));
    }

    private List<Boolean> takeAll(Transaction transaction, List<Beat> beats) {
        Instant now = clock.instant();
        List<HostId> hosts = beats.stream().map(beat -> beat.host().id()).toList();
        Map<HostId, HostHealthStore.Known> known = store.known(transaction, hosts);
        Map<OrgId, List<HostId>> unknown = new LinkedHashMap<>();
        for (Beat beat : beats) {
            if (!known.containsKey(beat.host().id())) {
                unknown.computeIfAbsent(beat.host().org(), o -> new ArrayList<>())
                        .add(beat.host().id());
            }
        }
        if (!unknown.isEmpty()) {
            unknown.forEach((org, news) -> store.admit(transaction, org, news, now));
            known = store.known(transaction, hosts);
        }
        Map<HostId, HostHealthStore.Beaten> beaten = new LinkedHashMap<>();
        List<FleetEvent> changes = new ArrayList<>();
        List<Boolean> answers = new ArrayList<>(beats.size());
        for (Beat beat : beats) {
            HostHealthStore.Known of = known.get(beat.host().id());
            if (of == null || !of.org().equals(beat.host().org())) {
                answers.add(false);
                continue;
            }
            answers.add(true);
            beaten.put(beat.host().id(), beaten(transaction, of, beat, now, changes));
        }
        store.beat(transaction, List.copyOf(beaten.values()), now);
        events.tell(transaction, changes);
        tellThatTheyBeat(transaction, beats, now);
        return answers;
    }

    /** Once for each org: whoever shows loads reads all of them again. */
    private void tellThatTheyBeat(Transaction transaction, List<Beat> beats, Instant now) {
        Map<OrgId, HostId> oneOfEach = new LinkedHashMap<>();
        beats.forEach(beat -> oneOfEach.putIfAbsent(beat.host().org(), beat.host().id()));
        events.tell(
                transaction,
                oneOfEach.entrySet().stream()
                        .map(
                                of ->
                                        new FleetEvent.RowsStored(
                                                of.getKey(),
                                                now,
                                                of.getValue(),
                                                Set.of("host_health")))
                        .toList());
    }

    private HostHealthStore.Beaten beaten(
            Transaction transaction,
            HostHealthStore.Known of,
            Beat beat,
            Instant now,
            List<FleetEvent> changes) {
        boolean unwell = beat.unwell() || failures.mostFail(of.host());
        Health after = rules.beat(of.health(), steady.instant(), unwell);
        boolean changed = after.status() != of.health().status();
        if (changed) {
            if (of.health().status() == HostStatus.OFFLINE) {
                alarms.back(transaction, of.org(), of.host());
            }
            changes.add(
                    new FleetEvent.HostStatusChanged(
                            of.org(), now, of.host(), after.status().label()));
        }
        return new HostHealthStore.Beaten(
                of.host(),
                after,
                changed,
                beat.version(),
                beat.keyVersion(),
                beat.metrics(),
                beat.allows());
    }
}
