package dev.skep.registry;

import static dev.skep.registry.ProxiedNode.next;
import static dev.skep.registry.ProxiedNode.send;
import static dev.skep.testkit.RawWebSocket.BINARY;
import static dev.skep.testkit.RawWebSocket.CONTINUATION;
import static dev.skep.testkit.RawWebSocket.TEXT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.RawWebSocket;
import dev.skep.testkit.RawWebSocket.Frame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What passes through a proxy, and in what shape it arrives. */
interface ProxiedMessageRules {
    ProxiedNode node();

    @Test
    default void the_agents_first_frame_is_never_lost() throws Exception {
        for (int i = 0; i < 20; i++) {
            try (RawWebSocket dashboard = node().dashboard();
                    RawWebSocket side = node().agent.acceptSocket()) {
                side.text("state " + i);
                assertThat(next(dashboard).text()).isEqualTo("state " + i);
            }
        }
    }

    @Test
    default void what_a_dashboard_sends_at_once_is_not_lost_either() throws Exception {
        try (RawWebSocket dashboard = node().dashboard()) {
            dashboard.text("hello");
            try (RawWebSocket side = node().agent.acceptSocket()) {
                assertThat(next(side).text()).isEqualTo("hello");
            }
        }
    }

    @Test
    default void many_dashboards_at_once_are_one_connection_each() throws Exception {
        List<RawWebSocket> sockets = new CopyOnWriteArrayList<>();
        List<Thread> dashboards = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            dashboards.add(
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    sockets.add(node().dashboard());
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            }));
        }
        // Whoever connects has to say what for: a spare connection would keep this waiting.
        for (int i = 0; i < 40; i++) {
            sockets.add(node().agent.acceptSocket());
        }
        for (Thread dashboard : dashboards) {
            dashboard.join();
        }
        assertThat(sockets).hasSize(80);
        sockets.forEach(RawWebSocket::close);
    }

    @Test
    default void ten_megabytes_pass_whole_in_both_directions() throws Exception {
        byte[] bytes = new byte[10_000_000];
        new Random(1).nextBytes(bytes);
        String text = "ü€".repeat(2_000_000);
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
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
    default void fragments_arrive_as_one_message() throws Exception {
        byte[] text = "grüße".repeat(50_000).getBytes(StandardCharsets.UTF_8);
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
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
    default void order_is_kept() throws Exception {
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
            for (int i = 0; i < 2_000; i++) {
                side.text(Integer.toString(i));
            }
            for (int i = 0; i < 2_000; i++) {
                assertThat(next(dashboard).text()).isEqualTo(Integer.toString(i));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1005, 3001, 4999})
    default void a_close_passes_with_its_code(int code) throws Exception {
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
            side.goodbye(code);
            assertThat(next(dashboard).code()).isEqualTo(code);
        }
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
            dashboard.goodbye(code);
            assertThat(next(side).code()).isEqualTo(code);
        }
    }

    @Test
    default void a_cut_on_one_side_is_a_cut_on_the_other() throws Exception {
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
            side.cut();
            assertThat(dashboard.message()).isNull();
        }
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
            dashboard.cut();
            assertThat(side.message()).isNull();
        }
    }

    @Test
    default void sessions_and_messages_are_counted() throws Exception {
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
            for (int i = 0; i < 10; i++) {
                dashboard.text("x");
                side.text("y");
                next(side);
                next(dashboard);
            }
        }
        JsonNode stats =
                node().registered.call("node_stats", "{\"node_id\":\"%s\"}".formatted(node().id()));
        assertThat(stats.path("messages_relayed").asInt()).isEqualTo(20);
        assertThat(stats.path("proxy_sessions").asInt()).isEqualTo(1);
        assertThat(stats.path("errors").asInt(-1)).isZero();
    }
}
