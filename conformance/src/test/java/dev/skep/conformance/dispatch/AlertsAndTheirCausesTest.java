package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.adapter.OverBudgetConditions;
import dev.skep.app.adapter.StalledSyncConditions;
import dev.skep.app.retention.RetentionBehindConditions;
import dev.skep.app.retention.SizeLimitPurges;
import dev.skep.dispatch.alert.AlertDetails;
import dev.skep.dispatch.alert.AlertReconciler;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.dispatch.host.HostHealthStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.clock.RetentionClock;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What other features find wrong is told once, and closed when it is over. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class AlertsAndTheirCausesTest {
    private static final OrgId ORG = new OrgId("default");
    private static final HostId HOST = new HostId("host-a");
    private static final Duration LONG = Duration.ofMinutes(5);

    @TempDir Path folder;
    @Parameter TestDatabase kind = TestDatabase.SQLITE;
    private final SettableClock time = SettableClock.atNewYear();
    private final AlertStore alerts = new AlertStore();
    private final HostHealthStore hosts = new HostHealthStore();
    private final Set<HostId> linked = new HashSet<>();
    private Database database;
    private AlertReconciler alertReconciler;

    @BeforeEach
    void open() {
        database = Databases.open(kind.create(folder), time);
        alertReconciler = alertReconciler();
        sql(
                """
                INSERT INTO hosts (id, name, kind, org_id, host_id, ver, created_at, updated_at)
                VALUES ('host-a', 'forge', 'runner', 'default', 'host-a', 1, '', '')""");
        sql(
                """
                INSERT INTO users (id, username, kind, org_id, host_id, ver, created_at, updated_at)
                VALUES ('agent-1', 'scout', 'agent', 'default', 'host-a', 1, '', '')""");
        sql(
                """
                INSERT INTO user_notifications
                    (user_id, status, org_id, host_id, ver, created_at, updated_at)
                VALUES ('agent-1', 'active', 'default', 'host-a', 1, '', '')""");
        sql(
                """
                INSERT INTO hub_sync_state (id, since_timestamp, head, updated_at)
                VALUES ('host-a', 7, 7, '')""");
        database.write(
                tx -> {
                    hosts.admit(tx, ORG, List.of(HOST), time.instant());
                    return true;
                });
        health("online");
        linked.add(HOST);
    }

    @AfterEach
    void close() {
        database.close();
    }

    /** As every process of a hub has one. */
    private AlertReconciler alertReconciler() {
        var ids = new UlidSource(time, new Random());
        return new AlertReconciler(
                database,
                new AlertService(alerts, new WebhookStore(), new DeliveryStore(), ids, time),
                alerts,
                List.of(
                        new OverBudgetConditions(),
                        new StalledSyncConditions(linked::contains, time),
                        new RetentionBehindConditions(ORG, new SizeLimitPurges())),
                time);
    }

    @Test
    void an_agent_that_used_up_its_budget_is_reported_once_until_it_continues() {
        alertReconciler.reconcile();
        assertThat(told()).isEmpty();

        status("over_budget");
        alertReconciler.reconcile();
        alertReconciler.reconcile();
        alertReconciler().reconcile();
        assertThat(told()).containsExactly("open BUDGET_EXHAUSTED agent:agent-1");
        assertThat(newest().message()).isEqualTo("Agent scout has used up its budget.");

        status("active");
        alertReconciler.reconcile();
        assertThat(told()).containsExactly("over BUDGET_EXHAUSTED agent:agent-1");
        status("over_budget");
        alertReconciler.reconcile();
        assertThat(told())
                .containsExactly(
                        "open BUDGET_EXHAUSTED agent:agent-1",
                        "over BUDGET_EXHAUSTED agent:agent-1");
    }

    @Test
    void a_host_that_beats_without_a_link_is_reported_once_until_it_is_linked() {
        linked.clear();
        alertReconciler.reconcile();
        time.advance(LONG.minusSeconds(1));
        alertReconciler.reconcile();
        assertThat(told()).isEmpty();

        time.advance(Duration.ofSeconds(1));
        alertReconciler.reconcile();
        alertReconciler.reconcile();
        assertThat(told()).containsExactly("open SYNC_STALLED host:host-a");
        // Another process of the hub, or a new one, has not watched for so long.
        alertReconciler().reconcile();
        assertThat(told()).containsExactly("open SYNC_STALLED host:host-a");

        linked.add(HOST);
        alertReconciler.reconcile();
        assertThat(told()).containsExactly("over SYNC_STALLED host:host-a");
    }

    @Test
    void a_host_whose_rows_stall_is_reported_but_not_one_that_catches_up() {
        for (int position = 1; position < 7; position++) {
            sql("UPDATE hub_sync_state SET head = 9, since_timestamp = " + position);
            alertReconciler.reconcile();
            time.advance(LONG.minusSeconds(1));
        }
        assertThat(told()).isEmpty();
        time.advance(Duration.ofSeconds(1));
        alertReconciler.reconcile();
        assertThat(told()).containsExactly("open SYNC_STALLED host:host-a");
        sql("UPDATE hub_sync_state SET since_timestamp = 9");
        alertReconciler.reconcile();
        assertThat(told()).containsExactly("over SYNC_STALLED host:host-a");
    }

    @Test
    void a_host_that_is_offline_has_an_alert_of_its_own() {
        linked.clear();
        health("offline");
        alertReconciler.reconcile();
        time.advance(LONG);
        alertReconciler.reconcile();
        assertThat(told()).isEmpty();
    }

    @Test
    void old_rows_that_wait_for_hours_or_for_a_hub_are_reported_once_until_they_are_gone() {
        alertReconciler.reconcile();
        assertThat(told()).isEmpty();

        sql(
                """
                INSERT INTO retention_backlog (table_name, waiting, not_pulled, since)
                VALUES ('context_log', 1200, 0, 0), ('mail_messages', 5, 7, 0)""");
        alertReconciler.reconcile();
        sql("UPDATE retention_backlog SET waiting = waiting + 1");
        alertReconciler.reconcile();
        alertReconciler().reconcile();
        assertThat(told())
                .containsExactlyInAnyOrder(
                        "open RETENTION_BEHIND hub:waiting", "open RETENTION_BEHIND hub:not_taken");
        assertThat(messages())
                .anyMatch(words -> words.contains("1,200 of context_log, 5 of mail_messages"))
                .anyMatch(words -> words.contains("has not taken them: 7 of mail_messages."));

        sql("UPDATE retention_backlog SET waiting = 0");
        alertReconciler.reconcile();
        assertThat(told())
                .containsExactlyInAnyOrder(
                        "over RETENTION_BEHIND hub:waiting", "open RETENTION_BEHIND hub:not_taken");
        sql("DELETE FROM retention_backlog");
        alertReconciler.reconcile();
        assertThat(told()).noneMatch(line -> line.startsWith("open"));
    }

    @Test
    void time_that_the_clock_jumped_over_is_reported_until_an_operator_decides() {
        sql("UPDATE retention_clock SET held = " + Duration.ofDays(393).toMillis());
        alertReconciler.reconcile();
        assertThat(told()).containsExactly("open RETENTION_BEHIND hub:clock");
        assertThat(newest().message()).contains("393 days", "skep retention");

        database.write(tx -> RetentionClock.decide(tx, false));
        alertReconciler.reconcile();
        assertThat(told()).containsExactly("over RETENTION_BEHIND hub:clock");
    }

    private void status(String status) {
        sql("UPDATE user_notifications SET status = '" + status + "'");
    }

    private void health(String status) {
        sql("UPDATE host_health SET status = '" + status + "'");
    }

    private void sql(String statement) {
        database.write(tx -> tx.update(statement));
    }

    private AlertDetails newest() {
        return database.read(s -> alerts.newest(s, ORG, "~", 1)).getFirst();
    }

    private List<String> messages() {
        return database.read(s -> alerts.newest(s, ORG, "~", 100)).stream()
                .map(AlertDetails::message)
                .toList();
    }

    /** The newest first. */
    private List<String> told() {
        return database.read(s -> alerts.newest(s, ORG, "~", 100)).stream()
                .map(
                        alert ->
                                "%s %s %s"
                                        .formatted(
                                                alert.resolvedAt() == null ? "open" : "over",
                                                alert.kind(),
                                                alert.subject()))
                .toList();
    }
}
