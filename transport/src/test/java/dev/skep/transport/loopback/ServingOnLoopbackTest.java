package dev.skep.transport.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The server for the programs of this machine, over real sockets. */
final class ServingOnLoopbackTest {
    private static final String GET = "GET /echo HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";

    private final CountDownLatch gone = new CountDownLatch(1);
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicReference<String> seen = new AtomicReference<>("");
    private final LoopbackServer server =
            started(
                    new LoopbackServer(
                            Map.of(
                                    "/echo", this::echo,
                                    "/stream", this::stream,
                                    "/wait", this::await,
                                    "/fail",
                                            _ -> {
                                                throw new IllegalStateException("as asked");
                                            },
                                    "/lazy", exchange -> exchange.respond(200, Map.of())),
                            100_000));

    private static LoopbackServer started(LoopbackServer server) {
        server.start();
        return server;
    }

    @AfterEach
    void close() {
        goOn.countDown();
        server.close();
    }

    private void echo(LoopbackExchange exchange) throws IOException {
        byte[] body = exchange.body().readAllBytes();
        seen.set(exchange.method() + " " + exchange.path() + " " + exchange.query());
        exchange.respond(200, Map.of("content-type", "text/plain")).write(body);
    }

    private void stream(LoopbackExchange exchange) throws IOException {
        OutputStream out = exchange.respond(200, Map.of());
        out.write("first".getBytes(StandardCharsets.UTF_8));
        out.flush();
        pause();
        out.write("last".getBytes(StandardCharsets.UTF_8));
    }

    private void await(LoopbackExchange exchange) throws IOException {
        exchange.body().readAllBytes();
        exchange.onGone(gone::countDown);
        waiting.countDown();
        pause();
    }

    private void pause() {
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** A connection that is written to by hand. */
    private final class Raw implements AutoCloseable {
        final Socket socket = new Socket(InetAddress.ofLiteral("127.0.0.1"), server.port());
        final BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                socket.getInputStream(), StandardCharsets.ISO_8859_1));

        Raw() throws IOException {
            socket.setSoTimeout(20_000);
        }

        Raw send(String text) throws IOException {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return this;
        }

        int status() throws IOException {
            String line = in.readLine();
            return line == null ? -1 : Integer.parseInt(line.substring(9, 12));
        }

        /** To the end of the connection. */
        String rest() throws IOException {
            StringBuilder rest = new StringBuilder();
            for (int c = in.read(); c >= 0; c = in.read()) {
                rest.append((char) c);
            }
            return rest.toString();
        }

