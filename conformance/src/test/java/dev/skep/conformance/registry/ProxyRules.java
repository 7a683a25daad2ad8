package dev.skep.conformance.registry;

import static dev.skep.testkit.RawWebSocket.BINARY;
import static dev.skep.testkit.RawWebSocket.CLOSE;
import static dev.skep.testkit.RawWebSocket.CONTINUATION;
import static dev.skep.testkit.RawWebSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.RawWebSocket;
import dev.skep.testkit.RawWebSocket.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a proxy to a node does, whichever way it takes: in one place, with new nodes each time. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ProxyRules {
    private static final AtomicInteger NODES = new AtomicInteger();

    /** More than a window and all socket buffers on the way hold. */
    private static final int MEGABYTES = 70;

    private Place place;
    private int number;
    private Agent agent;
    private Client registered;
    private Client watching;

    /** One registry where agents register, and one where dashboards come in; maybe the same. */
    interface Place extends AutoCloseable {
        int agents();

        int dashboards();

        @Override
        void close();
    }

    abstract Place open(Path folder);

    @BeforeAll
    void build(@TempDir Path folder) {
        place = open(folder);
    }

    @AfterAll
    void tearDown() {
        place.close();
    }

    @BeforeEach
    void arrive() throws Exception {
        number = NODES.incrementAndGet();
        agent = new Agent();
        registered = new Client(place.agents());
        watching = new Client(place.dashboards());
        registered.register(id(), "localhost", agent.port());
        awaitActive(id());
    }

    @AfterEach
    void leave() throws Exception {
        watching.close();
        registered.close();
        agent.close();
    }

    /** Every character may be in an id. */
    private String id() {
        return "a/b c%?" + number;
    }

    /** Waits until dashboards see the node. */
    private void awaitActive(String id) throws InterruptedException {
        while (!RegisteringTest.statusOf(watching, id).equals("active")) {
            watching.event();
        }
    }

    private RawWebSocket dashboard() throws IOException {
        return RawWebSocket.connect(place.dashboards(), "/ws/agent/a%2Fb%20c%25%3F" + number);
    }

    @Test
    void the_agents_first_frame_is_never_lost() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (RawWebSocket dashboard = dashboard();
                    RawWebSocket side = agent.acceptSocket()) {
                side.text("state " + i);
                assertThat(next(dashboard).text()).isEqualTo("state " + i);
            }
        }
    }

    @Test
    void what_a_dashboard_sends_at_once_is_not_lost_either() throws Exception {
        try (RawWebSocket dashboard = dashboard()) {
            dashboard.text("hello");
            try (RawWebSocket side = agent.acceptSocket()) {
                assertThat(next(side).text()).isEqualTo("hello");
            }
        }
    }

    @Test
    void many_dashboards_at_once_are_one_connection_each() throws Exception {
        List<RawWebSocket> sockets = new CopyOnWriteArrayList<>();
        List<Thread> dashboards = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            dashboards.add(
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    sockets.add(dashboard());
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }));
        }
        // Whoever connects has to say what for: a spare connection would keep this waiting.
        for (int i = 0; i < 40; i++) {
            sockets.add(agent.acceptSocket());
        }
        for (Thread dashboard : dashboards) {
            dashboard.join();
        }
        assertThat(sockets).hasSize(80);
        sockets.forEach(RawWebSocket::close);
    }

    @Test
    void ten_megabytes_pass_whole_in_both_directions() throws Exception {
        byte[] bytes = new byte[10_000_000];
        new Random(1).nextBytes(bytes);
        String text = "ü€".repeat(2_000_000);
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            send(dashboard, BINARY, bytes);
            assertThat(Arrays.equals(next(side).payload(), bytes)).isTrue();
            send(side, BINARY, bytes);
            assertThat(Arrays.equals(next(dashboard).payload(), bytes)).isTrue();
            send(side, TEXT, text.getBytes(StandardCharsets.UTF_8));
            Frame frame = next(dashboard);
            assertThat(frame.opcode()).isEqualTo(TEXT);
            assertThat(frame.text().equals(text)).isTrue();
        }
    }

    @Test
    void fragments_arrive_as_one_message() throws Exception {
        byte[] text = "grüße".repeat(50_000).getBytes(StandardCharsets.UTF_8);
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            // In the middle of a character, as browsers do.
            int third = text.length / 3;
            dashboard.send(TEXT, false, Arrays.copyOf(text, third));
            dashboard.ping();
            dashboard.send(CONTINUATION, false, Arrays.copyOfRange(text, third, 2 * third));
            dashboard.send(CONTINUATION, true, Arrays.copyOfRange(text, 2 * third, text.length));
            Frame whole = side.read();
            assertThat(whole.last()).isTrue();
            assertThat(whole.payload()).isEqualTo(text);
        }
    }

    @Test
    void order_is_kept() throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            for (int i = 0; i < 2_000; i++) {
                side.text(Integer.toString(i));
            }
            for (int i = 0; i < 2_000; i++) {
                assertThat(next(dashboard).text()).isEqualTo(Integer.toString(i));
            }
        }
    }

    @Test
    void over_sixteen_mebibytes_the_socket_closes_with_1009_and_a_reason() throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            send(side, BINARY, new byte[16 << 20]);
            assertThat(next(dashboard).payload()).hasSize(16 << 20);
            Thread.startVirtualThread(
                    () -> {
                        try {
                            side.binary(new byte[(16 << 20) + 1]);
                        } catch (IOException hungUp) {
                            // as it should be
                        }
                    });
            Frame end = next(dashboard);
            assertThat(end.opcode()).isEqualTo(CLOSE);
            assertThat(end.code()).isEqualTo(1009);
            assertThat(end.payload().length).isGreaterThan(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1005, 3001, 4999})
    void a_close_passes_with_its_code(int code) throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            side.goodbye(code);
            assertThat(next(dashboard).code()).isEqualTo(code);
        }
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            dashboard.goodbye(code);
            assertThat(next(side).code()).isEqualTo(code);
        }
    }

    @Test
    void a_cut_on_one_side_is_a_cut_on_the_other() throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            side.cut();
            assertThat(dashboard.message()).isNull();
        }
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            dashboard.cut();
            assertThat(side.message()).isNull();
        }
    }

    @Test
    void an_agent_that_stops_reading_makes_the_dashboard_wait() throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            byte[] message = new byte[1 << 20];
            AtomicInteger sent = new AtomicInteger();
            Thread sender =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    for (int i = 0; i < MEGABYTES; i++) {
                                        dashboard.binary(message);
                                        sent.incrementAndGet();
                                    }
                                } catch (IOException e) {
                                    // the test is over
                                }
                            });
            assertThat(sender.join(Duration.ofMillis(500))).isFalse();
            // The window, and what four socket buffers hold.
            assertThat(sent.get()).isLessThan(60);
            for (int i = 0; i < MEGABYTES; i++) {
                assertThat(next(side).payload()).hasSize(1 << 20);
            }
            assertThat(sender.join(Duration.ofSeconds(10))).isTrue();
        }
    }

    @Test
    void a_dashboard_that_stops_reading_makes_the_agent_wait() throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            byte[] message = new byte[1 << 20];
            Thread sender =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    for (int i = 0; i < MEGABYTES; i++) {
                                        side.binary(message);
                                    }
                                } catch (IOException e) {
                                    // the test is over
                                }
                            });
            assertThat(sender.join(Duration.ofMillis(500))).isFalse();
            for (int i = 0; i < MEGABYTES; i++) {
                assertThat(next(dashboard).payload()).hasSize(1 << 20);
            }
        }
    }

    @Test
    void sessions_and_messages_are_counted() throws Exception {
        try (RawWebSocket dashboard = dashboard();
                RawWebSocket side = agent.acceptSocket()) {
            for (int i = 0; i < 10; i++) {
                dashboard.text("x");
                side.text("y");
                next(side);
                next(dashboard);
            }
        }
        JsonNode stats = registered.call("node_stats", "{\"node_id\":\"%s\"}".formatted(id()));
        assertThat(stats.path("messages_relayed").asInt()).isEqualTo(20);
        assertThat(stats.path("proxy_sessions").asInt()).isEqualTo(1);
        assertThat(stats.path("errors").asInt(-1)).isZero();
    }

    @Test
    void what_cannot_be_reached_is_told_in_one_frame_then_closed() throws Exception {
        assertThat(errorAt("/ws/agent/nobody")).isEqualTo("Agent not found");
        String left = "gone" + number;
        try (Client gone = new Client(place.agents())) {
            gone.register(left, "localhost", 7009);
            awaitActive(left);
        }
        while (!registered.event("node_offline").path("id").asString().equals(left)) {
            // nodes of earlier tests may still be going
        }
        assertThat(errorAt("/ws/agent/" + left)).isEqualTo("Agent is offline");
        assertThat(errorOf("no-such-host.invalid", 7010)).startsWith("Cannot resolve agent: ");
        assertThat(errorOf("", 7011)).isEqualTo("Cannot resolve agent address");
        assertThat(errorOf("localhost", freePort())).startsWith("Cannot reach agent: ");
        JsonNode stats = registered.call("node_stats", "{\"node_id\":\"n%d\"}".formatted(number));
        assertThat(stats.path("errors").asInt()).isGreaterThan(0);
    }

    @Test
    void a_failed_handshake_is_told() throws Exception {
        try (Agent silent = new Agent()) {
            assertThat(errorOf("localhost", silent.port()))
                    .isEqualTo("Agent handshake failed: no response");
        }
        try (Agent other = new Agent()) {
            Thread.startVirtualThread(() -> answerOnce(other));
            assertThat(errorOf("localhost", other.port()))
                    .isEqualTo("Agent handshake failed: invalid response");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "::"})
    void only_the_address_the_agent_came_from_is_dialled(String machine) throws Exception {
        assertThat(errorOf(machine, agent.port())).startsWith("Cannot reach agent: it did not");
    }

    private static void answerOnce(Agent agent) {
        try (Socket socket = agent.accept()) {
            socket.getInputStream().read(new byte[4_096]);
            socket.getOutputStream()
                    .write(
                            "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().read();
        } catch (IOException e) {
            // the proxy hung up
        }
    }

    private String errorOf(String machine, int port) throws Exception {
        String id = "n" + number;
        registered.register(id, machine, port);
        awaitActive(id);
        return errorAt("/ws/agent/" + id);
    }

    private String errorAt(String path) throws Exception {
        try (RawWebSocket dashboard = RawWebSocket.connect(place.dashboards(), path)) {
            String text = next(dashboard).text();
            assertThat(next(dashboard).opcode()).isEqualTo(CLOSE);
            return text.replaceFirst("^\\{\"error\":\"(.*)\"}$", "$1");
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static void send(RawWebSocket socket, int opcode, byte[] bytes) {
        Thread.startVirtualThread(
                () -> {
                    try {
                        socket.send(opcode, true, bytes);
                    } catch (IOException e) {
                        // the reader will miss it
                    }
                });
    }

    private static Frame next(RawWebSocket socket) throws IOException {
        Frame frame = socket.message();
        if (frame == null) {
            throw new AssertionError("the connection was cut");
        }
        return frame;
    }
}
