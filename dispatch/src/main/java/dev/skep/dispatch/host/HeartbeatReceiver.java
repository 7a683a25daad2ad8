package dev.skep.dispatch.host;

import dev.skep.dispatch.batch.CallBatcher;
import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.setting.OrgSettings;
import dev.skep.dispatch.setting.OrgSettingsStore;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.lifecycle.Component;
import dev.skep.store.Database;
import dev.skep.store.Transaction;
import dev.skep.transport.route.Json;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Receives hosts' heartbeats; those that arrive together share a commit. Thread-safe. */
public final class HeartbeatReceiver implements Component {
    private static final int GROUP = 1_000;

    /** A beat can wait a moment for others; a commit of its own would cost ten times the beat. */
    private static final Duration APART = Duration.ofMillis(50);

    private final Database database;
    private final HostHealthStore store;
    private final StatusRules rules;
    private final RecentFailures failures;
    private final HostAlertListener hostAlertListener;
    private final EventPublisher events;
    private final InstantSource clock;
    private final InstantSource steady;
    private final CallBatcher<Heartbeat, Boolean> batcher;
    private volatile Duration interval = HeartbeatInterval.SHORTEST;

    public HeartbeatReceiver(
            Database database,
            HostHealthStore store,
            StatusRules rules,
            RecentFailures failures,
            HostAlertListener hostAlertListener,
            EventPublisher events,
            InstantSource clock,
            InstantSource steady) {
        this.database = database;
        this.store = store;
        this.rules = rules;
        this.failures = failures;
        this.hostAlertListener = hostAlertListener;
        this.events = events;
        this.clock = clock;
        this.steady = steady;
        this.batcher = new CallBatcher<>("heartbeats", GROUP, APART, this::takeAll);
    }

    @Override
    public void start() {
        resize();
        batcher.start();
    }

    @Override
    public void close() {
        batcher.close();
    }

    /** Stores a beat; false if the id belongs to another org here. */
    public boolean take(Heartbeat heartbeat) {
        return batcher.call(heartbeat);
    }

    /** How often hosts are to beat from now on. */
    public Duration interval() {
        return interval;
    }

    /** Looks at how large the fleet is by now. */
    public void resize() {
        interval = HeartbeatInterval.forFleet(database.read(store::count));
    }

    private List<Boolean> takeAll(List<Heartbeat> heartbeats) {
        return database.write(transaction -> takeAll(transaction, heartbeats));
    }

    private List<Boolean> takeAll(Transaction transaction, List<Heartbeat> heartbeats) {
        Instant now = clock.instant();
        List<HostId> hosts = heartbeats.stream().map(heartbeat -> heartbeat.host().id()).toList();
        Map<HostId, HostHealthStore.StatusInput> statusInput = store.known(transaction, hosts);
        Map<OrgId, List<HostId>> unknown = new LinkedHashMap<>();
        for (Heartbeat heartbeat : heartbeats) {
            if (!statusInput.containsKey(heartbeat.host().id())) {
                unknown.computeIfAbsent(heartbeat.host().org(), o -> new ArrayList<>())
                        .add(heartbeat.host().id());
            }
        }
        if (!unknown.isEmpty()) {
            unknown.forEach((org, news) -> store.admit(transaction, org, news, now));
            statusInput = store.known(transaction, hosts);
        }
        Map<OrgId, OrgSettings> settings = OrgSettingsStore.all(transaction);
        Map<HostId, HostHealthStore.HeartbeatUpdate> heartbeatUpdate = new LinkedHashMap<>();
        List<FleetEvent> changes = new ArrayList<>();
        List<Boolean> answers = new ArrayList<>(heartbeats.size());
        for (Heartbeat heartbeat : heartbeats) {
            HostHealthStore.StatusInput of = statusInput.get(heartbeat.host().id());
            if (of == null || !of.org().equals(heartbeat.host().org())) {
                answers.add(false);
                continue;
            }
            answers.add(true);
            heartbeatUpdate.put(
                    heartbeat.host().id(),
                    beaten(
                            transaction,
                            of,
                            heartbeat,
                            settings.getOrDefault(of.org(), OrgSettings.NONE),
                            now,
                            changes));
        }
        store.recordHeartbeat(transaction, List.copyOf(heartbeatUpdate.values()), now);
        events.publish(transaction, changes);
        return answers;
    }

    private static boolean isLoaded(Heartbeat heartbeat, OrgSettings settings) {
        return heartbeat.metrics() != null
                && settings.thresholds().in(Json.fields(heartbeat.metrics())).isPresent();
    }

    private HostHealthStore.HeartbeatUpdate beaten(
            Transaction transaction,
            HostHealthStore.StatusInput of,
            Heartbeat heartbeat,
            OrgSettings settings,
            Instant now,
            List<FleetEvent> changes) {
        boolean unwell = isLoaded(heartbeat, settings) || failures.mostFail(of.host());
        HealthRecord after = rules.of(settings).beat(of.health(), steady.instant(), unwell);
        boolean changed = after.status() != of.health().status();
        if (changed) {
            if (of.health().status() == HostStatus.OFFLINE) {
                hostAlertListener.online(transaction, of.org(), of.host());
            }
            changes.add(
                    new FleetEvent.HostStatusChanged(
                            of.org(), now, of.host(), after.status().label()));
        }
        return new HostHealthStore.HeartbeatUpdate(
                of.host(),
                after,
                changed,
                heartbeat.version(),
                heartbeat.keyVersion(),
                heartbeat.metrics(),
                heartbeat.allows(),
                HostLabels.facts(heartbeat.facts()));
    }
}
