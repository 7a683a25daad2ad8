package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.DispatchTestHub;
import dev.skep.dispatch.event.OrgEvent;
import dev.skep.dispatch.event.Subscription;
import dev.skep.dispatch.job.NewJob;
import dev.skep.kernel.event.FleetEvent;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Actor;
import dev.skep.store.DatabaseUrl;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.server.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hub processes on one PostgreSQL: who listens at one hears what happens at the other. */
class EventsOfTwoHubsTest {
    private static final OrgId ORG = new OrgId(DispatchTestHub.ORG);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir Path folder;
    private DispatchTestHub here;
    private DispatchTestHub there;

    @BeforeEach
    void open() throws Exception {
        DatabaseUrl shared = PostgresServer.newDatabase();
        here = new DispatchTestHub(folder, shared);
        there = new DispatchTestHub(folder, shared);
        try (Subscription first = listen(here, Optional.empty())) {
            here.beat("h1");
            assertThat(next(first).type()).isEqualTo("host.online");
        }
    }

    @AfterEach
    void close() {
        here.close();
        there.close();
    }

    @Test
    void an_event_of_one_hub_arrives_at_the_other_with_the_same_id_and_resumes_there()
            throws Exception {
        String first;
        try (Subscription atHome = listen(here, Optional.empty());
                Subscription away = listen(there, Optional.empty())) {
            String job = here.create();
            OrgEvent received = next(away);
            assertThat(received).isEqualTo(next(atHome));
            assertThat(received.type()).isEqualTo("job.created");
            assertThat(received.data()).containsEntry("jobId", job);
            first = received.id();
        }
        String missed = here.create();
        String missedToo = there.create();

        try (Subscription back = listen(there, Optional.of(first))) {
            assertThat(back.isReset()).isFalse();
            assertThat(List.of(next(back), next(back)))
                    .extracting(event -> event.data().get("jobId"))
                    .containsExactly(missed, missedToo);
            String live = here.create();
            assertThat(next(back).data()).containsEntry("jobId", live);
        }
    }

    @Test
    void all_receive_the_same_events_in_the_same_order_once_from_every_writer() throws Exception {
        int each = 30;
        try (Subscription atHome = listen(here, Optional.empty());
                Subscription away = listen(there, Optional.empty())) {
            Thread writing = Thread.ofVirtual().start(() -> create(here, each));
            create(there, each);
            writing.join();
            List<OrgEvent> one = new ArrayList<>();
            List<OrgEvent> other = new ArrayList<>();
            for (int i = 0; i < 2 * each; i++) {
                one.add(next(atHome));
                other.add(next(away));
            }
            assertThat(one).isEqualTo(other).doesNotHaveDuplicates();
            // From whichever of them one goes on, the rest is what follows.
            for (int i : List.of(0, each, 2 * each - 1)) {
                try (Subscription back = listen(here, Optional.of(one.get(i).id()))) {
                    List<OrgEvent> rest = new ArrayList<>();
                    while (rest.size() < 2 * each - 1 - i) {
                        rest.add(next(back));
                    }
                    assertThat(rest).isEqualTo(one.subList(i + 1, 2 * each));
                }
            }
        }
    }

    @Test
    void nothing_is_missed_while_the_connection_that_listens_is_cut() throws Exception {
        try (Subscription away = listen(there, Optional.empty())) {
            String before = here.create();
            assertThat(next(away).data()).containsEntry("jobId", before);
            here.database.write(
                    tx ->
                            tx.list(
                                    """
                                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                                    WHERE query LIKE 'LISTEN%' AND datname = current_database()""",
                                    row -> true));
            String during = here.create();
            assertThat(next(away).data()).containsEntry("jobId", during);
        }
    }

    @Test
    void an_event_of_a_process_that_died_before_sending_it_is_sent_by_another() throws Exception {
        try (Subscription away = listen(there, Optional.empty())) {
            // As a process does: rows in the commit, and then nothing more.
            here.dispatch.close();
            here.create();
            assertThat(next(away).type()).isEqualTo("job.created");
        }
    }

    @Test
    void hosts_that_join_or_are_revoked_are_events_too() throws Exception {
        try (Subscription away = listen(there, Optional.empty())) {
            here.eventBus.publish(new FleetEvent.HostRevoked(ORG, Instant.EPOCH, new HostId("h1")));
            assertThat(next(away).type()).isEqualTo("host.revoked");
        }
    }

    @Test
    void the_latest_are_kept_and_older_ones_are_replaced_by_a_reset() throws Exception {
        String old;
        try (Subscription away = listen(there, Optional.empty())) {
            here.create();
            old = next(away).id();
        }
        HostId host = new HostId("h1");
        List<NewJob> batch = Collections.nCopies(1_500, NewJob.plain(host, "shell", "{}"));
        here.dispatch.queue().create(Actor.local(ORG), batch);
        Eventually.holds("every event has a place", () -> events("pos IS NULL") == 0);
        assertThat(events("pos IS NOT NULL")).isBetween(1_000L, 1_256L);
        try (Subscription back = listen(there, Optional.of(old))) {
            assertThat(back.isReset()).isTrue();
        }
    }

    private long events(String condition) {
        String sql = "SELECT COALESCE(SUM(count), 0) AS n FROM org_events WHERE " + condition;
        return here.database.read(s -> s.first(sql, row -> row.number("n"))).orElseThrow();
    }

    @Test
    void another_org_receives_nothing_and_its_ids_are_unknown() throws Exception {
        String id;
        try (Subscription away = listen(there, Optional.empty())) {
            here.create();
            id = next(away).id();
        }
        try (Subscription other =
                there.dispatch.events().subscribe(new OrgId("b"), Optional.of(id))) {
            assertThat(other.isReset()).isTrue();
            here.create();
            here.post("host:b:of-b", "/api/agent/heartbeat", Map.of());
            assertThat(next(other).data()).containsEntry("hostId", "of-b");
        }
    }

    private static void create(DispatchTestHub hub, int jobs) {
        for (int i = 0; i < jobs; i++) {
            hub.create();
        }
    }

    private static Subscription listen(DispatchTestHub hub, Optional<String> after) {
        return hub.dispatch.events().subscribe(ORG, after);
    }

    private static OrgEvent next(Subscription subscription) throws InterruptedException {
        return Objects.requireNonNull(subscription.next(PATIENCE), "no event came");
    }
}
