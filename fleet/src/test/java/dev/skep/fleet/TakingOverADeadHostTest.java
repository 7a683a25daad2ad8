package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.Killable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A hub and two runners as processes; one runner dies and comes back too late. */
@Timeout(180)
class TakingOverADeadHostTest {
    private static final String AGENT =
            """
            title: Reader
            prompt: Read your mail.
            model: scripted:alice.script.yaml
            """;

    private static final String SCRIPT =
            """
            steps:
              - when: { last: "Subject: (\\\\S+)" }
                run: ['echo "seen {{1}}"', mail wait]
              - when: { last: New mail }
                run: [mail read]
              - run: [mail wait]
            """;

    @TempDir private Path folder = Path.of("");
    private final List<Killable> processes = new ArrayList<>();

    @AfterEach
    void end() {
        processes.forEach(Killable::close);
    }

    @Test
    void its_agent_continues_elsewhere_with_all_its_mail_and_stays_there() throws Exception {
        Path agents = Files.createDirectories(folder.resolve("a/agents"));
        Files.writeString(agents.resolve("alice.yaml"), AGENT);
        Files.writeString(agents.resolve("alice.script.yaml"), SCRIPT);
        Killable hub = start("hub", "hub", "0");
        String hubDir = folder.resolve("hub").toString();
        String hubUrl = hub.greeting().split(" ", -1)[1];
        Killable a = start("agents", "a", hubUrl);
        Killable b = start("agents", "b", hubUrl);
        String hostB = b.greeting().split(" ", -1)[2];
        HttpVisitor atB = visitor(b, "b");

        try (Database atHub = Databases.openReadOnly(sqlite("hub/hub.db"))) {
            mail(visitor(a, "a"), "first");
            seen(atHub, "first", a);
            a.kill();
            Eventually.holds("alice is known to b", () -> knows(atB, "alice"));
            mail(atB, "second");

            SkepCommand.Ended adopted =
                    SkepCommand.run("adopt", "alice", "--to", "b", "--data-dir", hubDir);
            assertThat(adopted.status()).as(adopted.said()).isZero();
            seen(atHub, "second", b);
            assertThat(folder.resolve("b/agents/alice.yaml")).hasContent(AGENT);
            assertThat(atB.get("/api/runner/mail?agent=alice").body())
                    .contains("\"first\"", "\"second\"");

            a.start();
            Eventually.holds("a knows who has alice", () -> isTakenAway(visitor(a, "a")));
            mail(visitor(a, "a"), "third");
            seen(atHub, "third", b);
            assertThat(owners(atHub, "third")).containsExactly(hostB);
            assertThat(one(atHub, "SELECT host_id AS it FROM users WHERE username = 'alice'"))
                    .isEqualTo(hostB);
        }
        for (String each : List.of("a/runner.db", "b/runner.db")) {
            try (Database database = Databases.openReadOnly(sqlite(each))) {
                assertThat(one(database, "SELECT host_id AS it FROM users WHERE kind = 'agent'"))
                        .isEqualTo(hostB);
            }
        }
    }

    private Killable start(String kind, String name, String argument) {
        Killable started =
                new Killable(
                        NodeProcess.class,
                        line -> {},
                        kind,
                        folder.resolve(name).toString(),
                        argument);
        processes.add(started);
        return started;
    }

    private DatabaseUrl sqlite(String file) {
        return new DatabaseUrl.Sqlite(folder.resolve(file));
    }

    private HttpVisitor visitor(Killable runner, String name) {
        return HttpVisitor.local(runner.greeting().split(" ", -1)[1], folder.resolve(name));
    }

    private static void mail(HttpVisitor runner, String subject) throws Exception {
        runner.post(
                "/api/runner/mail", Map.of("to", "alice", "subject", subject, "body", "a word"));
    }

    private static boolean knows(HttpVisitor runner, String agent) {
        return ask(runner, "/api/runner/agents").contains('"' + agent + '"');
    }

    private static boolean isTakenAway(HttpVisitor runner) {
        return ask(runner, "/api/runner/problems").contains("has taken alice over");
    }

    private static String ask(HttpVisitor visitor, String path) {
        try {
            return visitor.get(path).body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** The line an agent writes when it has read a mail, from the host it runs at. */
    private static void seen(Database hub, String subject, Killable at) {
        String host = at.greeting().split(" ", -1)[2];
        Eventually.holds(
                subject + " is read at " + host, () -> owners(hub, subject).contains(host));
    }

    private static List<String> owners(Database hub, String subject) {
        return hub.read(
                db ->
                        db.list(
                                "SELECT DISTINCT host_id FROM context_log WHERE message LIKE ? AND type = 'output'",
                                row -> row.text("host_id"),
                                "%seen " + subject + "%"));
    }

    private static String one(Database database, String sql) {
        return database.read(db -> db.first(sql, row -> row.text("it"))).orElseThrow();
    }
}
