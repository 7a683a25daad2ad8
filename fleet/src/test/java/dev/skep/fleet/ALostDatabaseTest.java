package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A runner's database is deleted, its key is kept: its agents are who they were. */
@Timeout(180)
class ALostDatabaseTest {
    private static final String AGENT =
            """
            title: Reader
            prompt: Read your mail.
            model: scripted:reader.script.yaml
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
    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Path agents = Path.of("");

    @BeforeEach
    void write() throws IOException {
        agents = Files.createDirectories(folder.resolve("a/agents"));
        Files.writeString(agents.resolve("alice.yaml"), AGENT);
        Files.writeString(agents.resolve("bob.yaml"), AGENT);
        Files.writeString(agents.resolve("reader.script.yaml"), SCRIPT);
    }

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void its_hub_gives_its_agents_back_before_any_is_made_anew() throws Exception {
        HubNode hub = opened(HubNode.open(folder.resolve("hub"), 0));
        RunnerNode b = opened(RunnerNode.open(folder.resolve("b"), "b", hub.url));
        AgentHost a = opened(new AgentHost(folder.resolve("a"), joining(hub.url, "60s")));
        String alice = only(hub.fleetRows, "alice");
        b.fleetRows.mailTo(alice, "first");
        seen(hub.fleetRows, "first", alice);

        stop(a);
        loseDatabase();
        b.fleetRows.mailTo(alice, "second");
        AgentHost again = opened(new AgentHost(folder.resolve("a"), joining(hub.url, "60s")));
        assertThat(again.opened.lines())
                .anyMatch(
                        line ->
                                line.contains("waits for " + hub.url)
                                        && line.contains("at most 60 s")
                                        && line.contains("--wait-for-agents 0 skips"));

        seen(hub.fleetRows, "second", alice);
        assertThat(only(again.fleetRows, "alice")).isEqualTo(alice);
        assertThat(only(hub.fleetRows, "alice")).isEqualTo(alice);
        assertThat(seenBy(hub.fleetRows, "first")).as("read once").hasSize(1);
        assertThat(again.fleetRows.number("SELECT count(*) FROM awaited_hubs")).isZero();
    }

    @Test
    void a_hub_that_was_away_makes_them_one_with_those_of_meanwhile() throws Exception {
        HubNode hub = opened(HubNode.open(folder.resolve("hub"), 0));
        int port = hub.port();
        RunnerNode b = opened(RunnerNode.open(folder.resolve("b"), "b", hub.url));
        AgentHost a = opened(new AgentHost(folder.resolve("a"), joining(hub.url, "60s")));
        String alice = only(hub.fleetRows, "alice");
        String bob = only(hub.fleetRows, "bob");
        b.fleetRows.mailTo(alice, "first");
        seen(hub.fleetRows, "first", alice);

        stop(a);
        stop(hub);
        loseDatabase();
        Files.delete(agents.resolve("bob.yaml"));
        AgentHost again = opened(new AgentHost(folder.resolve("a"), joining(hub.url, "1s")));
        Eventually.holds("made anew", () -> named(again.fleetRows, "alice").size() == 1);
        String meanwhile = named(again.fleetRows, "alice").getFirst();
        assertThat(meanwhile).isNotEqualTo(alice);
        HttpVisitor.local(again.opened.url(), folder.resolve("a"))
                .post(
                        "/api/runner/mail",
                        Map.of("to", "alice", "subject", "meanwhile", "body", "a word"));
        seen(again.fleetRows, "meanwhile", meanwhile);
        b.fleetRows.mailTo(meanwhile, "to-the-new");

        HubNode back = opened(HubNode.open(folder.resolve("hub"), port));
        seen(back.fleetRows, "to-the-new", alice);
        b.fleetRows.mailTo(alice, "to-the-old");
        seen(back.fleetRows, "to-the-old", alice);
        // What the other did is its history now, here and at the hub.
        seen(again.fleetRows, "meanwhile", alice);
        seen(back.fleetRows, "meanwhile", alice);
        for (FleetRows each : List.of(again.fleetRows, back.fleetRows)) {
            Eventually.holds("one alice", () -> named(each, "alice").equals(List.of(alice)));
            Eventually.holds(
                    "its sessions are alice's",
                    () ->
                            each.number(
                                            "SELECT count(DISTINCT run_id) FROM run_session WHERE user_id = '%s'"
                                                    .formatted(alice))
                                    == 2);
            assertThat(seenBy(each, "first")).as("read once").containsExactly(alice);
            assertThat(named(each, "bob")).containsExactly(bob);
        }
        b.fleetRows.mailTo(meanwhile, "later");
        seen(back.fleetRows, "later", alice);
    }

    @Test
    void an_agent_whose_file_got_another_name_meanwhile_is_renamed_and_the_same() throws Exception {
        HubNode hub = opened(HubNode.open(folder.resolve("hub"), 0));
        int port = hub.port();
        AgentHost a = opened(new AgentHost(folder.resolve("a"), joining(hub.url, "60s")));
        String alice = only(hub.fleetRows, "alice");
        stop(a);
        stop(hub);
        loseDatabase();
        Files.writeString(agents.resolve("alice.yaml"), "username: alicia\n" + AGENT);

        AgentHost again = opened(new AgentHost(folder.resolve("a"), joining(hub.url, "0")));
        Eventually.holds("made anew", () -> named(again.fleetRows, "alicia").size() == 1);
        HubNode back = opened(HubNode.open(folder.resolve("hub"), port));

        Eventually.holds("renamed", () -> named(back.fleetRows, "alicia").equals(List.of(alice)));
        assertThat(named(again.fleetRows, "alicia")).containsExactly(alice);
        assertThat(named(back.fleetRows, "alice")).isEmpty();
    }

    private static Map<String, String> joining(String hub, String wait) {
        return Map.of("NAISYS_HOSTNAME", "a", "HUB_URLS", hub, "SKEP_WAIT_FOR_AGENTS", wait);
    }

    private void loseDatabase() throws IOException {
        for (String name : List.of("runner.db", "runner.db-wal", "runner.db-shm")) {
            Files.deleteIfExists(folder.resolve("a").resolve(name));
        }
    }

    private static List<String> named(FleetRows fleetRows, String name) {
        return fleetRows.texts(
                "SELECT id FROM users WHERE username = ? AND same_as IS NULL ORDER BY id", name);
    }

    private static String only(FleetRows fleetRows, String name) {
        Eventually.holds(name + " is known", () -> !named(fleetRows, name).isEmpty());
        assertThat(named(fleetRows, name)).hasSize(1);
        return named(fleetRows, name).getFirst();
    }

    /** An agent writes a line when it has read a mail. */
    private static void seen(FleetRows fleetRows, String subject, String agent) {
        Eventually.holds(subject + " is read", () -> seenBy(fleetRows, subject).contains(agent));
    }

    private static List<String> seenBy(FleetRows fleetRows, String subject) {
        return fleetRows.texts(
                "SELECT user_id FROM context_log WHERE message LIKE ? AND type = 'output'",
                "%seen " + subject + "%");
    }

    private <T extends AutoCloseable> T opened(T node) {
        open.push(node);
        return node;
    }

    private void stop(AutoCloseable node) throws Exception {
        open.remove(node);
        node.close();
    }
}
