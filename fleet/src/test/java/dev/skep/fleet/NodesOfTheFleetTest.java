package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.StoppedProcess;
import dev.skep.cli.admin.AdminApi;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.consent.Consents;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.RawWebSocket;
import dev.skep.testkit.server.PostgresServer;
import dev.skep.transport.route.HttpMethod;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node registers at its machine's runner and is reached at a hub, in whole processes. */
@Timeout(60)
class NodesOfTheFleetTest {
    @TempDir Path folder;
    private final Lifecycle hub = new Lifecycle();
    private final Lifecycle runner = new Lifecycle();
    private int hubPort;
    private int runnerPort;
    private String hubUrl = "";
    private Assembly.Opened runnerSide;
    private Configuration hubConfiguration;
    private Configuration runnerConfiguration;

    @BeforeEach
    void open() throws Exception {
        hubConfiguration = TestSettings.hubWithNodes(folder.resolve("hub"));
        Assembly.Opened opened = open(hubConfiguration, hub, Composition.hubOnly(false));
        hubPort = registryPort(opened);
        hubUrl = opened.url();
        Files.createDirectories(folder.resolve("runner").resolve("agents"));
        runnerConfiguration = TestSettings.runnerWithNodes(folder.resolve("runner"), hubUrl);
        runnerSide = open(runnerConfiguration, runner, Composition.run(false, false));
        runnerPort = registryPort(runnerSide);
    }

    @AfterEach
    void close() {
        runner.close();
        hub.close();
    }

    private static Assembly.Opened open(
            Configuration configuration, Lifecycle lifecycle, Composition parts) {
        return new Assembly(configuration, lifecycle, configuration.dataDir(), "test")
                .open(parts, Terminal.none());
    }

