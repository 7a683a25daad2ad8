package dev.skep.fleet;

import static org.assertj.core.api.Assertions.assertThat;

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
import dev.skep.testkit.server.FreezingPostgres;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes come and dashboards look whatever became of the hub's server. */
@Timeout(120)
class NodesOnAFrozenServerTest {
    /** One statement that is not answered, and a connection that is not made. */
    private static final Duration BOUND = Duration.ofSeconds(10);

    @TempDir Path folder;

    @Test
    void a_roster_whose_server_is_frozen_continues_from_memory_and_stores_what_waited()
            throws Exception {
        try (FreezingPostgres postgres = new FreezingPostgres(folder);
                Lifecycle hub = new Lifecycle()) {
            Configuration configuration =
                    TestSettings.hubWithNodes(folder.resolve("hub"), postgres.url());
            int port = open(configuration, hub);
            try (RawWebSocket one = connect(port)) {
                register(one, "before", 1);
                postgres.freeze();
                try {
                    served(port);
                } finally {
                    postgres.thaw();
                }
                try (AdminApi api =
                        AdminApi.open(configuration, HostKind.HUB, StoppedProcess::open)) {
                    Eventually.holds(
                            "what waited is stored",
                            () ->
                                    shown(api).contains("after-2")
                                            && !shown(api).contains("\"stored\":false"));
                    assertThat(shown(api)).contains("before", "after-1");
                }
            }
        }
    }

    @Test
    void a_roster_whose_server_is_dead_takes_in_nodes_it_has_never_seen() throws Exception {
        try (FreezingPostgres postgres = new FreezingPostgres(folder);
                Lifecycle hub = new Lifecycle()) {
            int port = open(TestSettings.hubWithNodes(folder.resolve("hub"), postgres.url()), hub);
            try (RawWebSocket one = connect(port)) {
                register(one, "before", 1);
                postgres.kill();
                served(port);
            }
        }
    }

    private static void served(int port) throws Exception {
        for (int i = 1; i <= 2; i++) {
            long begun = System.nanoTime();
            try (RawWebSocket other = connect(port);
                    RawWebSocket dashboard = connect(port)) {
                assertThat(register(other, "after-" + i, 1 + i)).contains("not stored yet");
                dashboard.text("{\"id\":\"l\",\"method\":\"list_nodes\"}");
                assertThat(answer(dashboard, "\"id\":\"l\""))
                        .contains("\"before\"", "\"after-" + i + "\"");
            }
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(BOUND);
        }
    }

    private int open(Configuration configuration, Lifecycle hub) {
        return new Assembly(configuration, hub, folder, "test")
                .open(Composition.hubOnly(false), Terminal.none()).lines().stream()
                        .filter(line -> line.contains("nodes register at"))
                        .map(line -> line.replaceFirst(".*:([0-9]+)/ws.*", "$1"))
                        .map(Integer::valueOf)
                        .findFirst()
                        .orElseThrow();
    }

    private static String shown(AdminApi api) {
        return new String(api.get("/api/orgs/default/nodes").json(), StandardCharsets.UTF_8);
    }

    private static RawWebSocket connect(int port) throws Exception {
        RawWebSocket socket = RawWebSocket.connect(port, "/ws");
        socket.socket().setSoTimeout((int) BOUND.toMillis());
        return socket;
    }

    private static String register(RawWebSocket socket, String id, int port) throws Exception {
        socket.text(
                """
                {"id":"r","method":"register","params":{"id":"%s","machine":"localhost","cwd":"/","port":%d,"status":"active"}}\
                """
                        .formatted(id, port));
        return answer(socket, "\"registered\"");
    }

    private static String answer(RawWebSocket socket, String words) throws Exception {
        String answer;
        do {
            answer = Objects.requireNonNull(socket.message(), "the connection was cut").text();
        } while (!answer.contains(words));
        return answer;
    }
}
