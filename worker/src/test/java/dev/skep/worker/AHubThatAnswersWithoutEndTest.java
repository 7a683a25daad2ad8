package dev.skep.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.error.SkepException;
import dev.skep.transport.client.HttpApiClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AHubThatAnswersWithoutEndTest {
    private static final int STEP = 65_536;
    private static final int GIVES_UP = 64 << 20;

    /** The bound, and what lies in the sockets' buffers. */
    private static final long MOST = 24L << 20;

    private final AtomicLong taken = new AtomicLong();

    @Test
    void fills_no_runners_memory() throws Exception {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread hub = Thread.ofVirtual().start(() -> answer(socket));
            HttpClient client = HttpApiClient.newClient();
            HttpHubTransport httpHubTransport =
                    new HttpHubTransport(
                            client, "http://127.0.0.1:" + socket.getLocalPort(), () -> "token");

            assertThatThrownBy(
                            () ->
                                    httpHubTransport.post(
                                            "/api/agent/jobs/next",
                                            "{}",
                                            Duration.ofSeconds(30),
                                            false))
                    .isInstanceOf(SkepException.class);
            hub.join();
            client.shutdownNow();
            assertThat(taken.get()).isLessThan(MOST);
        }
    }

    private void answer(ServerSocket socket) {
        try (Socket runner = socket.accept();
                OutputStream out = runner.getOutputStream()) {
            out.write(
                    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            while (taken.get() < GIVES_UP) {
                out.write(new byte[STEP]);
                taken.addAndGet(STEP);
            }
        } catch (IOException hungUp) {
            // That is what is wanted.
        }
    }
}
