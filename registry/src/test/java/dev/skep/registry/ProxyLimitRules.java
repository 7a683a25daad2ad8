package dev.skep.registry;

import static dev.skep.registry.ProxiedNode.next;
import static dev.skep.registry.ProxiedNode.send;
import static dev.skep.testkit.RawWebSocket.BINARY;
import static dev.skep.testkit.RawWebSocket.CLOSE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.RawWebSocket;
import dev.skep.testkit.RawWebSocket.Frame;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How much a proxy takes: of one message, and of one side while the other does not read. */
interface ProxyLimitRules {
    /** More than a window and all socket buffers on the way hold. */
    int MEGABYTES = 70;

    ProxiedNode node();

    @Test
    default void over_sixteen_mebibytes_the_socket_closes_with_1009_and_a_reason()
            throws Exception {
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
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

    @Test
    default void an_agent_that_stops_reading_makes_the_dashboard_wait() throws Exception {
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
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
            assertThat(sender.join(Duration.ofSeconds(60))).isTrue();
        }
    }

    @Test
    default void a_dashboard_that_stops_reading_makes_the_agent_wait() throws Exception {
        try (RawWebSocket dashboard = node().dashboard();
                RawWebSocket side = node().agent.acceptSocket()) {
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
}
