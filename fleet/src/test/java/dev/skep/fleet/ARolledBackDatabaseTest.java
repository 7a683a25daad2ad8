package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.SystemTime;
import dev.skep.app.doctor.Doctor;
import dev.skep.app.doctor.Finding;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.Relay;
import dev.skep.transport.route.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A runner's database is put back to an earlier state. Others' mail is back long before the marks
 * that it was read: the line to the hub takes its time.
 */
@Timeout(180)
class ARolledBackDatabaseTest {
    /** Answers each mail once it is told of it; between mails it does what is given. */
    private static final String SCRIPT =
            """
            steps:
              - when: { last: "Subject: (\\\\S+)" }
                run: ['mail send %1$s "re-{{1}}" "an answer"', mail read]
              - when: { last: New mail }
                run: [mail read]
              - run: [%2$s]
            """;

    private static final List<String> FILES =
            List.of("runner.db", "runner.db-wal", "runner.db-shm");

    @TempDir private Path folder = Path.of("");
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void mail_that_was_read_before_wakes_no_agent_and_is_answered_once() throws Exception {
        Fleet fleet = new Fleet();
        fleet.rollBack();
        fleet.mail("second");

        AgentHost a = opened(fleet.start("60s"));

        answered(fleet.hub.fleetRows, "second", 2);
        answered(fleet.hub.fleetRows, "first", 2);
        assertThat(unread(a.fleetRows)).isZero();
        assertThat(notes(a)).noneMatch(note -> note.contains("agents wait"));
        // And from now on mail of other hosts wakes at once.
        fleet.mail("third");
        answered(fleet.hub.fleetRows, "third", 2);
    }

    @Test
    void a_hub_that_leaves_while_it_gives_rows_back_is_awaited_and_named() throws Exception {
        Fleet fleet = new Fleet();
        fleet.rollBack();
        fleet.mail("second");
        AgentHost a = opened(fleet.start("60s"));
        Eventually.holds("told", () -> isNoted(a, "agents wait until all is given back"));

        fleet.relay.sever();

        Eventually.holds("told", () -> isNoted(a, fleet.relay.url() + " disconnected"));
        assertThat(visitor(a).call("POST", "/api/runner/agents/carl/start"))
                .contains("agents wait for it")
                .contains("--wait-for-agents 0");
        assertThat(findings(a))
                .anyMatch(line -> line.contains("agents wait until it has given that back"));

        fleet.relay.recover();
        answered(fleet.hub.fleetRows, "second", 2);
        answered(fleet.hub.fleetRows, "first", 2);
        assertThat(isNoted(a, "agents wait")).isFalse();
        assertThat(findings(a)).noneMatch(line -> line.contains("given that back"));
    }

    @Test
    void a_start_without_the_hub_that_left_waits_for_a_while_and_then_continues() throws Exception {
        Fleet fleet = new Fleet();
        fleet.rollBack();
        AgentHost cut = opened(fleet.start("60s"));
        Eventually.holds("told", () -> isNoted(cut, "agents wait until all is given back"));
        fleet.relay.sever();
        stop(cut);

        AgentHost alone = opened(fleet.start("1s"));
        assertThat(alone.opened.lines()).anyMatch(line -> line.contains("at most 1 s it waits"));
        visitor(alone)
                .post(
                        "/api/runner/mail",
                        Map.of("to", "alice", "subject", "local", "body", "a word"));
        answered(alone.fleetRows, "local", 1);

        fleet.relay.recover();
        answered(fleet.hub.fleetRows, "local", 1);
        fleet.mail("second");
        answered(fleet.hub.fleetRows, "second", 2);
    }

    /** A hub, another host that writes mail, and a host with alice, who waits, and carl. */
    private final class Fleet {
        final HubNode hub = opened(HubNode.open(folder.resolve("hub"), 0));
        final Relay relay = opened(new Relay(hub.port()));
        private final RunnerNode b = opened(RunnerNode.open(folder.resolve("b"), "b", hub.url));
        private final String alice;
        private final String carl;

