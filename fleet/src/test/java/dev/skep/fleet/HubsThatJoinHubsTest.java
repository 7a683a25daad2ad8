package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.RegistryService;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.registry.module.RegistryOptions;
import dev.skep.registry.node.NodeTimeouts;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.RawWebSocket;
import dev.skep.testkit.server.PostgresServer;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code skep hub} and {@code skep registry} join hubs like a runner, for their own rows. */
@Timeout(120)
class HubsThatJoinHubsTest {
    private static final String NODES = "/api/orgs/default/nodes";

    @TempDir private Path folder = Path.of("");
    private final Deque<AutoCloseable> open = new ArrayDeque<>();

    @AfterEach
    void closeAll() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    @Test
    void an_operators_mail_reaches_an_agent_whose_runner_is_at_the_other_hub() throws Exception {
        HubNode b = opened(HubNode.open(folder.resolve("b"), 0));
        runnerWithAlice(b.url);
        HubNode a = opened(HubNode.joining(folder.resolve("a"), 0, "hub-a", b.url));
        RunnerNode below = opened(RunnerNode.open(folder.resolve("below"), "below", a.url));
        String belows = below.fleetRows.mail("nobody else's business");
        has(a.fleetRows, belows);
        Eventually.holds(
                "a knows alice",
                () ->
                        !a.fleetRows
                                .texts("SELECT id FROM users WHERE username = 'alice'")
                                .isEmpty());
        assertThat(a.process.host().keys().allows(b.url)).isEqualTo(Consents.NONE);

        HttpVisitor.local(a.url, folder.resolve("a"))
                .operatorOf("default", "ada")
                .post(
                        "/api/orgs/default/mail",
                        Map.of("to", "alice", "subject", "hello", "body", "from afar"));
        Eventually.holds(
                "alice has read it",
                () ->
                        !b.fleetRows
                                .texts(
                                        "SELECT id FROM context_log WHERE message LIKE '%seen hello%' AND type = 'output'")
                                .isEmpty());
        assertThat(b.fleetRows.texts("SELECT kind FROM hosts WHERE name = 'hub-a'"))
                .containsExactly("hub");
        // Neither up nor down does a hub pass on what another host owns.
        assertThat(b.fleetRows.ids("mail_messages")).doesNotContain(belows);
        assertThat(b.fleetRows.ids("hosts")).doesNotContain(below.id());
        assertThat(below.fleetRows.texts("SELECT id FROM users WHERE username = 'alice'"))
                .isEmpty();
    }

    @Test
    void two_hubs_may_join_each_other_and_a_host_of_one_may_join_the_other_later()
            throws Exception {
        HubNode first = opened(HubNode.joining(folder.resolve("a"), 0, "hub-a"));
        int port = first.port();
        String atA = first.url;
        HubNode b = opened(HubNode.joining(folder.resolve("b"), 0, "hub-b", atA));
        stop(first);
        // The same setting on both machines names both of them.
        HubNode a = opened(HubNode.joining(folder.resolve("a"), port, "hub-a", atA, b.url));
        RunnerNode runner = opened(RunnerNode.open(folder.resolve("r"), "r", b.url));
        RunnerNode below = opened(RunnerNode.open(folder.resolve("below"), "below", atA));
        String mail = runner.fleetRows.mail("from a host of b");
        has(a.fleetRows, mail);
        has(b.fleetRows, a.fleetRows.mail("from a"));
        has(a.fleetRows, b.fleetRows.mail("from b"));
        assertThat(
                        a.fleetRows.texts(
                                "SELECT CAST(feed AS TEXT) FROM mail_messages WHERE id = ?", mail))
                .as("kept, and passed on to nobody")
                .containsExactly("null");
        assertThat(HttpVisitor.local(atA, folder.resolve("a")).get("/api/host/links").body())
                .contains("is this hub itself");

        stop(runner);
        RunnerNode both = opened(RunnerNode.open(folder.resolve("r"), "r", b.url, atA));
        has(below.fleetRows, mail);
        has(below.fleetRows, both.fleetRows.mail("and a new one"));
    }

    @Test
    void of_two_processes_on_one_database_one_keeps_the_links_and_the_other_takes_over()
            throws Exception {
        HubNode b = opened(HubNode.open(folder.resolve("b"), 0));
        String database = PostgresServer.newDatabaseUrl();
        Path two = Files.createDirectories(folder.resolve("two"));
        HubNode one = opened(HubNode.joiningOn(database, folder.resolve("one"), "hub-a", b.url));
        Files.copy(folder.resolve("one/hub.key"), two.resolve("hub.key"));
        has(b.fleetRows, one.fleetRows.mail("by the first"));
        HubNode other = opened(HubNode.joiningOn(database, two, "hub-a", b.url));
        has(b.fleetRows, other.fleetRows.mail("by the second, over the link of the first"));
        assertThat(HttpVisitor.local(other.url, two).get("/api/host/links").body())
                .contains("\"links\":[]");

        stop(one);
        has(b.fleetRows, other.fleetRows.mail("over its own"));
    }