        void skipHead() throws IOException {
            while (!in.readLine().isEmpty()) {}
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private int statusOf(String request) throws IOException {
        try (Raw raw = new Raw().send(request)) {
            return raw.status();
        }
    }

    @Test
    void bodies_and_queries_arrive_in_pieces_or_with_a_length() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (HttpRequest.BodyPublisher body :
                    new HttpRequest.BodyPublisher[] {
                        HttpRequest.BodyPublishers.ofString("x".repeat(90_000)),
                        HttpRequest.BodyPublishers.fromPublisher(
                                HttpRequest.BodyPublishers.ofString("x".repeat(90_000)))
                    }) {
                for (boolean asksFirst : new boolean[] {false, true}) {
                    HttpResponse<String> got =
                            http.send(
                                    HttpRequest.newBuilder(
                                                    URI.create(server.address() + "/echo/a?b=c"))
                                            .expectContinue(asksFirst)
                                            .POST(body)
                                            .build(),
                                    HttpResponse.BodyHandlers.ofString());
                    assertThat(got.body()).hasSize(90_000);
                    assertThat(seen.get()).isEqualTo("POST /echo/a b=c");
                }
            }
        }
    }

    @Test
    void what_is_flushed_arrives_before_the_answer_ends() throws Exception {
        try (Raw raw =
                new Raw()
                        .send(
                                "GET /stream HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")) {
            assertThat(raw.status()).isEqualTo(200);
            raw.skipHead();
            assertThat(raw.in.readLine()).isEqualTo("5");
            assertThat(raw.in.readLine()).isEqualTo("first");
            goOn.countDown();
            assertThat(raw.rest()).isEqualTo("4\r\nlast\r\n0\r\n\r\n");
        }
    }

    @Test
    void a_connection_serves_one_request_after_the_other() throws Exception {
        try (Raw raw = new Raw()) {
            for (int request = 0; request < 3; request++) {
                raw.send(GET);
                assertThat(raw.status()).isEqualTo(200);
                raw.skipHead();
                assertThat(raw.in.readLine()).isEqualTo("0");
                assertThat(raw.in.readLine()).isEmpty();
            }
        }
    }

    @Test
    void the_next_request_may_come_while_the_last_is_still_answered() throws Exception {
        try (Raw raw = new Raw()) {
            raw.send("GET /wait HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
            assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
            raw.send(GET);
            goOn.countDown();
            assertThat(raw.status()).isEqualTo(204);
            raw.skipHead();
            assertThat(raw.status()).isEqualTo(200);
            assertThat(gone.getCount()).isEqualTo(1);
        }
    }

    @Test
    void a_client_that_leaves_is_noticed_though_nothing_is_written() throws Exception {
        try (Raw raw = new Raw().send("GET /wait HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")) {
            assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
            assertThat(gone.getCount()).isEqualTo(1);
            raw.socket.close();
            assertThat(gone.await(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void closing_the_server_tells_those_who_wait_and_ends_their_connections() throws Exception {
        try (Raw raw = new Raw().send("GET /wait HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")) {
            assertThat(waiting.await(10, TimeUnit.SECONDS)).isTrue();
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try {
                                    gone.await();
                                    goOn.countDown();
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            server.close();
            assertThat(gone.getCount()).isZero();
            assertThat(raw.rest()).isEmpty();
        }
    }

    @Test
    void it_listens_on_loopback_only() throws Exception {
        var others =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .filter(address -> !address.isLoopbackAddress())
                        .toList();
        for (InetAddress address : others) {
            assertThat(connects(address)).as("%s", address).isFalse();
        }
        assertThat(connects(InetAddress.ofLiteral("127.0.0.1"))).isTrue();
    }

    private boolean connects(InetAddress address) {
        try (Socket socket = new Socket(address, server.port())) {
            return socket.isConnected();
        } catch (IOException refused) {
            return false;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.1:80", "localhost", "LOCALHOST:1", "[::1]:9"})
    void names_of_this_machine_are_taken(String host) throws Exception {
        assertThat(statusOf("GET /echo HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host)))
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"example.org", "example.org:80", "10.0.0.1", "127.0.0.1.example.org", ""})
    void a_name_that_only_leads_here_is_refused(String host) throws Exception {
        assertThat(statusOf("GET /echo HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(host)))
                .isEqualTo(403);
        assertThat(seen.get()).isEmpty();
    }

    @Test
    void a_websocket_is_told_to_send_a_plain_request() throws Exception {
        assertThat(
                        statusOf(
                                "GET /echo HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"))
                .isEqualTo(426);
    }

    @Test
    void longer_bodies_and_headers_than_allowed_are_refused() throws Exception {
        String post = "POST /echo HTTP/1.1\r\nHost: localhost\r\n";
        assertThat(statusOf(post + "Content-Length: 100001\r\n\r\n")).isEqualTo(413);
        assertThat(statusOf(post + "Transfer-Encoding: chunked\r\n\r\n186A1\r\n")).isEqualTo(413);
        assertThat(statusOf(post + "X: " + "x".repeat(70_000))).isEqualTo(431);
    }

    @Test
    void a_client_that_is_still_sending_gets_its_refusal() throws Exception {
        String post = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4194304\r\n\r\n";
        String body = "x".repeat(4 << 20);
        for (int i = 0; i < 20; i++) {
            assertThat(statusOf(post + body)).isEqualTo(413);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET\r\n\r\n",
                "GET /echo HTTP/2.0\r\n\r\n",
                "GET http://127.0.0.1/echo HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nName : x\r\n\r\n",
                "GET /echo HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip\r\n\r\n",
                "POST /echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
            })
    void what_is_malformed_gets_400_and_the_connection_ends(String request) throws Exception {
        try (Raw raw = new Raw().send(request)) {
            assertThat(raw.status()).isEqualTo(400);
            raw.rest();
        }
    }

    @Test
    void a_path_without_a_handler_is_not_there_and_a_failing_one_says_500() throws Exception {
        String get = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n";
        for (String path : new String[] {"/", "/echoes", "/other/echo"}) {
            assertThat(statusOf(get.formatted(path))).as(path).isEqualTo(404);
        }
        assertThat(statusOf(get.formatted("/fail"))).isEqualTo(500);
    }

    @Test
    void a_body_that_nobody_read_does_not_become_the_next_request() throws Exception {
        try (Raw raw =
                new Raw()
                        .send(
                                "POST /lazy HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n%s"
                                                .formatted(GET.length(), GET)
                                        + GET)) {
            assertThat(raw.status()).isEqualTo(200);
            raw.skipHead();
            raw.in.readLine();
            raw.in.readLine();
            assertThat(raw.status()).isEqualTo(200);
            assertThat(seen.get()).isEqualTo("GET /echo null");
        }
    }
}
