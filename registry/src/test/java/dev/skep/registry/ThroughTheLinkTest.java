package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.directory.org.DefaultOrg;
import dev.skep.kernel.id.HostId;
import dev.skep.testkit.RawWebSocket;
import dev.skep.transport.session.SessionOpener.Opening;
import dev.skep.transport.socket.MessageReceiver;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class ThroughTheLinkTest {
    private static final String PATH = "/ws/agent/far";

    @TempDir Path folder;
    private LinkedHub hub;
    private CuttableCable cable;
    private LinkedRunner runner;
    private TestAgent agent;
    private TestRegistryClient registered;
    private TestRegistryClient watching;

    @BeforeEach
    void open() throws Exception {
        hub = new LinkedHub(folder.resolve("hub"));
        cable = new CuttableCable(hub.linkPort());
        runner = new LinkedRunner(folder.resolve("runner"), cable.url());
        agent = new TestAgent();
        watching = new TestRegistryClient(hub.port());
        watching.event("init");
        registered = new TestRegistryClient(runner.port());
        registered.register("far", "localhost", agent.port());
        awaitJoined("far");
    }

    @AfterEach
    void close() throws Exception {
        watching.close();
        registered.close();
        agent.close();
        runner.close();
        cable.close();
        hub.close();
    }

    private JsonNode awaitJoined(String id) throws InterruptedException {
        while (true) {
            JsonNode node = watching.event("node_joined").path("node");
            if (node.path("id").asString("").equals(id)) {
                return node;
            }
        }
    }

    private RawWebSocket dashboard() throws IOException {
        return RawWebSocket.connect(hub.port(), PATH);
    }

    private static RawWebSocket.Frame next(RawWebSocket socket) throws IOException {
        return Objects.requireNonNull(socket.message(), "the connection was cut");
    }

    @Test
    void a_node_is_offline_at_the_hub_while_its_host_has_no_link() throws Exception {
        cable.cut();
        assertThat(watching.event("node_offline").path("id").asString()).isEqualTo("far");
        JsonNode again = awaitJoined("far");
        assertThat(again.path("host_id").asString()).isEqualTo(runner.host.value());
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            side.text("still the same agent");
            assertThat(next(dashboard).text()).isEqualTo("still the same agent");
        }
    }

    @Test
    void a_link_that_is_cut_in_the_middle_of_a_message_ends_both_sides() throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            dashboard.text("all is well");
            assertThat(next(side).text()).isEqualTo("all is well");
            Thread pouring = pour(dashboard, 30);
            assertThat(next(side).payload()).hasSize(1 << 20);
            cable.cut();
            assertThat(dashboard.message()).isNull();
            for (RawWebSocket.Frame frame = side.message(); frame != null; frame = side.message()) {
                // What came before the cut is whole.
                assertThat(frame.payload()).hasSize(1 << 20);
            }
            pouring.join();
        }
    }

    @Test
    void a_runner_that_leaves_is_offline_not_unknown() throws Exception {
        runner.close();
        watching.event("node_offline");
        try (RawWebSocket late = dashboard()) {
            assertThat(next(late).text()).isEqualTo("{\"error\":\"Agent is offline\"}");
            assertThat(next(late).code()).isEqualTo(1000);
        }
    }

    @Test
    void a_dashboard_that_reads_nothing_holds_up_neither_others_nor_the_link() throws Exception {
        try (RawWebSocket deaf = dashboard();
                RawWebSocket flooding = agent.acceptSocket()) {
            Thread pouring = pour(flooding, 100);
            assertThat(pouring.join(Duration.ofSeconds(1))).isFalse();
            try (RawWebSocket dashboard = dashboard();
                    RawWebSocket side = agent.acceptSocket()) {
                for (int i = 0; i < 200; i++) {
                    dashboard.text("question " + i);
                    assertThat(next(side).text()).isEqualTo("question " + i);
                    side.text("answer " + i);
                    assertThat(next(dashboard).text()).isEqualTo("answer " + i);
                }
            }
            registered.register("new", "localhost", 7001);
            awaitJoined("new");
            assertThat(pouring.isAlive()).isTrue();
            for (int i = 0; i < 100; i++) {
                assertThat(next(deaf).payload()).hasSize(1 << 20);
            }
            pouring.join();
        }
    }

    @Test
    void a_session_that_pours_without_end_does_not_hold_up_sync() throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            Thread pouring = pour(side, 200);
            Thread.startVirtualThread(() -> drain(dashboard));
            for (int i = 0; i < 20; i++) {
                registered.register("n" + i, "localhost", 7001 + i);
                awaitJoined("n" + i);
            }
            side.cut();
            pouring.join();
        }
    }

    @Test
    void sessions_of_one_link_do_not_mix() throws Exception {
        List<Thread> talks = new ArrayList<>();
        List<Throwable> failures = new ArrayList<>();
        for (int n = 0; n < 20; n++) {
            String name = "session %d ".formatted(n).repeat(1_000);
            RawWebSocket dashboard = dashboard();
            RawWebSocket side = agent.acceptSocket();
            talks.add(
                    Thread.ofVirtual()
                            .uncaughtExceptionHandler((thread, failure) -> failures.add(failure))
                            .start(() -> talk(name, dashboard, side)));
        }
        for (Thread talk : talks) {
            talk.join();
        }
        assertThat(failures).isEmpty();
    }

    private static void talk(String name, RawWebSocket dashboard, RawWebSocket side) {
        try (dashboard;
                side) {
            for (int i = 0; i < 50; i++) {
                dashboard.text(name + i);
                side.text(i + name);
            }
            for (int i = 0; i < 50; i++) {
                assertThat(next(side).text().equals(name + i)).isTrue();
                assertThat(next(dashboard).text().equals(i + name)).isTrue();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_link_carries_a_limited_number_of_sessions() throws Exception {
        List<RawWebSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < 256; i++) {
                sockets.add(dashboard());
                sockets.add(agent.acceptSocket());
            }
            RawWebSocket last = dashboard();
            sockets.add(last);
            assertThat(next(last).text()).contains("too many sessions");
        } finally {
            sockets.forEach(RawWebSocket::close);
        }
    }

    @Test
    void a_dashboard_of_another_org_finds_no_node() throws Exception {
        String token = "?token=" + TestRegistry.OTHER_TOKEN;
        try (RawWebSocket stranger = RawWebSocket.connect(hub.port(), PATH + token)) {
            assertThat(next(stranger).text()).isEqualTo("{\"error\":\"Agent not found\"}");
        }
        Received received = new Received();
        assertThat(hub.sessions.open(TestRegistry.OTHER_ORG, runner.host, "far", received))
                .isInstanceOf(Opening.NotLinked.class);
        assertThat(hub.sessions.open(DefaultOrg.DEFAULT, new HostId("another"), "far", received))
                .isInstanceOf(Opening.NotLinked.class);
    }

    @Test
    void the_runner_itself_names_the_node_it_does_not_know() throws Exception {
        Received received = new Received();
        assertThat(hub.sessions.open(DefaultOrg.DEFAULT, runner.host, "nobody", received))
                .isInstanceOf(Opening.Opened.class);
        assertThat(received.next()).isEqualTo("{\"error\":\"Agent not found\"}");
        assertThat(received.next()).isEqualTo("closed 1000");
    }

    /** Keeps what it hears, as lines. */
    private static final class Received implements MessageReceiver {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        String next() throws InterruptedException {
            return Objects.requireNonNull(lines.poll(20, TimeUnit.SECONDS), "nothing was received");
        }

        @Override
        public void text(ByteBuffer utf8) {
            lines.add(StandardCharsets.UTF_8.decode(utf8).toString());
        }

        @Override
        public void binary(ByteBuffer message) {
            lines.add("binary " + message.remaining());
        }

        @Override
        public void closed(int code, String reason) {
            lines.add("closed " + code);
        }
    }

    /** Sends messages of a megabyte until the connection ends. */
    private static Thread pour(RawWebSocket into, int messages) {
        return Thread.startVirtualThread(
                () -> {
                    try {
                        for (int i = 0; i < messages; i++) {
                            into.binary(new byte[1 << 20]);
                        }
                    } catch (IOException e) {
                        // the other side is gone
                    }
                });
    }

    private static void drain(RawWebSocket from) {
        try {
            while (from.message() != null) {
                // until the end
            }
        } catch (IOException e) {
            // the end
        }
    }
}
