package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.supervisor.source.LinkView;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.server.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class HubsAndRunnersTest {
    @TempDir private Path folder = Path.of("");
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private HubNode hub(String name, int port) {
        return opened(HubNode.open(folder.resolve(name), port));
    }

    private RunnerNode runner(String name, String... hubs) {
        return opened(RunnerNode.open(folder.resolve(name), name, hubs));
    }

    private <T extends AutoCloseable> T opened(T node) {
        open.push(node);
        return node;
    }

    private void stop(AutoCloseable node) throws Exception {
        open.remove(node);
        node.close();
    }

    private static void arrives(String mail, RunnerNode at) {
        Eventually.holds("mail arrives", () -> at.fleetRows.ids("mail_messages").contains(mail));
    }

    @Test
    void two_runners_exchange_mail_through_a_hub() {
        HubNode hub = hub("hub", 0);
        RunnerNode a = runner("a", hub.url);
        RunnerNode b = runner("b", hub.url.replace("http:", "ws:"));
        String there = a.fleetRows.mail("hello b");
        arrives(there, b);
        String back = b.fleetRows.mail("hello a");
        arrives(back, a);
        Eventually.holds("hosts", () -> a.fleetRows.ids("hosts").contains(b.id()));
    }

    @Test
    void logs_reach_the_hub_and_no_other_host() {
        HubNode hub = hub("hub", 0);
        RunnerNode a = runner("a", hub.url);
        RunnerNode b = runner("b", hub.url);
        a.fleetRows.logs(20_000);
        arrives(a.fleetRows.mail("after the logs"), b);
        Eventually.holds(
                "all logs",
                () -> hub.fleetRows.number("SELECT count(*) FROM context_log") == 20_000);
        assertThat(b.fleetRows.ids("context_log")).isEmpty();
    }

    @Test
    void with_one_hub_down_the_other_carries_the_mail_and_the_first_catches_up() throws Exception {
        HubNode first = hub("first", 0);
        HubNode second = hub("second", 0);
        RunnerNode a = runner("a", first.url, second.url);
        RunnerNode b = runner("b", first.url, second.url);
        arrives(a.fleetRows.mail("both up"), b);
        int port = first.port();
        stop(first);
        String meanwhile = a.fleetRows.mail("first is down");
        arrives(meanwhile, b);
        isLevel(a, second);
        Eventually.holds("told as away", () -> a.link(first.url).state().equals("away"));
        assertThat(a.link(first.url).lagRows()).isPositive();
        HubNode again = hub("first", port);
        Eventually.holds(
                "the first hub has it",
                () -> again.fleetRows.ids("mail_messages").contains(meanwhile));
        isLevel(a, again);
    }

    private static void isLevel(RunnerNode runner, HubNode hub) {
        Eventually.holds(
                "nothing waits for the hub",
                () -> {
                    LinkView link = runner.link(hub.url);
                    return link.state().equals("connected")
                            && Long.valueOf(0).equals(link.lagRows())
                            && link.behindSince() == null
                            && link.askedAt() == null;
                });
    }

    @Test
    void a_runner_that_is_started_without_its_hub_still_knows_what_the_hub_has() throws Exception {
        HubNode hub = hub("hub", 0);
        RunnerNode a = runner("a", hub.url);
        a.fleetRows.logs(51);
        isLevel(a, hub);
        stop(a);
        stop(hub);

        assertThat(runner("a", hub.url).link(hub.url).lagRows()).isZero();
    }

    @Test
    void a_wiped_hub_is_filled_again() throws Exception {
        HubNode hub = hub("hub", 0);
        RunnerNode a = runner("a", hub.url);
        RunnerNode b = runner("b", hub.url);
        String mail = a.fleetRows.mail("before");
        arrives(mail, b);
        int port = hub.port();
        stop(hub);
        wipe(folder.resolve("hub"));
        HubNode fresh = hub("hub", port);
        Eventually.holds(
                "the hub has it again", () -> fresh.fleetRows.ids("mail_messages").contains(mail));
        String after = b.fleetRows.mail("after");
        arrives(after, a);
        assertThat(fresh.fleetRows.ids("hosts")).contains(a.id(), b.id());
    }

    @Test
    void restarts_go_on_where_they_were() throws Exception {
        HubNode hub = hub("hub", 0);
        RunnerNode a = runner("a", hub.url);
        RunnerNode b = runner("b", hub.url);
        arrives(a.fleetRows.mail("one"), b);
        int port = hub.port();
        stop(a);
        stop(hub);
        HubNode hubAgain = hub("hub", port);
        long feed = hubAgain.fleetRows.number("SELECT max(feed) FROM mail_messages");
        RunnerNode aAgain = runner("a", hubAgain.url);
        String two = aAgain.fleetRows.mail("two");
        arrives(two, b);
        assertThat(
                        hubAgain.fleetRows.number(
                                "SELECT count(*) FROM mail_messages WHERE feed <= " + feed))
                .isEqualTo(1);
    }

    @Test
    void a_newer_runner_is_refused_with_both_versions() {
        HubNode hub = hub("hub", 0);
        RunnerNode newer = opened(RunnerNode.newer(folder.resolve("newer"), "newer", hub.url));
        int ours = newer.schema.version();
        Eventually.holds(
                "refused",
                () ->
                        newer.links
                                .status()
                                .getFirst()
                                .problem()
                                .contains("schema_version_mismatch"));
        assertThat(newer.links.status().getFirst().problem())
                .contains(Integer.toString(ours))
                .contains(Integer.toString(ours - 1))
                .contains("update hub");
        RunnerNode other = runner("other", hub.url);
        Eventually.holds("others go on", () -> hub.fleetRows.ids("hosts").contains(other.id()));
    }

    @Test
    void the_second_of_two_equal_names_is_marked_until_it_is_renamed() {
        HubNode hub = hub("hub", 0);
        RunnerNode a = runner("a", hub.url);
        a.fleetRows.agent("alice");
        Eventually.holds("first", () -> hub.fleetRows.ids("users").size() == 1);
        RunnerNode b = runner("b", hub.url);
        String second = b.fleetRows.agent("alice");
        String marked = "SELECT name_conflict FROM users WHERE id = '%s'".formatted(second);
        Eventually.holds("marked at its owner", () -> b.fleetRows.number(marked) == 1);
        Eventually.holds("marked at others", () -> a.fleetRows.number(marked) == 1);
        b.fleetRows.agent(second, "alicia");
        Eventually.holds(
                "healed",
                () ->
                        a.fleetRows.number(
                                        "SELECT count(*) FROM users WHERE username = 'alicia' AND name_conflict = 0")
                                == 1);
    }

    @Test
    void two_hub_processes_share_one_postgres() throws IOException {
        String database = PostgresServer.newDatabaseUrl();
        HubNode first = opened(HubNode.open(folder.resolve("one"), 0, database));
        Files.createDirectories(folder.resolve("two"));
        Files.copy(folder.resolve("one/hub.key"), folder.resolve("two/hub.key"));
        HubNode second = opened(HubNode.open(folder.resolve("two"), 0, database));
        RunnerNode a = runner("a", first.url);
        RunnerNode b = runner("b", second.url);
        arrives(a.fleetRows.mail("through the first, out of the second"), b);
        arrives(b.fleetRows.mail("and back"), a);
        assertNoCopyGetsIn("a", second);
    }

    /** Of a host that is linked to the other process. */
    private void assertNoCopyGetsIn(String host, HubNode hub) throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy"));
        for (String file : List.of("runner.key", "runner.db", "runner.db-wal")) {
            Files.copy(folder.resolve(host).resolve(file), copy.resolve(file));
        }
        RunnerNode copied = opened(RunnerNode.open(copy, host, hub.url));
        Eventually.holds(
                "the copy is refused",
                () -> copied.links.status().getFirst().problem().contains("duplicate_host"));
    }

    @Test
    void two_addresses_of_one_hub_are_one_link_that_moves() throws Exception {
        String database = PostgresServer.newDatabaseUrl();
        HubNode first = opened(HubNode.open(folder.resolve("one"), 0, database));
        Files.createDirectories(folder.resolve("two"));
        Files.copy(folder.resolve("one/hub.key"), folder.resolve("two/hub.key"));
        HubNode second = opened(HubNode.open(folder.resolve("two"), 0, database));
        RunnerNode a = runner("a", first.url, second.url);
        Eventually.holds("one link", () -> live(a) == 1);
        stop(a.links.status().getFirst().state().equals("live") ? first : second);
        Eventually.holds("the other link", () -> live(a) == 1);
    }

    private static long live(RunnerNode runner) {
        List<String> states = runner.links.status().stream().map(s -> s.state()).toList();
        List<String> problems = runner.links.status().stream().map(s -> s.problem()).toList();
        return states.contains("live") ? problems.stream().filter(String::isEmpty).count() : 0;
    }

    private static void wipe(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.delete(file);
            }
        }
    }
}
