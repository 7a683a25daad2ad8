package dev.skep.transport.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Role;
import dev.skep.transport.route.Access;
import dev.skep.transport.route.OrgScope;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SocketsTest {
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final TestListener server =
            new TestListener(
                    ListenerConfig.loopback(0),
                    new SocketRoute(
                            "/socket/{org}",
                            Access.operators(Role.OPERATOR),
                            OrgScope.PATH,
                            socket -> {
                                socket.onConnect(
                                        context ->
                                                context.send(
                                                        SocketRoute.actor(context)
                                                                .map(Actor::org)
                                                                .orElseThrow()
                                                                .value()));
                                socket.onMessage(
                                        context ->
                                                received.add(
                                                        Integer.toString(
                                                                context.message().length())));
                            }));
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void a_socket_knows_who_opened_it_and_takes_large_messages() throws Exception {
        WebSocket socket = open("/socket/mine", "Bearer mine-OPERATOR", "");
        assertThat(received.poll(5, TimeUnit.SECONDS)).isEqualTo("mine");
        socket.sendText("x".repeat(2_000_000), true).join();
        assertThat(received.poll(5, TimeUnit.SECONDS)).isEqualTo("2000000");
        assertThat(socket.getSubprotocol()).isEmpty();
        socket.abort();
    }

    @Test
    void callers_are_judged_before_the_upgrade() {
        refused(401, "/socket/mine", "", "");
        refused(403, "/socket/mine", "Bearer mine-VIEWER", "");
        refused(404, "/socket/theirs", "Bearer mine-OPERATOR", "");
        refused(403, "/socket/mine", "Bearer mine-OPERATOR", "https://evil.example");
    }

    @Test
    void sockets_are_not_compressed_by_the_server() throws Exception {
        String request =
                """
                GET /socket/mine HTTP/1.1
                Host: 127.0.0.1
                Connection: Upgrade
                Upgrade: websocket
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==
                Sec-WebSocket-Extensions: permessage-deflate
                Authorization: Bearer mine-OPERATOR

                """
                        .replace("\n", "\r\n");
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), server.listener.port())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            var lines =
                    new BufferedReader(
                            new InputStreamReader(
                                    socket.getInputStream(), StandardCharsets.US_ASCII));
            String answer = lines.readLine();
            assertThat(answer).contains("101");
            while (answer != null && !answer.isEmpty()) {
                assertThat(answer).doesNotContainIgnoringCase("deflate");
                answer = lines.readLine();
            }
        }
    }

    private void refused(int status, String path, String authorization, String origin) {
        assertThatThrownBy(() -> open(path, authorization, origin))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        WebSocketHandshakeException.class,
                        e -> assertThat(e.getResponse().statusCode()).isEqualTo(status));
    }

    private WebSocket open(String path, String authorization, String origin) {
        WebSocket.Builder builder = client.newWebSocketBuilder();
        if (!authorization.isEmpty()) {
            builder.header("Authorization", authorization);
        }
        if (!origin.isEmpty()) {
            builder.header("Origin", origin);
        }
        return builder.buildAsync(
                        URI.create(server.listener.url().replace("http", "ws") + path),
                        new Hearing())
                .join();
    }

    private final class Hearing implements WebSocket.Listener {
        @Override
        public @Nullable CompletionStage<?> onText(
                WebSocket socket, CharSequence data, boolean last) {
            received.add(data.toString());
            socket.request(1);
            return null;
        }
    }
}
