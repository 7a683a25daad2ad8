package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.skep.testkit.RawWebSocket;
import dev.skep.testkit.RawWebSocket.Refused;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComingInTest {
    /** {@link TestRegistry#TOKEN} as encodeURIComponent writes it. */
    private static final String TOKEN = "?token=s3cret%2B%2F%C3%A4";

    @TempDir Path folder;
    private TestRegistry testRegistry;

    @BeforeEach
    void open() {
        testRegistry = new TestRegistry(TestRegistry.Options.in(folder).withToken());
    }

    @AfterEach
    void close() {
        testRegistry.close();
    }

    @Test
    void the_token_opens_by_query_or_header() throws Exception {
        connect("/ws" + TOKEN);
        connect("/ws?a=b&token=s3cret+%2F%c3%a4&token=wrong");
        connect("/ws", "Authorization: Bearer " + TestRegistry.OTHER_TOKEN);
        connect("/ws/agent/x" + TOKEN);
    }

    private void connect(String path, String... headers) throws Exception {
        RawWebSocket.connect(testRegistry.port(), path, headers).close();
    }

    @Test
    void without_the_token_every_path_is_unauthorized() {
        for (String path :
                new String[] {
                    "/ws",
                    "/ws?token=",
                    "/ws?token=wrong",
                    "/ws?token=s3cret%20%2F%C3%A4",
                    "/ws?x&token=wrong&token=s3cret%2B%2F%C3%A4",
                    "/ws?token=%zz%",
                    "/ws/agent/x",
                    "/ws/agent/",
                    "/nothing"
                }) {
            assertRefused(path, 401, "Unauthorized");
        }
    }

    @Test
    void other_paths_are_refused_in_plain_words() {
        assertRefused("/nothing" + TOKEN, 404, "Not Found");
        assertRefused("/ws/other" + TOKEN, 404, "Not Found");
        assertRefused("/ws/agent" + TOKEN, 404, "Not Found");
        assertRefused("/ws/agent/" + TOKEN, 400, "Missing node ID");
    }

    private void assertRefused(String path, int status, String body) {
        assertThatThrownBy(() -> connect(path))
                .as(path)
                .isInstanceOfSatisfying(
                        Refused.class,
                        refused -> {
                            assertThat(refused.status()).isEqualTo(status);
                            assertThat(refused.body()).isEqualTo(body);
                        });
    }

    @Test
    void a_plain_request_for_a_socket_is_a_bad_request() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            HttpResponse<String> answer =
                    http.send(
                            HttpRequest.newBuilder(URI.create(testRegistry.url() + "/ws" + TOKEN))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(answer.body()).isEqualTo("Bad Request");
        }
    }

    @Test
    void a_web_page_of_another_origin_does_not_get_in() throws Exception {
        connect("/ws" + TOKEN, "Origin: http://localhost:" + testRegistry.port());
        for (String origin : new String[] {"https://evil.example", "null", "http://localhost:1"}) {
            assertThatThrownBy(() -> connect("/ws" + TOKEN, "Origin: " + origin))
                    .isInstanceOfSatisfying(
                            Refused.class, refused -> assertThat(refused.status()).isEqualTo(403));
        }
    }

    @Test
    void a_client_behind_a_proxy_on_this_machine_is_not_local() throws Exception {
        try (TestRegistry open =
                new TestRegistry(
                        TestRegistry.Options.in(Files.createDirectories(folder.resolve("open"))))) {
            RawWebSocket.connect(open.port(), "/ws").close();
            for (String sign :
                    List.of("X-Forwarded-For: 127.0.0.1", "Forwarded: for=x", "Via: 1.1 proxy")) {
                assertThatThrownBy(() -> RawWebSocket.connect(open.port(), "/ws", sign))
                        .isInstanceOfSatisfying(
                                Refused.class,
                                refused -> assertThat(refused.status()).isEqualTo(401));
            }
        }
        connect("/ws" + TOKEN, "X-Forwarded-For: 192.0.2.1");
    }

    @Test
    void a_token_alone_does_not_reveal_which_ports_are_open() throws Exception {
        try (ServerSocket listening = new ServerSocket(0);
                SocketChannel closed = SocketChannel.open().bind(new InetSocketAddress(0));
                TestRegistryClient agent =
                        new TestRegistryClient(testRegistry.port(), "/ws" + TOKEN)) {
            Thread.startVirtualThread(() -> hangUp(listening));
            agent.register("open", "localhost", listening.getLocalPort());
            agent.register("closed", "localhost", closed.socket().getLocalPort());
            agent.register("nowhere", "no-such-host.invalid", 7001);
            agent.register("inside", "169.254.169.254", 80);
            for (String node : List.of("open", "closed", "nowhere", "inside")) {
                try (RawWebSocket dashboard =
                        RawWebSocket.connect(testRegistry.port(), "/ws/agent/" + node + TOKEN)) {
                    assertThat(Objects.requireNonNull(dashboard.message()).text())
                            .as(node)
                            .contains("\"Cannot reach agent\"");
                }
            }
        }
    }

    private static void hangUp(ServerSocket listening) {
        try {
            listening.accept().close();
        } catch (IOException e) {
            // the test is over
        }
    }

    @Test
    void with_a_token_a_dashboard_cannot_take_nodes_off() throws Exception {
        try (TestRegistryClient agent = new TestRegistryClient(testRegistry.port(), "/ws" + TOKEN);
                TestRegistryClient dashboard =
                        new TestRegistryClient(testRegistry.port(), "/ws" + TOKEN)) {
            agent.register("a", "here", 7001);
            assertThat(dashboard.error("deregister", "{\"id\":\"a\"}"))
                    .isEqualTo("Unauthorized: cannot deregister another node");
            assertThat(dashboard.error("export_state", null)).isEqualTo("Unauthorized");
            assertThat(dashboard.error("import_state", "{}")).isEqualTo("Unauthorized");
        }
    }

    @Test
    void an_org_sees_and_reaches_its_own_nodes_only() throws Exception {
        try (TestRegistryClient mine = new TestRegistryClient(testRegistry.port(), "/ws" + TOKEN);
                TestRegistryClient other =
                        new TestRegistryClient(
                                testRegistry.port(), "/ws?token=" + TestRegistry.OTHER_TOKEN)) {
            mine.event("init");
            assertThat(other.event("init").path("nodes")).isEmpty();
            mine.register("a", "here", 7001);
            mine.event("node_joined");
            other.settle();
            assertThat(other.events).isEmpty();
            assertThat(other.call("list_nodes", null)).isEmpty();
            assertThat(other.error("list_connections", "{\"node_id\":\"a\"}"))
                    .isEqualTo("Unknown node");
            assertThat(other.error("deregister", "{\"id\":\"a\"}")).startsWith("Unauthorized");
            other.register("b", "here", 7001);
            other.event("node_joined");
            mine.settle();
            assertThat(mine.call("list_nodes", null)).hasSize(1);
            try (RawWebSocket proxy =
                    RawWebSocket.connect(
                            testRegistry.port(), "/ws/agent/a?token=" + TestRegistry.OTHER_TOKEN)) {
                RawWebSocket.Frame frame = Objects.requireNonNull(proxy.message());
                assertThat(frame.text()).isEqualTo("{\"error\":\"Agent not found\"}");
            }
        }
    }
}
