package dev.skep.transport.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.socket.SocketDialer.Dialled;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SocketsTest {
    private static final int MANY = 400;

    /** Reads nothing until it is told to. */
    private static final class LazyReader extends SocketRecorder {
        final CountDownLatch read = new CountDownLatch(1);

        @Override
        public void text(String message) throws InterruptedException {
            read.await();
            super.text(message);
        }
    }

    private final SocketPair pair = new SocketPair(Duration.ofSeconds(30));
    private final SocketRecorder server = pair.server;
    private final SocketRecorder client = new SocketRecorder();

    @AfterEach
    void close() {
        pair.close();
    }

    @Test
    void long_messages_arrive_whole_both_ways() throws Exception {
        String text = "é".repeat(5_000_000);
        assertThat(pair.dial(client)).isEqualTo(Dialled.CONNECTED);
        client.socketSender.get().send(text);
        assertThat(SocketRecorder.next(server.texts)).isEqualTo(text);
        server.socketSender.get().send(ByteBuffer.wrap(new byte[10_000_000]));
        assertThat(SocketRecorder.next(client.binaries).remaining()).isEqualTo(10_000_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1005, 1006, 3000, 4321})
    void the_peer_sees_the_code_a_side_closes_with(int code) throws Exception {
        pair.dial(client);
        server.socketSender.get().close(code, "");
        assertThat(client.closed.get(10, TimeUnit.SECONDS)).startsWith(code + " ");
        assertThat(server.closed.get(10, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void a_message_over_the_limit_closes_with_1009_and_a_reason() throws Exception {
        pair.dial(client);
        client.socketSender.get().send(ByteBuffer.allocate((16 << 20) + 1));
        assertThat(client.closed.get(10, TimeUnit.SECONDS)).matches("1009 .+");
        assertThat(server.binaries).isEmpty();
    }

    @Test
    void a_peer_that_does_not_read_makes_the_sender_wait() throws Exception {
        LazyReader lazy = new LazyReader();
        pair.dial(lazy);
        SocketSender out = server.socketSender.get();
        String message = "x".repeat(100_000);
        var taken = new AtomicInteger();
        Thread sender =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                while (taken.get() < MANY) {
                                    out.send(message);
                                    taken.incrementAndGet();
                                }
                                out.send("last");
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        assertThat(sender.join(Duration.ofMillis(500))).isFalse();
        // The limit, and what the network holds.
        assertThat(taken.get()).isBetween(10, 200);
        lazy.read.countDown();
        for (int i = 0; i < MANY; i++) {
            assertThat(SocketRecorder.next(lazy.texts)).hasSize(100_000);
        }
        assertThat(SocketRecorder.next(lazy.texts)).isEqualTo("last");
    }

    @Test
    void a_close_frame_under_way_arrives_although_the_peer_fell_behind() throws Exception {
        LazyReader lazy = new LazyReader();
        pair.dial(lazy);
        SocketSender out = server.socketSender.get();
        ByteBuffer message = ByteBuffer.wrap("x".repeat(100_000).getBytes(UTF_8));
        while (out.offer(message.duplicate())) {
            // until neither the network nor we have room
        }
        out.close(1001, "shutting down");
        assertThat(out.offer(message.duplicate())).isFalse();
        out.cut();
        lazy.read.countDown();
        assertThat(lazy.closed.get(10, TimeUnit.SECONDS)).startsWith("1001 ");
    }

    @Test
    void a_refusal_is_a_line_of_text() throws Exception {
        assertThat(get("/?no").body()).isEqualTo("Unauthorized");
        assertThat(get("/").statusCode()).isEqualTo(400);
        assertThat(get("/").body()).isEqualTo("Bad Request");
        assertThat(pair.endpoints.count()).isZero();
    }

    @Test
    void dialling_tells_what_went_wrong() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(pair.dial(silent.getLocalPort(), client)).isEqualTo(Dialled.NO_RESPONSE);
        }
        assertThat(pair.dial(freePort(), client)).isEqualTo(Dialled.UNREACHABLE);
    }

    @Test
    void a_server_that_answers_something_else_is_an_invalid_response() throws Exception {
        for (String answer :
                List.of("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "SSH-2.0-hello\r\n")) {
            try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                Thread.startVirtualThread(() -> answerOnce(other, answer));
                assertThat(pair.dial(other.getLocalPort(), new SocketRecorder()))
                        .as(answer)
                        .isEqualTo(Dialled.INVALID_RESPONSE);
            }
        }
    }

    private static void answerOnce(ServerSocket server, String answer) {
        try (var socket = server.accept()) {
            socket.getInputStream().read(new byte[4_096]);
            socket.getOutputStream()
                    .write(answer.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            socket.getInputStream().read();
        } catch (IOException e) {
            // the dialler hung up
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create(pair.listener.url() + path)).build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }
}