    @Test
    void the_nodes_of_a_registry_are_in_the_roster_of_its_hub_while_it_is_there() throws Exception {
        Lifecycle hub = opened(new Lifecycle());
        Assembly.Opened atHub =
                new Assembly(
                                TestSettings.hubWithNodes(folder.resolve("hub")),
                                hub,
                                folder.resolve("hub"),
                                "test")
                        .open(Composition.hubOnly(false), Terminal.none());
        int hubPort = port(atHub.lines(), "nodes register at");
        Lifecycle registry = opened(new Lifecycle());
        List<String> told = registry(atHub.url(), registry);
        try (RawWebSocket watching = RawWebSocket.connect(hubPort, "/ws");
                RawWebSocket registered =
                        RawWebSocket.connect(port(told, "Hypivisor online"), "/ws")) {
            registered.text(
                    """
                    {"method":"register","params":{"id":"n","machine":"localhost","cwd":"/","port":1,"status":"active"}}\
                    """);
            await(watching, "\"node_joined\"");
            registry.close();
            await(watching, "\"node_offline\"");
        }
    }

    @Test
    void a_node_of_a_registry_is_removed_at_its_hub_by_its_own_registry() throws Exception {
        Path data = folder.resolve("hub");
        Lifecycle hub = opened(new Lifecycle());
        Assembly.Opened atHub =
                new Assembly(TestSettings.hubWithNodes(data), hub, data, "test")
                        .open(Composition.hubOnly(false), Terminal.none());
        List<String> told = registry(atHub.url(), opened(new Lifecycle()));
        HttpVisitor admin = HttpVisitor.local(atHub.url(), data);
        try (RawWebSocket watching =
                RawWebSocket.connect(port(atHub.lines(), "nodes register at"), "/ws")) {
            try (RawWebSocket registered =
                    RawWebSocket.connect(port(told, "Hypivisor online"), "/ws")) {
                registered.text(
                        """
                        {"method":"register","params":{"id":"n","machine":"localhost","cwd":"/","port":1,"status":"active"}}\
                        """);
                await(watching, "\"node_joined\"");
            }
            await(watching, "\"node_offline\"");
            JsonFields node = Json.fields(admin.get(NODES).body()).list("nodes").getFirst();
            Eventually.holds(
                    "the registry says what it allows",
                    () -> body(admin, "/api/orgs/default/hosts").contains("\"steer\""));
            String answer = admin.call("DELETE", NODES + "/" + node.text("hostId") + "/n");
            assertThat(answer).startsWith("202 ");
            await(watching, "\"node_removed\"");
            assertThat(admin.get(NODES).body()).doesNotContain("\"id\":\"n\"");
            String job = Json.fields(answer.substring(4)).text("job");
            Eventually.holds(
                    "the job is done",
                    () -> body(admin, "/api/orgs/default/jobs/" + job).contains("succeeded"));
        }
    }

    private static String body(HttpVisitor visitor, String path) {
        try {
            return visitor.get(path).body();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private List<String> registry(String hub, Lifecycle lifecycle) {
        var options =
                new RegistryOptions(
                        "127.0.0.1",
                        0,
                        NodeTimeouts.USUAL,
                        Set.of(),
                        new RegistryOptions.Origins(Set.of(), false),
                        false,
                        List.of("pi"));
        return new RegistryService(
                        TestSettings.runner(folder.resolve("reg"), "reg", List.of(hub)),
                        options,
                        lifecycle)
                .start(folder, true, "test");
    }

    private void runnerWithAlice(String hub) throws IOException {
        Path data = folder.resolve("with-alice");
        Path agents = Files.createDirectories(data.resolve("agents"));
        Files.writeString(
                agents.resolve("alice.yaml"),
                "prompt: Read your mail.\nmodel: scripted:alice.script.yaml\n");
        Files.writeString(
                agents.resolve("alice.script.yaml"),
                """
                steps:
                  - when: { last: "Subject: (\\\\S+)" }
                    run: ['echo "seen {{1}}"', mail wait]
                  - when: { last: New mail }
                    run: [mail read]
                  - run: [mail wait]
                """);
        new Assembly(
                        TestSettings.runnerWithAgents(data, "with-alice", hub),
                        opened(new Lifecycle()),
                        data,
                        "test")
                .open(Composition.run(false, false), Terminal.none());
    }

    private static int port(List<String> told, String words) {
        return told.stream()
                .filter(line -> line.contains(words))
                .map(line -> line.replaceFirst(".*:([0-9]+)/ws.*", "$1"))
                .map(Integer::valueOf)
                .findFirst()
                .orElseThrow();
    }

    private static void await(RawWebSocket socket, String words) throws Exception {
        String text;
        do {
            text = Objects.requireNonNull(socket.message(), "the connection was cut").text();
        } while (!text.contains(words));
    }

    private static void has(FleetRows fleetRows, String mail) {
        Eventually.holds("mail arrives", () -> fleetRows.ids("mail_messages").contains(mail));
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