        /** Both have answered a mail that the copy of their database knows nothing of. */
        Fleet() throws Exception {
            String writer = b.fleetRows.writer();
            write("alice", SCRIPT.formatted(writer, "mail wait"));
            write("carl", SCRIPT.formatted(writer, "session complete"));
            AgentHost before = opened(start("60s"));
            alice = only(hub.fleetRows, "alice");
            carl = only(hub.fleetRows, "carl");
            Eventually.holds("all is quiet", () -> isQuiet(hub.fleetRows, 1));
            stop(before);
            for (String name : FILES) {
                copy(data().resolve(name), folder.resolve("old-" + name));
            }
            AgentHost a = opened(start("60s"));
            mail("first");
            answered(hub.fleetRows, "first", 2);
            Eventually.holds("all is quiet", () -> isQuiet(hub.fleetRows, 2));
            Eventually.holds(
                    "the hub knows that it was read",
                    () -> hub.fleetRows.number("SELECT count(read_at) FROM mail_status") == 2);
            stop(a);
        }

        void rollBack() throws IOException {
            for (String name : FILES) {
                Files.deleteIfExists(data().resolve(name));
                copy(folder.resolve("old-" + name), data().resolve(name));
            }
            relay.delay(Duration.ofMillis(200));
        }

        AgentHost start(String wait) {
            return new AgentHost(
                    data(),
                    Map.of(
                            "NAISYS_HOSTNAME",
                            "a",
                            "HUB_URLS",
                            relay.url(),
                            "SKEP_WAIT_FOR_AGENTS",
                            wait));
        }

        void mail(String subject) {
            b.fleetRows.mailTo(alice, subject);
            b.fleetRows.mailTo(carl, subject);
        }

        private Path data() {
            return folder.resolve("a");
        }

        private void write(String name, String script) throws IOException {
            Path agents = Files.createDirectories(data().resolve("agents"));
            Files.writeString(
                    agents.resolve(name + ".yaml"),
                    "title: Reader\nprompt: Answer your mail.\nmodel: scripted:%s.script.yaml\n"
                            .formatted(name));
            Files.writeString(agents.resolve(name + ".script.yaml"), script);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        if (Files.exists(from)) {
            Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Carl has ended so many sessions. */
    private static boolean isQuiet(FleetRows fleetRows, int sessions) {
        return fleetRows.number(
                                "SELECT count(*) FROM run_session WHERE ended_reason LIKE 'complete%'")
                        == sessions
                && fleetRows.number(
                                "SELECT count(*) FROM user_notifications WHERE status = 'waiting'")
                        == 1;
    }

    private static void answered(FleetRows fleetRows, String subject, int times) {
        String sql =
                "SELECT count(*) FROM mail_messages WHERE subject = 're-%s'".formatted(subject);
        Eventually.holds(subject + " is answered", () -> fleetRows.number(sql) >= times);
        assertThat(fleetRows.number(sql)).as(subject).isEqualTo(times);
    }

    private static long unread(FleetRows fleetRows) {
        return fleetRows.number(
                """
                SELECT count(*) FROM mail_recipients r JOIN users u ON u.id = r.user_id
                LEFT JOIN mail_status s ON s.message_id = r.message_id AND s.user_id = r.user_id
                WHERE u.username IN ('alice', 'carl') AND s.read_at IS NULL
                """);
    }

    private HttpVisitor visitor(AgentHost host) {
        return HttpVisitor.local(host.opened.url(), folder.resolve("a"));
    }

    private List<String> notes(AgentHost host) {
        try {
            return Json.fields(visitor(host).get("/api/runner/agents").body())
                    .list("agents")
                    .stream()
                    .map(agent -> agent.shown("note"))
                    .toList();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isNoted(AgentHost host, String words) {
        return notes(host).stream().anyMatch(note -> note.contains(words));
    }

    private static List<String> findings(AgentHost host) {
        return new Doctor(host.configuration, SystemTime.clock())
                .checkAll(finding -> {}).stream().map(Finding::says).toList();
    }

    private static String only(FleetRows fleetRows, String name) {
        String sql = "SELECT id FROM users WHERE username = ?";
        Eventually.holds(name + " is known", () -> fleetRows.texts(sql, name).size() == 1);
        return fleetRows.texts(sql, name).getFirst();
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
