package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.hold.HoldView;
import dev.skep.dispatch.hold.OrgHolds;
import dev.skep.dispatch.host.HealthRecord;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.host.HostStatus;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.server.TestDatabase;
import dev.skep.wire.call.HoldAnswer;
import dev.skep.wire.call.HoldState;
import dev.skep.wire.call.HubCall;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a hub wants of all agents of an org, and what their hosts are told. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class StoppingAllAgentsTest {
    private static final OrgId ORG = new OrgId("default");
    private static final Actor MIA = Actor.local(ORG);
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final InstantSource CLOCK = Clock.systemUTC();

    private final TestDatabase kind;
    private final List<String> audited = Collections.synchronizedList(new ArrayList<>());
    @TempDir Path folder;
    private DatabaseUrl url;
    private Database database;
    private OrgHolds holds;

    StoppingAllAgentsTest(TestDatabase kind) {
        this.kind = kind;
    }

    @BeforeEach
    void open() {
        url = kind.create(folder);
        database = Databases.open(url, CLOCK);
        holds = opened(database);
        host(ORG, "h1", HostStatus.ONLINE, "steer");
        host(ORG, "h2", HostStatus.OFFLINE, "steer");
        host(ORG, "h3", HostStatus.ONLINE, "jobs");
    }

    private OrgHolds opened(Database at) {
        OrgHolds opened =
                new OrgHolds(
                        at,
                        who ->
                                who.org().equals(ORG)
                                        ? Map.of("h1", 2, "h2", 3, "h3", 4)
                                        : Map.of("other", 1),
                        host -> !host.value().equals("h2"),
                        (_, _, action, _, detail) -> audited.add(action + " " + detail),
                        new UlidSource(CLOCK, new Random()),
                        CLOCK);
        opened.start();
        return opened;
    }

    private void host(OrgId org, String id, HostStatus status, String allows) {
        HostHealthStore store = new HostHealthStore();
        HostId host = new HostId(id);
        database.write(
                transaction -> {
                    store.admit(transaction, org, List.of(host), CLOCK.instant());
                    store.recordHeartbeat(
                            transaction,
                            List.of(
                                    new HostHealthStore.HeartbeatUpdate(
                                            host,
                                            new HealthRecord(status, CLOCK.instant(), 1, null),
                                            true,
                                            null,
                                            null,
                                            null,
                                            Consents.parse(allows),
                                            null)),
                            CLOCK.instant());
                    return true;
                });
    }

    @AfterEach
    void close() {
        holds.close();
        database.close();
    }

    private HoldAnswer say(String host, @Nullable String hold, HoldState state)
            throws InterruptedException {
        return say(ORG, host, hold, state);
    }

    private HoldAnswer say(OrgId org, String host, @Nullable String hold, HoldState state)
            throws InterruptedException {
        return holds.answer(
                new Principal.Host(org, new HostId(host)),
                new HubCall.Hold(Optional.ofNullable(hold), state, Duration.ZERO, "w"));
    }

    private FutureTask<HoldAnswer> waiting(String host) {
        FutureTask<HoldAnswer> answer =
                new FutureTask<>(
                        () ->
                                holds.answer(
                                        new Principal.Host(ORG, new HostId(host)),
                                        new HubCall.Hold(
                                                Optional.empty(), HoldState.FREE, LONG, "w")));
        Thread.ofVirtual().start(answer);
        return answer;
    }

    private Map<String, String> states() {
        Map<String, String> states = new java.util.TreeMap<>();
        holds.view(MIA.principal()).hosts().forEach(h -> states.put(h.hostId(), h.state()));
        return states;
    }

    @Test
    void a_host_that_waits_hears_it_at_once_and_the_view_names_those_that_do_not_obey()
            throws Exception {
        FutureTask<HoldAnswer> waiting = waiting("h1");
        assertThat(say("h3", null, HoldState.FREE)).isEqualTo(HoldAnswer.NOTHING);
        holds.stopAll(MIA, "fire");
        HoldAnswer.Wanted wanted = waiting.get(30, TimeUnit.SECONDS).hold().orElseThrow();
        assertThat(wanted.by()).isEqualTo("the command line");
        assertThat(wanted.reason()).isEqualTo("fire");
        assertThat(say("h1", wanted.id(), HoldState.HELD)).isEqualTo(HoldAnswer.NOTHING);
        HoldView view = holds.view(MIA.principal());
        assertThat(view.held()).isTrue();
        assertThat(view.agents()).isEqualTo(2);
        assertThat(states()).isEqualTo(Map.of("h1", "held", "h2", "away", "h3", "refused"));
    }

    @Test
    void it_is_audited_once_with_how_many_and_asking_again_changes_nothing()
            throws InterruptedException {
        holds.stopAll(MIA, "");
        String id = say("h1", null, HoldState.FREE).hold().orElseThrow().id();
        holds.stopAll(MIA, "again");
        assertThat(say("h1", null, HoldState.FREE).hold().orElseThrow().id()).isEqualTo(id);
        assertThat(audited)
                .singleElement()
                .asString()
                .contains("agents_stopped", "agents=9", "hosts=3");
        assertThat(holds.letGo(MIA)).isTrue();
        assertThat(holds.letGo(MIA)).isFalse();
        assertThat(audited).hasSize(2);
    }

    @Test
    void a_host_that_was_away_hears_of_the_last_wish_only() throws InterruptedException {
        holds.stopAll(MIA, "");
        String first = say("h2", null, HoldState.FREE).hold().orElseThrow().id();
        say("h2", first, HoldState.HELD);
        holds.letGo(MIA);
        holds.stopAll(MIA, "");
        String second = say("h2", first, HoldState.HELD).hold().orElseThrow().id();
        assertThat(second).isNotEqualTo(first);
        holds.letGo(MIA);
        assertThat(states()).containsEntry("h2", "away");
        assertThat(say("h2", first, HoldState.HELD)).isEqualTo(HoldAnswer.release(first));
        assertThat(say("h2", null, HoldState.FREE)).isEqualTo(HoldAnswer.NOTHING);
        assertThat(holds.view(MIA.principal()).over()).isTrue();
    }

    @Test
    void what_the_owner_lifted_on_the_host_stays_lifted_and_is_shown() throws InterruptedException {
        holds.stopAll(MIA, "");
        String id = say("h1", null, HoldState.FREE).hold().orElseThrow().id();
        assertThat(say("h1", id, HoldState.LIFTED)).isEqualTo(HoldAnswer.NOTHING);
        assertThat(states()).containsEntry("h1", "lifted");
    }

    @Test
    void a_hub_that_forgot_its_hold_does_not_lift_it_until_somebody_says_so()
            throws InterruptedException {
        String forgotten = "01K0000000000000000000000A";
        assertThat(say("h1", forgotten, HoldState.HELD)).isEqualTo(HoldAnswer.NOTHING);
        assertThat(holds.view(MIA.principal()).over()).isFalse();
        assertThat(holds.letGo(MIA)).isTrue();
        assertThat(say("h1", forgotten, HoldState.HELD)).isEqualTo(HoldAnswer.release(forgotten));
    }

    @Test
    void another_org_is_not_touched_and_cannot_lift_it() throws InterruptedException {
        OrgId other = new OrgId("other");
        host(other, "other", HostStatus.ONLINE, "steer");
        holds.stopAll(MIA, "");
        String id = say("h1", null, HoldState.FREE).hold().orElseThrow().id();
        assertThat(say(other, "other", null, HoldState.FREE)).isEqualTo(HoldAnswer.NOTHING);
        assertThat(holds.letGo(Actor.local(other))).isFalse();
        assertThat(holds.view(new Principal.Local(other)).hosts())
                .extracting(HoldView.HostOnHold::hostId)
                .containsExactly("other");
        // Its own words about this org's hold reach nobody.
        assertThat(say(other, "other", id, HoldState.HELD)).isEqualTo(HoldAnswer.NOTHING);
        assertThat(say("h1", id, HoldState.HELD)).isEqualTo(HoldAnswer.NOTHING);
        assertThat(states()).containsEntry("h1", "held");
    }

    @Test
    void another_process_of_the_hub_tells_its_hosts_too() throws Exception {
        if (kind == TestDatabase.SQLITE) {
            return; // one process owns the file
        }
        FutureTask<HoldAnswer> waiting = waiting("h1");
        try (Database second = Databases.open(url, CLOCK)) {
            OrgHolds there = opened(second);
            there.stopAll(MIA, "");
            assertThat(waiting.get(5, TimeUnit.SECONDS).hold()).isPresent();
            there.close();
        }
    }
}
