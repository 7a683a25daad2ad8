package dev.skep.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.dispatch.event.EventPublisher;
import dev.skep.dispatch.host.HostAlertListener;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.dispatch.host.HostSweeper;
import dev.skep.dispatch.host.StatusRules;
import dev.skep.dispatch.job.RunRules;
import dev.skep.dispatch.queue.ClaimResult;
import dev.skep.dispatch.queue.JobQueue;
import dev.skep.dispatch.queue.QueueSettings;
import dev.skep.dispatch.queue.ledger.QueueDependencies;
import dev.skep.dispatch.queue.sql.SqlJobQueue;
import dev.skep.kernel.event.EventBus;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.retry.Backoff;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Seed 3, section 3: {@code hub-0007.db} was made at migration 0007, before hosts had a status,
 * with a host whose last heartbeat was 30 seconds before the new year, one days before, and one
 * without any.
 */
class FromAnEarlierMigrationTest {
    private static final String OLD = "hub-0007.db";

    private final SettableClock time = SettableClock.atNewYear();
    @TempDir Path folder;
    private Path file;

    @BeforeEach
    void copy() throws IOException {
        file = folder.resolve(OLD);
        try (InputStream in = FromAnEarlierMigrationTest.class.getResourceAsStream(OLD)) {
            assertThat(in).isNotNull();
            Files.copy(in, file);
        }
    }

    private @Nullable Database open;

    @AfterEach
    void close() {
        if (open != null) {
            open.close();
            open = null;
        }
    }

    @Test
    void columns_are_added_and_the_status_is_filled_in_by_the_rule_of_the_seed() {
        open();
        hostSweeper().backfill();

        assertThat(statuses())
                .isEqualTo(
                        Map.of(
                                "host-fresh", "online",
                                "host-old", "offline",
                                "host-never", "unknown"));
        hostSweeper().backfill();
        assertThat(statuses()).containsEntry("host-fresh", "online");
    }

    @Test
    void before_it_is_filled_in_everything_works_without_it() {
        open();

        assertThat(statuses().values()).containsOnly("unknown");
    }

    @Test
    void the_version_before_continues_to_write_as_it_did() {
        open();
        database()
                .write(
                        tx ->
                                tx.update(
                                                """
                                                INSERT INTO host_health (host_id, org_id, last_heartbeat_at, created_at, updated_at)
                                                VALUES ('host-new', 'default', ?, ?, ?)""",
                                                time.instant(),
                                                time.instant(),
                                                time.instant())
                                        + tx.update(
                                                "UPDATE host_health SET last_heartbeat_at = ?, agent_version = '0.0.9' WHERE host_id = 'host-old'",
                                                time.instant()));
        hostSweeper().backfill();

        assertThat(statuses())
                .containsEntry("host-new", "online")
                .containsEntry("host-old", "online");
    }

    @Test
    void its_jobs_are_claimed() {
        open();
        hostSweeper().backfill();
        try (JobQueue queue = queue()) {
            queue.start();
            Principal.Host host =
                    new Principal.Host(new OrgId("default"), new HostId("host-fresh"));
            assertThat(queue.claim(host))
                    .isInstanceOfSatisfying(
                            ClaimResult.Claimed.class,
                            claimed ->
                                    assertThat(claimed.assignment().job().value())
                                            .isEqualTo("01JOB"));
        }
    }

    private JobQueue queue() {
        Random random = new Random(1);
        UlidSource ids = new UlidSource(time, random);
        return new SqlJobQueue(
                new QueueDependencies(
                        database(),
                        time,
                        time,
                        ids,
                        new RunRules(
                                Backoff.full(Duration.ofSeconds(4), Duration.ofMinutes(1)), random),
                        QueueSettings.STANDARD,
                        (tx, actor, action, target, detail) -> {},
                        new EventPublisher(new EventBus(), ids, time),
                        (tx, run, status) -> {}));
    }

    private Database database() {
        return Objects.requireNonNull(open);
    }

    private void open() {
        open = Databases.open(new DatabaseUrl.Sqlite(file), time);
    }

    private HostSweeper hostSweeper() {
        return new HostSweeper(
                database(),
                new HostHealthStore(),
                StatusRules.STANDARD,
                HostAlertListener.NONE,
                new EventPublisher(new EventBus(), new UlidSource(time, new Random(1)), time),
                time,
                time);
    }

    private Map<String, String> statuses() {
        Map<String, String> statuses = new HashMap<>();
        database()
                .read(
                        s ->
                                s.list(
                                        "SELECT host_id, status FROM host_health",
                                        row ->
                                                statuses.put(
                                                                row.text("host_id"),
                                                                row.text("status"))
                                                        == null));
        return statuses;
    }
}
