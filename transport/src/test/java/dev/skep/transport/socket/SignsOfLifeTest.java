package dev.skep.transport.socket;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SignsOfLifeTest {
    private final SocketPair pair = new SocketPair(Duration.ofMillis(200));
    private final SocketRecorder server = pair.server;
    private final SocketRecorder client = new SocketRecorder();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void both_sides_ask_each_other_for_signs_of_life() throws Exception {
        pair.dial(client);
        SocketRecorder.next(client.pings);
        SocketRecorder.next(server.pings);
        assertThat(pair.endpoints.count()).isEqualTo(1);
    }

    @Test
    void a_peer_without_a_sign_of_life_is_dropped() throws Exception {
        try (var mute = new Socket(InetAddress.getLoopbackAddress(), pair.listener.port())) {
            mute.getOutputStream()
                    .write(
                            """
                            GET / HTTP/1.1\r
                            Host: localhost\r
                            Connection: Upgrade\r
                            Upgrade: websocket\r
                            Sec-WebSocket-Version: 13\r
                            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                            \r
                            """
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(server.closed.get(10, TimeUnit.SECONDS)).startsWith("1006");
            assertThat(pair.endpoints.count()).isZero();
        }
    }
}
