package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.Terminal;
import dev.skep.app.config.Configuration;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.testkit.PostgresServer;
import dev.skep.testkit.RawWebSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
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

    @BeforeEach
    void open() throws Exception {
        Assembly.Opened opened =
                open(Settings.hubWithNodes(folder.resolve("hub")), hub, Composition.hubOnly(false));
        hubPort = registryPort(opened);
        Files.createDirectories(folder.resolve("runner").resolve("agents"));
        runnerPort =
                registryPort(
                        open(
                                Settings.runnerWithNodes(folder.resolve("runner"), opened.url()),
                                runner,
                                Composition.run(false, false)));
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
        return opened.told().stream()
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
    void another_process_of_the_hub_knows_the_agent_and_says_where_it_is_reached(
            @TempDir Path other) throws Exception {
        String database = PostgresServer.newDatabaseUrl();
        Path one = other.resolve("one");
        Path two = Files.createDirectories(other.resolve("two"));
        try (var first = new Lifecycle();
                var second = new Lifecycle();
                var host = new Lifecycle()) {
            Assembly.Opened linked =
                    open(Settings.hubWithNodes(one, database), first, Composition.hubOnly(false));
            Files.copy(one.resolve("hub.key"), two.resolve("hub.key"));
            int port =
                    registryPort(
                            open(
                                    Settings.hubWithNodes(two, database),
                                    second,
                                    Composition.hubOnly(false)));
            Files.createDirectories(other.resolve("runner/agents"));
            Assembly.Opened at =
                    open(
                            Settings.runnerWithNodes(other.resolve("runner"), linked.url()),
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
