package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.alert.AlertDetails;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.host.Heartbeat;
import dev.skep.dispatch.host.HeartbeatReceiver;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.host.HostSweeper;
import dev.skep.dispatch.host.RecentFailures;
import dev.skep.dispatch.host.StatusRules;
import dev.skep.dispatch.setting.OrgSettings;
import dev.skep.dispatch.setting.OrgSettingsStore;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestDatabase.class)
class SilentHostsTest {
    private static final OrgId ORG = new OrgId("default");

    private final TestDatabase kind;
    private final SettableClock time = SettableClock.atNewYear();
    private Duration wallStep = Duration.ZERO;
    private final InstantSource wall = () -> time.instant().plus(wallStep);
    private final List<String> received = Collections.synchronizedList(new ArrayList<>());
    private final AlertStore alerts = new AlertStore();
    @TempDir Path folder;
    private Database database;
    private HeartbeatReceiver beats;
    private HostSweeper hostSweeper;
    private HostSweeper ofAnotherHub;

    SilentHostsTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        database = Databases.open(kind.create(folder), time);
        HostHealthStore store = new HostHealthStore();
        EventBus eventBus = new EventBus();
        eventBus.subscribe(
                event -> {
                    if (event instanceof FleetEvent.HostStatusChanged changed) {
                        received.add(changed.host() + " " + changed.status());
                    }
                });
        UlidSource ids = new UlidSource(time, new Random(1));
        EventPublisher eventPublisher = new EventPublisher(eventBus, ids, time);
        AlertService alertService =
                new AlertService(alerts, new WebhookStore(), new DeliveryStore(), ids, time);
        beats =
                new HeartbeatReceiver(
                        database,
                        store,
                        StatusRules.STANDARD,
                        new RecentFailures(),
                        alertService,
                        eventPublisher,
                        wall,
                        time);
        beats.start();
        hostSweeper =
                new HostSweeper(
                        database,
                        store,
                        StatusRules.STANDARD,
                        alertService,
                        eventPublisher,
                        wall,
                        time);
        ofAnotherHub =
                new HostSweeper(
                        database,
                        store,
                        StatusRules.STANDARD,
                        alertService,
                        eventPublisher,
                        wall,
                        time);
        time.advance(Duration.ofHours(1));
    }

    @AfterEach
    void close() {
        beats.close();
        database.close();
    }

    @Test
    void a_host_cut_off_is_offline_at_the_first_sweep_after_the_threshold_with_one_alert() {
        beat("h1");
        time.advance(Duration.ofSeconds(119));
        assertThat(hostSweeper.sweep()).isZero();
        time.advance(Duration.ofSeconds(5));
        assertThat(hostSweeper.sweep()).isEqualTo(1);
        time.advance(Duration.ofSeconds(5));
        assertThat(hostSweeper.sweep()).isZero();

        assertThat(received).containsExactly("h1 online", "h1 offline");
        assertThat(kinds()).containsExactly("AGENT_OFFLINE");
    }

    @Test
    void an_org_decides_itself_how_long_a_host_may_be_silent_and_at_once() {
        beat("h1");
        set(300L);
        time.advance(Duration.ofSeconds(290));
        assertThat(hostSweeper.sweep()).isZero();
        assertThat(received).containsExactly("h1 online");
        set(200L);
        assertThat(hostSweeper.sweep()).isEqualTo(1);
        assertThat(received).containsExactly("h1 online", "h1 offline");
        set(null);
        assertThat(hostSweeper.sweep()).isZero();
    }

    private void set(@Nullable Long offlineAfterSeconds) {
        OrgSettings settings = new OrgSettings(offlineAfterSeconds, null, null, null, null);
        database.write(
                transaction -> {
                    OrgSettingsStore.set(transaction, ORG, settings, wall.instant());
                    return true;
                });
    }

    @Test
    void a_wall_clock_that_is_set_makes_no_host_silent_and_hides_none() {
        beat("h1");
        wallStep = Duration.ofHours(2);
        assertThat(hostSweeper.sweep()).isZero();
        time.advance(Duration.ofSeconds(10));
        beat("h1");
        wallStep = Duration.ofDays(-3);
        assertThat(hostSweeper.sweep()).isZero();
        time.advance(Duration.ofSeconds(125));
        assertThat(hostSweeper.sweep()).isEqualTo(1);

        assertThat(received).containsExactly("h1 online", "h1 offline");
    }

    @Test
    void one_of_ten_thousand_is_missed_once_even_by_two_hubs_that_sweep_together()
            throws Exception {
        beatAll(10_000);
        time.advance(Duration.ofSeconds(20));
        beatAll(9_999);
        time.advance(Duration.ofSeconds(105));
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            int missed = 0;
            List<Callable<Integer>> both = List.of(hostSweeper::sweep, ofAnotherHub::sweep);
            for (var swept : pool.invokeAll(both)) {
                missed += swept.get();
            }
            assertThat(missed).isEqualTo(1);
        }

        assertThat(kinds()).containsExactly("AGENT_OFFLINE");
    }

    @Test
    void it_is_back_after_two_beats_with_one_more_alert() {
        beat("h1");
        time.advance(Duration.ofSeconds(130));
        hostSweeper.sweep();
        beat("h1");
        assertThat(received).endsWith("h1 offline");
        time.advance(Duration.ofSeconds(10));
        beat("h1");

        assertThat(received).endsWith("h1 offline", "h1 online");
        assertThat(kinds()).containsExactly("AGENT_ONLINE", "AGENT_OFFLINE");
    }

    @Test
    void many_at_once_are_one_alert_about_the_hub() throws Exception {
        beatAll(200);
        time.advance(Duration.ofSeconds(60));
        beatAll(20);
        time.advance(Duration.ofSeconds(70));
        assertThat(hostSweeper.sweep()).isEqualTo(180);

        assertThat(kinds()).containsExactly("HUB_CONNECTIVITY");
        assertThat(received.stream().filter(h -> h.endsWith("offline"))).hasSize(180);
    }

    private void beat(String host) {
        beats.take(Heartbeat.plain(new Principal.Host(ORG, new HostId(host))));
    }

    private void beatAll(int hosts) throws Exception {
        List<Callable<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            Heartbeat heartbeat =
                    Heartbeat.plain(new Principal.Host(ORG, new HostId("h%04d".formatted(i))));
            all.add(() -> beats.take(heartbeat));
        }
        try (var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : pool.invokeAll(all)) {
                assertThat(done.get()).isTrue();
            }
        }
    }

    private List<String> kinds() {
        return database.read(s -> alerts.newest(s, ORG, "~", 100)).stream()
                .map(AlertDetails::kind)
                .toList();
    }
}
