package dev.skep.transport.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that answer without end, fast or slowly. */
class EndlessAnswersTest {
    /** The bound, and what lies in the sockets' buffers. */
    private static final long MOST = 24L << 20;

    private final HttpClient client = HttpApiClient.newClient();

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    @Test
    void an_answer_without_end_is_given_up() throws Exception {
        for (int status : new int[] {200, 500}) {
            try (var server = new Endless(status, 65_536);
                    ApiClient api = new HttpApiClient(client, server.url(), Optional.empty())) {
                assertThatThrownBy(() -> api.post("/api/link/challenge", Map.of()))
                        .isInstanceOfSatisfying(
                                SkepException.class,
                                e -> assertThat(e.code()).isEqualTo(ErrorCode.HUB_UNREACHABLE));
                server.thread.join();
                assertThat(server.taken.get()).isLessThan(MOST);
            }
        }
    }

    @Test
    void the_refusal_of_a_download_has_an_end_too() throws Exception {
        try (var server = new Endless(500, 65_536);
                ApiClient api = new HttpApiClient(client, server.url(), Optional.empty())) {
            assertThatThrownBy(() -> api.download("/export", OutputStream.nullOutputStream()))
                    .isInstanceOf(SkepException.class);
            server.thread.join();
            assertThat(server.taken.get()).isLessThan(MOST);
        }
    }

    @Test
    void an_answer_that_trickles_is_given_up_when_its_time_is_over() throws Exception {
        try (var server = new Endless(200, 1)) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(server.url()))
                            .timeout(Duration.ofSeconds(1))
                            .build();
            assertThatThrownBy(
                            () ->
                                    BoundedExchange.send(
                                            client,
                                            request,
                                            BodyHandlers.ofByteArray(),
                                            BoundedExchange.USUAL_BYTES,
                                            Duration.ofMillis(100)))
                    .isInstanceOf(HttpTimeoutException.class);
            server.thread.join();
            assertThat(server.taken.get()).isLessThan(400);
        }
    }

    /** Answers the first request with a head, and then with bytes until nobody takes them. */
    private static final class Endless implements AutoCloseable {
        private static final int GIVES_UP = 64 << 20;

        private final ServerSocket socket;
        private final Thread thread;
        private final AtomicLong taken = new AtomicLong();
        private final int status;
        private final int step;

        Endless(int status, int step) throws IOException {
            this.status = status;
            this.step = step;
            this.socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            this.thread = Thread.ofVirtual().start(this::answer);
        }

        String url() {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }

        private void answer() {
            try (Socket client = socket.accept();
                    OutputStream out = client.getOutputStream()) {
                byte[] head = new byte[8_192];
                int read = client.getInputStream().read(head);
                taken.addAndGet(Math.min(0, read));
                out.write(
                        "HTTP/1.1 %d -\r\nContent-Type: application/json\r\n\r\n"
                                .formatted(status)
                                .getBytes(StandardCharsets.US_ASCII));
                byte[] more = new byte[step];
                while (taken.get() < GIVES_UP) {
                    out.write(more);
                    out.flush();
                    taken.addAndGet(step);
                    if (step == 1) {
                        // Nobody reads faster than this line.
                        client.setSoTimeout(20);
                        readNothing(client);
                    }
                }
            } catch (IOException hungUp) {
                // That is what is wanted.
            }
        }

        private static void readNothing(Socket client) throws IOException {
            try {
                if (client.getInputStream().read() < 0) {
                    throw new IOException("hung up");
                }
            } catch (SocketTimeoutException stillThere) {
                // So it waits for more.
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
