package dev.skep.fleet.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.fleet.nemesis.Acknowledgements.Kind;
import dev.skep.fleet.nemesis.Acknowledgements.Thing;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The nemesis can fail: whatever it promises to notice, it notices. */
class FinalComparisonTest {
    private static final CallOutcome YES = new CallOutcome.Yes(Json.fields("{}"));
    private static final Thing MAIL = new Thing(Kind.MAIL, "runner-1", "hello");
    private static final Thing JOB = new Thing(Kind.JOB, "hub-1", "build");

    @TempDir Path folder;
    private final List<NemesisProcess> victims = new ArrayList<>();
    private final List<Database> databases = new ArrayList<>();
    private Acknowledgements ledger = new Acknowledgements(Path.of("/dev/null"));

    @BeforeEach
    void make() throws IOException {
        ledger.close();
        ledger = new Acknowledgements(folder.resolve("history"));
        for (String name : List.of("hub-1", "runner-1", "runner-2")) {
            boolean isHub = name.startsWith("hub");
            NemesisProcess nemesisProcess =
                    new NemesisProcess(
                            folder, name, isHub, List.of(), Optional.empty(), Optional.empty());
            Files.createDirectories(nemesisProcess.dataDir.resolve("work/.jobs"));
            Database database =
                    Databases.open(
                            new DatabaseUrl.Sqlite(nemesisProcess.database()),
                            InstantSource.system());
            victims.add(nemesisProcess);
            databases.add(database);
            write(database, "INSERT INTO local_host (one, host_id) VALUES (1, '" + name + "')");
        }
    }

    @AfterEach
    void close() throws IOException {
        databases.forEach(Database::close);
        ledger.close();
    }

    private static void write(Database database, String sql) {
        database.write(tx -> tx.update(sql));
    }

    private void everywhere(String sql) {
        databases.forEach(database -> write(database, sql));
    }

    private static String mail(String id, String subject, int version) {
        return """
        INSERT INTO mail_messages
        (id, from_user_id, subject, body, org_id, host_id, ver, created_at, updated_at)
        VALUES ('%s', 'anna', '%s', '', 'default', 'runner-1', %d, '', '')"""
                .formatted(id, subject, version);
    }

    private static String recipient(String mail) {
        return """
        INSERT INTO mail_recipients
        (id, message_id, user_id, type, org_id, host_id, ver, created_at, updated_at)
        VALUES ('to-%1$s', '%1$s', 'bert', 'to', 'default', 'runner-1', 1, '', '')"""
                .formatted(mail);
    }

    private void sent() {
        ledger.note(MAIL, Acknowledgements.THERE, YES);
        everywhere(recipient("m"));
    }

    private List<String> findings() {
        return FinalComparison.findings(victims, ledger);
    }

    @Test
    void a_mail_that_is_everywhere_once_is_as_it_should_be() {
        sent();
        everywhere(mail("m", "hello", 1));
        assertThat(findings()).isEmpty();
    }

    @Test
    void an_acknowledged_mail_that_is_nowhere_is_found_on_every_machine() {
        ledger.note(MAIL, Acknowledgements.THERE, YES);
        assertThat(findings())
                .containsExactlyInAnyOrder(
                        "mail hello of runner-1 is absent on hub-1, and should be [there]",
                        "mail hello of runner-1 is absent on runner-1, and should be [there]",
                        "mail hello of runner-1 is absent on runner-2, and should be [there]");
    }

    @Test
    void a_mail_that_one_replica_lacks_is_found() {
        sent();
        write(databases.get(0), mail("m", "hello", 1));
        write(databases.get(1), mail("m", "hello", 1));
        assertThat(findings())
                .contains(
                        "mail_messages of runner-1 on runner-2: 1 missing, such as [m]",
                        "mail hello of runner-1 is absent on runner-2, and should be [there]");
    }