    private static int registryPort(Assembly.Opened opened) {
        return opened.lines().stream()
                .filter(line -> line.contains("nodes register at"))
                .map(line -> line.replaceFirst(".*:([0-9]+)/ws.*", "$1"))
                .map(Integer::valueOf)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_dashboard_at_the_hub_talks_to_an_agent_beside_the_runner() throws Exception {
        try (ServerSocket agent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                RawWebSocket registered = RawWebSocket.connect(runnerPort, "/ws");
                RawWebSocket watching = RawWebSocket.connect(hubPort, "/ws")) {
            registered.text(
                    """
                    {"method":"register","params":{"id":"n","machine":"localhost","cwd":"/","port":%d,"status":"active"}}\
                    """
                            .formatted(agent.getLocalPort()));
            await(watching, "\"node_joined\"");
            try (RawWebSocket dashboard = RawWebSocket.connect(hubPort, "/ws/agent/n");
                    RawWebSocket side = RawWebSocket.accept(agent.accept())) {
                side.text("my state");
                await(dashboard, "my state");
                dashboard.text("do this");
                await(side, "do this");
                runner.close();
                RawWebSocket.Frame end = dashboard.message();
                assertThat(end == null || end.opcode() == RawWebSocket.CLOSE).isTrue();
            }
            await(watching, "\"node_offline\"");
        }
    }

    @Test
    void a_hub_that_may_not_steer_the_host_opens_no_console_of_its_nodes() throws Exception {
        try (RawWebSocket registered = RawWebSocket.connect(runnerPort, "/ws");
                RawWebSocket watching = RawWebSocket.connect(hubPort, "/ws")) {
            registered.text(
                    """
                    {"method":"register","params":{"id":"n","machine":"localhost","cwd":"/","port":1,"status":"active"}}\
                    """);
            await(watching, "\"node_joined\"");
            runnerSide.main().host().keys().allow(hubUrl, Consents.NONE);
            try (RawWebSocket dashboard = RawWebSocket.connect(hubPort, "/ws/agent/n")) {
                await(dashboard, "this host does not allow 'steer'");
            }
        }
    }

    @Test
    void a_node_that_is_gone_is_removed_at_the_hub_and_its_host_forgets_it() throws Exception {
        String host = runnerSide.main().host().id().value();
        try (RawWebSocket watching = RawWebSocket.connect(hubPort, "/ws");
                AdminApi api =
                        AdminApi.open(hubConfiguration, HostKind.HUB, StoppedProcess::open)) {
            try (RawWebSocket registered = RawWebSocket.connect(runnerPort, "/ws")) {
                registered.text(
                        """
                        {"method":"register","params":{"id":"n","machine":"localhost","cwd":"/","port":1,"status":"active"}}\
                        """);
                await(watching, "\"node_joined\"");
                awaitConsent(api);
                String refused = jobOf(api, host);
                awaitJob(api, refused, "failed");
                assertThat(text(api, "/api/orgs/default/jobs/" + refused))
                        .contains("stop it first");
            }
            await(watching, "\"node_offline\"");
            awaitJob(api, jobOf(api, host), "succeeded");
            await(watching, "\"node_removed\"");
            assertThat(api.get("/api/orgs/default/nodes").fields().list("nodes")).isEmpty();
        }
        try (AdminApi own =
                AdminApi.open(runnerConfiguration, HostKind.RUNNER, StoppedProcess::open)) {
            assertThat(text(own, "/api/orgs/default/audit"))
                    .contains("node.removed")
                    .contains("hub " + hubUrl);
        }
    }

    @Test
    void a_node_of_the_runner_beside_the_hub_is_removed_at_once_and_the_hub_writes_it_down(
            @TempDir Path other) throws Exception {
        Files.createDirectories(other.resolve("agents"));
        Configuration configuration = TestSettings.bothWithNodes(other);
        try (var both = new Lifecycle()) {
            int port = registryPort(open(configuration, both, Composition.run(true, false)));
            try (AdminApi api = AdminApi.open(configuration, HostKind.HUB, StoppedProcess::open);
                    RawWebSocket watching = RawWebSocket.connect(port, "/ws")) {
                try (RawWebSocket registered = RawWebSocket.connect(port, "/ws")) {
                    registered.text(
                            """
                            {"method":"register","params":{"id":"n","machine":"localhost","cwd":"/","port":1,"status":"active"}}\
                            """);
                    await(watching, "\"node_joined\"");
                }
                await(watching, "\"node_offline\"");
                Eventually.holds(
                        "the hub knows the node",
                        () -> !api.get("/api/orgs/default/nodes").fields().list("nodes").isEmpty());
                String host =
                        api.get("/api/orgs/default/nodes")
                                .fields()
                                .list("nodes")
                                .getFirst()
                                .text("hostId");
                var answer =
                        api.call(
                                HttpMethod.DELETE,
                                "/api/orgs/default/nodes/" + host + "/n",
                                Map.of());
                assertThat(answer.fields().text("outcome")).isEqualTo("done");
                await(watching, "\"node_removed\"");
                assertThat(text(api, "/api/orgs/default/audit")).contains("node.removed");
            }
        }
    }

    private static String text(AdminApi api, String path) {
        return new String(api.get(path).json(), StandardCharsets.UTF_8);
    }

    private static String jobOf(AdminApi api, String host) {
        return api.call(HttpMethod.DELETE, "/api/orgs/default/nodes/" + host + "/n", Map.of())
                .fields()
                .text("job");
    }

    /** A host says what it allows with its beats. */
    private static void awaitConsent(AdminApi api) {
        Eventually.holds(
                "the host allows to be steered",
                () -> text(api, "/api/orgs/default/hosts").contains("\"steer\""));
    }

    private static void awaitJob(AdminApi api, String job, String status) {
        Eventually.holds(
                "the job " + status,
                () -> {
                    String now = api.get("/api/orgs/default/jobs/" + job).fields().text("status");
                    assertThat(now).isIn("pending", "running", status);
                    return now.equals(status);
                });
    }

    @Test
    void another_process_of_the_hub_knows_the_agent_and_says_where_it_is_reached(
            @TempDir Path other) throws Exception {
        String database = PostgresServer.newDatabaseUrl();
        Path one = other.resolve("one");
        Path two = Files.createDirectories(other.resolve("two"));
        try (var first = new Lifecycle();
                var second = new Lifecycle();
                var host = new Lifecycle()) {
            Assembly.Opened linked =
                    open(
                            TestSettings.hubWithNodes(one, database),
                            first,
                            Composition.hubOnly(false));
            Files.copy(one.resolve("hub.key"), two.resolve("hub.key"));
            int port =
                    registryPort(
                            open(
                                    TestSettings.hubWithNodes(two, database),
                                    second,
                                    Composition.hubOnly(false)));
            Files.createDirectories(other.resolve("runner/agents"));
            Assembly.Opened at =
                    open(
                            TestSettings.runnerWithNodes(other.resolve("runner"), linked.url()),
                            host,
                            Composition.run(false, false));
            try (RawWebSocket watching = RawWebSocket.connect(port, "/ws");
                    RawWebSocket registered = RawWebSocket.connect(registryPort(at), "/ws")) {
                registered.text(
                        """
                        {"method":"register","params":{"id":"n","machine":"localhost","cwd":"/","port":1,"status":"active"}}\
                        """);
                await(watching, "\"status\":\"active\"");
                try (RawWebSocket dashboard = RawWebSocket.connect(port, "/ws/agent/n")) {
                    await(dashboard, "process at " + linked.url());
                }
            }
        }
    }

    private static void await(RawWebSocket socket, String words) throws Exception {
        String text;
        do {
            text = Objects.requireNonNull(socket.message(), "the connection was cut").text();
        } while (!text.contains(words));
    }
}
