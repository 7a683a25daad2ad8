package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a dashboard is told where there is no way to a node. */
interface UnreachableNodeRules {
    ProxiedNode node();

    /** Whether the dashboard is told why: only where it runs the machine that dials. */
    boolean mayKnowWhy();

    private String why(String reason) {
        return mayKnowWhy() ? reason : "Cannot reach agent";
    }

    @Test
    default void an_unreachable_node_is_reported_in_one_frame_then_closed() throws Exception {
        assertThat(node().errorAt("/ws/agent/nobody")).isEqualTo("Agent not found");
        String left = node().named("gone");
        try (TestRegistryClient gone = node().client()) {
            gone.register(left, "localhost", 7009);
            node().awaitActive(left);
        }
        while (!node().registered.event("node_offline").path("id").asString().equals(left)) {
            // nodes of earlier tests may still be going
        }
        assertThat(node().errorAt("/ws/agent/" + left)).isEqualTo("Agent is offline");
        assertThat(node().errorOf("no-such-host.invalid", 7010))
                .isEqualTo(why("Cannot resolve agent: unknown host no-such-host.invalid"));
        assertThat(node().errorOf("", 7011)).isEqualTo(why("Cannot resolve agent address"));
        // Bound and not listening: nobody else can take the port, and nobody gets in.
        try (SocketChannel closed = SocketChannel.open().bind(new InetSocketAddress(0))) {
            assertThat(node().errorOf("localhost", closed.socket().getLocalPort()))
                    .startsWith(why("Cannot reach agent: "));
        }
        JsonNode stats =
                node().registered
                        .call("node_stats", "{\"node_id\":\"%s\"}".formatted(node().named("n")));
        assertThat(stats.path("errors").asInt()).isGreaterThan(0);
    }

    @Test
    default void a_failed_handshake_is_reported() throws Exception {
        try (TestAgent silent = new TestAgent()) {
            assertThat(node().errorOf("localhost", silent.port()))
                    .isEqualTo(why("Agent handshake failed: no response"));
        }
        try (TestAgent other = new TestAgent()) {
            Thread.startVirtualThread(() -> answerOnce(other));
            assertThat(node().errorOf("localhost", other.port()))
                    .isEqualTo(why("Agent handshake failed: invalid response"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "::"})
    default void only_the_address_the_agent_came_from_is_dialled(String machine) throws Exception {
        assertThat(node().errorOf(machine, node().agent.port()))
                .startsWith(why("Cannot reach agent: it did not"));
    }

    private static void answerOnce(TestAgent agent) {
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
}
