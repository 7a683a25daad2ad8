package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.fleet.agent.AgentHost;
import dev.skep.fleet.agent.AgentPackages;
import dev.skep.store.Database;
import dev.skep.store.DatabaseUrl;
import dev.skep.store.engine.Databases;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.FreePort;
import dev.skep.testkit.Killable;
import dev.skep.testkit.acp.FixtureAgent;
import dev.skep.testkit.provider.FakeProvider;
import dev.skep.testkit.provider.ProviderAnswer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two managed agents on two hosts, each of another runtime, whose hub is killed while they write to
 * each other. All of it runs as processes of their own.
 */
@Timeout(120)
class AgentsOfTwoVendorsTest {
    private static final String LOG_ROWS =
            """
            SELECT concat_ws('|', l.id, l.user_id, l.run_id, l.session_id, l.role, l.source, l.type,
                l.message, l.detail, l.created_at)
            FROM context_log l JOIN users u ON u.id = l.user_id WHERE u.username = ? ORDER BY l.id""";
    private static final String MAIL =
            """
            SELECT m.subject FROM mail_messages m JOIN mail_recipients r ON r.message_id = m.id
            JOIN users u ON u.id = r.user_id WHERE u.username = ? ORDER BY m.subject""";
    private static final String KNOWN = "SELECT username FROM users WHERE username = ?";

    /** Mails each way, in parts of at most five: a turn tells of no more. */
    private static final int ALL = 11;

    @TempDir private Path folder = Path.of("");

    @Test
    void mail_arrives_once_and_logs_arrive_whole_though_their_hub_is_killed() throws Exception {
        Path hubDb = folder.resolve("hub/hub.db");
        int port = FreePort.any();
        agent("forge", "ada", "alder");
        agent("dock", "bob", "birch");
        Map<String, String> joining =
                Map.of(
                        "HUB_ACCESS_KEY",
                        TestSettings.ACCESS_KEY,
                        "HUB_URLS",
                        "http://127.0.0.1:" + port);
        try (Killable hub =
                        new Killable(
                                NodeProcess.class,
                                _ -> {},
                                "hub",
                                folder.resolve("hub").toString(),
                                "" + port);
                FakeProvider provider = new FakeProvider(_ -> ProviderAnswer.say("unasked"));
                AgentHost forge = host("forge", provider, joining);
                AgentHost dock = host("dock", provider, joining)) {
            knows(forge, "bob");
            knows(dock, "ada");

            bothWrite(forge, dock, 0, 3);
            bothAreTold(forge, dock, 0, 3);

            bothWrite(forge, dock, 3, 8);
            has(hubDb, "bob", 4);
            hub.kill();
            assertThat(rows(hubDb, MAIL, "bob")).as("killed in between").hasSizeLessThan(8);
            hub.start();
            bothAreTold(forge, dock, 3, 8);

            bothWrite(forge, dock, 8, ALL);
            bothAreTold(forge, dock, 8, ALL);
            logIsWhole(database(forge), hubDb, "ada");
            logIsWhole(database(dock), hubDb, "bob");
            has(hubDb, "bob", ALL);
            has(hubDb, "ada", ALL);
            for (Path each : List.of(hubDb, database(forge), database(dock))) {
                assertThat(rows(each, MAIL, "bob")).isEqualTo(subjects("bob", 0, ALL));
                assertThat(rows(each, MAIL, "ada")).isEqualTo(subjects("ada", 0, ALL));
            }
        }
    }

    private static Path database(AgentHost host) {
        return host.dataDir().resolve("runner.db");
    }

    /** What an agent's host has before its first start. */
    private void agent(String host, String agent, String runtime) throws IOException {
        Path dataDir = folder.resolve(host).resolve("skep");
        Files.createDirectories(dataDir.resolve("agents"));
        Files.writeString(
                dataDir.resolve("agents/" + agent + ".yaml"),
                "runtime: %s\nprompt: Write to the other.\n".formatted(runtime));
        Files.writeString(
                dataDir.resolve("runtimes.yaml"),
                """
                runtimes:
                  - name: %s
                    command: [%s]
                    install: it comes with the tests
                    wire: anthropic
                    resume: load
                    gateway_env:
                      ANTHROPIC_BASE_URL: ${gateway.url}
                      ANTHROPIC_AUTH_TOKEN: ${gateway.token}
                """
                        .formatted(runtime, String.join(", ", FixtureAgent.command())));
    }

    private AgentHost host(String name, FakeProvider provider, Map<String, String> joining)
            throws IOException {
        return AgentHost.start(folder, name, AgentPackages.here(), provider, joining);
    }

    private static void knows(AgentHost host, String agent) {
        Eventually.holds(agent + " is known", () -> !rows(database(host), KNOWN, agent).isEmpty());
    }

    private static void bothWrite(AgentHost forge, AgentHost dock, int from, int until)
            throws IOException, InterruptedException {
        write(forge, "ada", "bob", from, until);
        write(dock, "bob", "ada", from, until);
    }

    /** Has an agent write so many mails, one after the other, in one turn. */
    private static void write(AgentHost host, String agent, String to, int from, int until)
            throws IOException, InterruptedException {
        StringBuilder steps = new StringBuilder();
        for (String subject : subjects(to, from, until)) {
            steps.append(
                    "\n!mcp mail_send {\"to\":\"%s\",\"subject\":\"%s\",\"body\":\"x\"}\n!sleep 150"
                            .formatted(to, subject));
        }
        host.talk(agent, steps.toString());
    }

    private static List<String> subjects(String to, int from, int until) {
        List<String> subjects = new ArrayList<>();
        for (int i = from; i < until; i++) {
            subjects.add("for-%s-%03d".formatted(to, i));
        }
        return subjects;
    }

    private static void has(Path database, String agent, int mails) {
        Eventually.holds(
                "%s has %d for %s".formatted(database.getParent(), mails, agent),
                AgentHost.PATIENCE,
                () -> rows(database, MAIL, agent).size() >= mails);
    }

    private static void bothAreTold(AgentHost forge, AgentHost dock, int from, int until) {
        isTold(forge, "ada", from, until);
        isTold(dock, "bob", from, until);
    }

    /** An agent's runtime is told of each mail, and of none twice. */
    private static void isTold(AgentHost host, String agent, int from, int until) {
        for (String subject : subjects(agent, from, until)) {
            host.logged(agent, "told of " + subject, line -> tells(line, subject));
            assertThat(host.log(agent)).filteredOn(line -> tells(line, subject)).hasSize(1);
        }
    }

    private static boolean tells(AgentHost.Line line, String subject) {
        return line.type().equals("prompt") && line.message().contains(subject);
    }

    private static void logIsWhole(Path host, Path hub, String agent) {
        Eventually.holds(
                "the hub has the log of " + agent,
                AgentHost.PATIENCE,
                () -> {
                    List<String> here = rows(host, LOG_ROWS, agent);
                    return here.getLast().contains("|turn_end|")
                            && here.equals(rows(hub, LOG_ROWS, agent));
                });
    }

    private static List<String> rows(Path file, String sql, String agent) {
        try (Database database = Databases.openReadOnly(new DatabaseUrl.Sqlite(file))) {
            return database.read(db -> db.list(sql, row -> row.text(1), agent));
        }
    }
}
