package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.skep.app.assembly.Assembly;
import dev.skep.app.assembly.Composition;
import dev.skep.app.assembly.StoppedProcess;
import dev.skep.cli.admin.AdminApi;
import dev.skep.cli.config.Configuration;
import dev.skep.directory.host.HostKind;
import dev.skep.kernel.lifecycle.Lifecycle;
import dev.skep.runner.terminal.Terminal;
import dev.skep.testkit.Eventually;
import dev.skep.testkit.RawWebSocket;
import dev.skep.testkit.SmallDisk;
import dev.skep.transport.client.ApiClient;
import dev.skep.transport.route.JsonFields;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever looks sees the nodes that came while nothing could be stored, and that they are such. */
@Timeout(90)
class NodesOnAFullDiskTest {
    private static final int MEGABYTES = 24;

    @TempDir Path folder;
    private Optional<SmallDisk> disk = Optional.empty();

    @BeforeEach
    void mount() {
        disk = SmallDisk.of(MEGABYTES, folder);
        assumeTrue(disk.isPresent(), "mounting a small disk needs root");
    }

    @Test
    void a_runner_beside_its_hub_shows_them_on_the_page_and_in_the_command() throws Exception {
        seen(Composition.UP, HostKind.HUB);
    }

    @Test
    void a_runner_alone_shows_them_on_the_page_and_in_the_command() throws Exception {
        seen(Composition.run(false, true), HostKind.RUNNER);
    }

    private void seen(Composition parts, HostKind main) throws Exception {
        try (SmallDisk small = disk.orElseThrow();
                Lifecycle process = new Lifecycle()) {
            Files.createDirectories(small.folder().resolve("agents"));
            Configuration configuration = TestSettings.bothWithNodes(small.folder());
            Assembly.Opened opened =
                    new Assembly(configuration, process, folder, "test")
                            .open(parts, Terminal.none());
            int port = registryPort(opened);
            try (AdminApi api = AdminApi.open(configuration, main, StoppedProcess::open);
                    RawWebSocket one = RawWebSocket.connect(port, "/ws");
                    RawWebSocket other = RawWebSocket.connect(port, "/ws")) {
                register(one, "before", 1);
                Eventually.holds("the stored node is shown", () -> shown(api, "before", true));
                small.fill();
                register(other, "after", 2);
                Eventually.holds("the other is shown", () -> shown(api, "after", false));
                assertThat(shown(api, "before", true)).isTrue();
                JsonFields view = named(api.get("/api/orgs/default/nodes"), "after");
                assertThat(view.flag("stored")).isFalse();
                assertThat(view.shown("host")).startsWith("both");
                var command = SkepCommand.run("nodes", "--data-dir", small.folder().toString());
                assertThat(command.said())
                        .containsPattern("after .*active \\(not stored yet\\)")
                        .containsPattern("before +both +[a-z]+ +localhost");

                small.empty();
                // The next change takes along what waited; otherwise the next round does.
                register(one, "before", 1);
                Eventually.holds("it is stored", () -> shown(api, "after", true));
            }
        }
    }

    /** On the page, reachable or not: a hub without room lets its links go now and then. */
    private static boolean shown(AdminApi api, String node, boolean stored) {
        return api.get("/api/orgs/default/view/nodes").fields().list("rows").stream()
                .anyMatch(row -> row.text("node").equals(node) && row.flag("stored") == stored);
    }

    private static JsonFields named(ApiClient.Answer answer, String id) {
        return answer.fields().list("nodes").stream()
                .filter(node -> node.text("id").equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static void register(RawWebSocket socket, String id, int port) throws Exception {
        socket.text(
                """
                {"id":"r","method":"register","params":{"id":"%s","machine":"localhost","cwd":"/","port":%d,"status":"active"}}\
                """
                        .formatted(id, port));
        String answer;
        do {
            answer = Objects.requireNonNull(socket.message(), "the connection was cut").text();
        } while (!answer.contains("\"registered\""));
    }

    private static int registryPort(Assembly.Opened opened) {
        return opened.lines().stream()
                .filter(line -> line.contains("nodes register at"))
                .map(line -> line.replaceFirst(".*:([0-9]+)/ws.*", "$1"))
                .map(Integer::valueOf)
                .findFirst()
                .orElseThrow();
    }
}