    @Test
    void a_replica_with_an_older_version_and_one_with_a_row_without_owner_are_found() {
        write(databases.get(0), mail("m", "hello", 1));
        write(databases.get(1), mail("m", "hello", 2));
        write(databases.get(2), mail("other", "what", 1));
        assertThat(findings())
                .contains(
                        "mail_messages of runner-1 on hub-1: 1 different, such as [m [ver: 2, there 1]]",
                        "mail_messages of runner-1 on runner-2: 1 unknown to their owner, such as [other]");
    }

    @Test
    void a_mail_stored_twice_and_one_that_was_refused_are_found() {
        sent();
        everywhere(recipient("n"));
        everywhere(mail("m", "hello", 1));
        everywhere(mail("n", "hello", 2));
        Thing refused = new Thing(Kind.MAIL, "runner-1", "refused");
        ledger.note(refused, Acknowledgements.THERE, new CallOutcome.No(507, "the disk is full"));
        everywhere(mail("r", "refused", 3));
        everywhere(recipient("r"));
        assertThat(findings())
                .contains(
                        "mail hello of runner-1 is there 2 times on hub-1",
                        "mail refused of runner-1 is there on hub-1, and should be [absent]");
    }

    @Test
    void a_call_without_an_answer_may_have_happened_or_not() {
        ledger.note(MAIL, Acknowledgements.THERE, new CallOutcome.Unknown("timeout"));
        assertThat(findings()).isEmpty();
        everywhere(mail("m", "hello", 1));
        everywhere(recipient("m"));
        assertThat(findings()).isEmpty();
    }

    private void job(String... statuses) {
        ledger.note(JOB, Acknowledgements.THERE, YES);
        write(
                databases.getFirst(),
                """
                INSERT INTO jobs
                (id, org_id, host_id, type, payload, idempotency_key, run_id, created_by_id, created_at)
                VALUES ('j', 'default', 'runner-1', 'shell', '', 'build', 'r', '', '')""");
        for (int i = 0; i < statuses.length; i++) {
            write(
                    databases.getFirst(),
                    """
                    INSERT INTO job_runs (id, org_id, job_id, host_id, attempt, status)
                    VALUES ('r%1$d', 'default', 'j', 'runner-1', %1$d, '%2$s')"""
                            .formatted(i, statuses[i]));
        }
    }

    private void effects(int times) throws IOException {
        Files.writeString(
                victims.get(1).dataDir.resolve(JobWorkload.EFFECTS), "<build>\n".repeat(times));
    }

    @Test
    void a_job_that_ran_as_often_as_its_attempts_say_is_as_it_should_be() throws IOException {
        job("lost", "succeeded");
        effects(2);
        assertThat(findings()).isEmpty();
        effects(1);
        assertThat(findings()).isEmpty();
    }

    @Test
    void a_job_that_is_lost_open_or_ran_too_often_or_never_is_found() throws IOException {
        Thing lost = new Thing(Kind.JOB, "hub-1", "lost");
        ledger.note(lost, Acknowledgements.THERE, YES);
        job("succeeded", "succeeded", "running");
        effects(4);
        assertThat(findings())
                .containsExactlyInAnyOrder(
                        "job lost of hub-1 is absent on hub-1, and should be [there]",
                        "job build of hub-1 is not over: [succeeded, succeeded, running]",
                        "job build of hub-1 ended more than once: [succeeded, succeeded, running]",
                        "job build of hub-1 ran 4 times, and its attempts are [succeeded, succeeded, running]");
    }

    @Test
    void a_success_without_an_effect_is_found() throws IOException {
        job("succeeded");
        effects(0);
        assertThat(findings())
                .containsExactly(
                        "job build of hub-1 ran 0 times, and its attempts are [succeeded]");
    }

    @Test
    void an_edit_that_was_acknowledged_and_undone_is_found() {
        Thing person = new Thing(Kind.OPERATOR, "hub-1", "anna");
        ledger.note(person, "viewer", YES);
        ledger.note(person, "admin", YES);
        write(
                databases.getFirst(),
                """
                INSERT INTO operators (id, org_id, username, role, created_at, updated_at)
                VALUES ('o', 'default', 'anna', 'VIEWER', '', '')""");
        assertThat(findings())
                .containsExactly(
                        "operator anna of hub-1 is viewer on hub-1, and should be [admin]");
    }
}
