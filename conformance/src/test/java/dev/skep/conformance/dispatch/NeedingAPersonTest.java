package dev.skep.conformance.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.adapter.MailForOperators;
import dev.skep.app.adapter.StuckAgentConditions;
import dev.skep.dispatch.alert.AlertDetails;
import dev.skep.dispatch.alert.AlertReconciler;
import dev.skep.dispatch.alert.AlertService;
import dev.skep.dispatch.alert.AlertStore;
import dev.skep.dispatch.alert.DeliveryStore;
import dev.skep.dispatch.alert.WebhookStore;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.id.UlidSource;
import dev.skep.store.Database;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.SettableClock;
import dev.skep.testkit.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What agents of other hosts need a person for is found in their rows, once. */
@ParameterizedClass
@EnumSource(TestDatabase.class)
class NeedingAPersonTest {
    private static final OrgId ORG = new OrgId("default");
    private static final String HIDDEN = "sk-abcdefghijklmnop123456";

    @TempDir Path folder;
    @Parameter TestDatabase kind = TestDatabase.SQLITE;
    private final SettableClock time = SettableClock.atNewYear();
    private final AlertStore alerts = new AlertStore();
    private Database database;
    private AlertReconciler alertReconciler;

    @BeforeEach
    void open() {
        database = Databases.open(kind.create(folder), time);
        alertReconciler =
                new AlertReconciler(
                        database,
                        new AlertService(
                                alerts,
                                new WebhookStore(),
                                new DeliveryStore(),
                                new UlidSource(time, new Random(1)),
                                time),
                        alerts,
                        StuckAgentConditions.all(text -> text.replace(HIDDEN, "[redacted]")),
                        time);
        sql(
                """
                INSERT INTO hosts (id, name, kind, org_id, host_id, ver, created_at, updated_at)
                VALUES ('host-a', 'forge', 'runner', 'default', 'host-a', 1, '', '')""");
        sql(
                """
                INSERT INTO users (id, username, kind, org_id, host_id, ver, created_at, updated_at)
                VALUES ('agent-1', 'mia', 'agent', 'default', 'host-a', 1, '', ''),
                    ('person-1', 'lena', 'operator', 'default', 'hub', 1, '', '')""");
        sql(
                """
                INSERT INTO user_notifications
                    (user_id, status, org_id, host_id, ver, created_at, updated_at)
                VALUES ('agent-1', 'active', 'default', 'host-a', 1, '', '')""");
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void an_approval_is_told_once_whatever_its_agents_row_says_meanwhile() {
        waits("line-1");
        // The line has not come yet: nobody could decide.
        alertReconciler.reconcile();
        assertThat(told()).isEmpty();
        line("line-1", "git push https://x " + HIDDEN);
        alertReconciler.reconcile();
        alertReconciler.reconcile();
        assertThat(told())
                .containsExactly(
                        "open APPROVAL_WAITING approval:line-1 mia on forge asks: git push https://x [redacted]");
        status("active", null);
        alertReconciler.reconcile();
        assertThat(told()).singleElement().asString().startsWith("over APPROVAL_WAITING");
        // A restored row says it again.
        waits("line-1");
        alertReconciler.reconcile();
        assertThat(told()).singleElement().asString().startsWith("over APPROVAL_WAITING");
        line("line-2", "ls");
        waits("line-2");
        alertReconciler.reconcile();
        assertThat(told())
                .hasSize(2)
                .first()
                .asString()
                .contains("open APPROVAL_WAITING approval:line-2");
    }

    @Test
    void an_agent_that_failed_or_repeats_itself_is_told_until_it_goes_on() {
        status("failed", "the key of the model was refused");
        alertReconciler.reconcile();
        assertThat(told())
                .containsExactly(
                        "open AGENT_FAILED agent:agent-1 Agent mia on forge failed: the key of the model was refused");
        status("paused", "goes in circles");
        alertReconciler.reconcile();
        assertThat(told().getFirst()).startsWith("open AGENT_REPEATS agent:agent-1");
        status("paused", "pauses after each turn");
        alertReconciler.reconcile();
        assertThat(told()).allMatch(each -> each.startsWith("over"));
        status("failed", "the disk is full");
        alertReconciler.reconcile();
        assertThat(told()).hasSize(3);
    }

    @Test
    void mail_to_a_person_is_told_once_and_what_was_there_before_is_not() {
        TellingFixture process =
                new TellingFixture(database, folder.resolve("secrets.key"), time, time);
        process.person("https://pager.example.org/", Set.of("mail"));
        MailForOperators mail = new MailForOperators();
        sent("mail-0", 5);
        process.lookForMail(mail);
        sent("mail-1", 6);
        sent("mail-2", 7);
        process.lookForMail(mail);
        process.lookForMail(mail);
        time.advance(Duration.ofMinutes(1));
        assertThat(process.notifier.tell()).isEqualTo(1);
        List<DeliveryStore.View> told =
                database.read(
                        s ->
                                process.deliveries.latest(
                                        s, TellingFixture.ORG, TellingFixture.CHANNEL, 10));
        assertThat(told)
                .singleElement()
                .satisfies(d -> assertThat(d.title()).isEqualTo("2 mails for you"));
    }

    private void sent(String id, int feed) {
        sql(
                """
                INSERT INTO mail_messages (id, from_user_id, subject, body, org_id, host_id, ver,
                    feed, created_at, updated_at)
                VALUES ('%1$s', 'agent-1', 'A question', 'May I?', 'default', 'host-a', %2$d, %2$d,
                    '2027-01-01T00:00:00.000000Z', '')"""
                        .formatted(id, 2 * feed));
        sql(
                """
                INSERT INTO mail_recipients (id, message_id, user_id, type, org_id, host_id, ver,
                    feed, created_at, updated_at)
                VALUES ('r-%1$s', '%1$s', 'person-1', 'to', 'default', 'host-a', %2$d, %2$d, '', '')"""
                        .formatted(id, 2 * feed + 1));
    }

    private void line(String id, String command) {
        sql(
                """
                INSERT INTO context_log (id, user_id, run_id, session_id, role, source, type,
                    message, org_id, host_id, ver, created_at, updated_at)
                VALUES ('%s', 'agent-1', 'r', 's', 'assistant', 'agent', 'command', '%s', 'default',
                    'host-a', 1, '', '')"""
                        .formatted(id, command));
    }

    private void waits(String line) {
        sql(
                """
                UPDATE user_notifications SET status = 'awaiting_approval', latest_log_id = '%s'"""
                        .formatted(line));
    }

    private void status(String status, @Nullable String reason) {
        database.write(
                tx ->
                        tx.update(
                                "UPDATE user_notifications SET status = ?, status_reason = ?",
                                status,
                                reason));
    }

    private List<String> told() {
        return database.read(s -> alerts.newest(s, ORG, "~", 100)).stream()
                .map(NeedingAPersonTest::words)
                .toList();
    }

    private static String words(AlertDetails alert) {
        return "%s %s %s %s"
                .formatted(
                        alert.resolvedAt() == null ? "open" : "over",
                        alert.kind(),
                        alert.subject(),
                        alert.message());
    }

    private void sql(String statement) {
        database.write(tx -> tx.update(statement));
    }
}
