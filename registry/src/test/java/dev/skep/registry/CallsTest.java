package dev.skep.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.RawWebSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class CallsTest {
    private static final List<String> WRONG_VALUES =
            List.of("null", "true", "-1", "1.5", "1e300", "\"\"", "[]", "{}", "\"\\u0000\"");

    @TempDir Path folder;
    private TestRegistry testRegistry;
    private TestRegistryClient client;

    @BeforeEach
    void open() throws Exception {
        testRegistry = new TestRegistry(TestRegistry.Options.in(folder));
        client = testRegistry.dashboard();
    }

    @AfterEach
    void close() {
        client.close();
        testRegistry.close();
    }

    @Test
    void what_is_no_request_is_ignored() throws Exception {
        for (String frame :
                List.of(
                        "",
                        "no json",
                        "{",
                        "[]",
                        "5",
                        "{}",
                        "{\"id\":\"x\"}",
                        "{\"id\":\"x\",\"method\":5}",
                        "{\"id\":5,\"method\":\"ping\"}",
                        "{\"id\":{},\"method\":\"ping\"}",
                        "{\"method\":\"ping\"} {\"method\":\"ping\"}",
                        "[".repeat(100_000))) {
            client.frame(frame);
        }
        client.socket.binary(new byte[] {1, 2, 3});
        client.frame("{\"method\":\"ping\",\"id\":null}");
        assertThat(client.answerWithoutId().path("result").path("status").asString())
                .isEqualTo("healthy");
        assertThat(client.events).isEmpty();
    }

    @Test
    void requests_are_answered_in_order() throws Exception {
        try (RawWebSocket raw = RawWebSocket.connect(testRegistry.port(), "/ws")) {
            for (int i = 0; i < 200; i++) {
                String method = i % 2 == 0 ? "ping" : "nonsense";
                raw.text("{\"id\":\"%d\",\"method\":\"%s\"}".formatted(i, method));
            }
            List<String> ids = new ArrayList<>();
            while (ids.size() < 200) {
                RawWebSocket.Frame frame = Objects.requireNonNull(raw.message());
                String text = frame.text();
                if (text.startsWith("{\"id\"")) {
                    ids.add(text.replaceFirst("\\{\"id\":\"([0-9]+)\".*", "$1"));
                }
            }
            for (int i = 0; i < 200; i++) {
                assertThat(ids.get(i)).isEqualTo(Integer.toString(i));
            }
        }
    }

    @Test
    void ping_tells_how_many_nodes_there_are() {
        client.register("a", "here", 7001);
        JsonNode pong = client.call("ping", null);
        assertThat(pong.path("status").asString()).isEqualTo("healthy");
        assertThat(pong.path("nodes").asInt()).isEqualTo(1);
        assertThat(pong.path("version").asString()).isEqualTo("test");
    }

    @Test
    void an_unknown_method_is_named() {
        assertThat(client.error("no\\u00e9", "{}")).isEqualTo("Method not found: noé");
    }

    @Test
    void missing_params_are_told_apart_by_method() {
        for (String params : new String[] {"null", null}) {
            assertThat(client.error("register", params)).isEqualTo("Missing params");
            assertThat(client.error("deregister", params)).isEqualTo("Missing params.id");
            assertThat(client.error("spawn_agent", params)).isEqualTo("Missing params");
            assertThat(client.error("list_connections", params))
                    .isEqualTo("Missing params.node_id");
        }
        for (String params : List.of("{}", "[]", "5", "\"x\"", "{\"id\":7}", "{\"id\":null}")) {
            assertThat(client.error("register", params)).isEqualTo("Invalid node info");
            assertThat(client.error("deregister", params)).isEqualTo("Missing params.id");
        }
    }

    @Test
    void a_wrong_value_in_any_field_of_a_registration_is_refused() {
        String right =
                """
                {"id":"a","machine":"here","cwd":"/work","port":7001,"status":"active"}""";
        for (String field :
                List.of(
                        "\"id\":\"a\"",
                        "\"machine\":\"here\"",
                        "\"cwd\":\"/work\"",
                        "\"port\":7001",
                        "\"status\":\"active\"")) {
            String name = field.substring(0, field.indexOf(':') + 1);
            for (String wrong : WRONG_VALUES) {
                boolean fits =
                        wrong.equals("\"\"") && (name.contains("machine") || name.contains("cwd"));
                String answer =
                        client.ask("register", right.replace(field, name + wrong)).toString();
                assertThat(answer.contains("Invalid node info"))
                        .as(name + wrong + " -> " + answer)
                        .isEqualTo(!fits);
            }
            assertThat(client.error("register", right.replace(field, "\"x\":1")))
                    .isEqualTo("Invalid node info");
        }
        for (String pid : List.of("-1", "\"1\"", "1.5", "4294967296", "{}", "true")) {
            assertThat(client.error("register", right.replace("}", ",\"pid\":" + pid + "}")))
                    .as(pid)
                    .isEqualTo("Invalid node info");
        }
        for (String port : List.of("65536", "99999999999999999999")) {
            assertThat(client.error("register", right.replace("7001", port)))
                    .isEqualTo("Invalid node info");
        }
        assertThat(client.error("register", right.replace("\"active\"", "\"busy\"")))
                .isEqualTo("Invalid node info");
        assertThat(client.error("register", right.replace("\"a\"", "\"" + "x".repeat(600) + "\"")))
                .isEqualTo("Invalid node info");
        client.call(
                "register",
                right.replace("}", ",\"pid\":null,\"offline_since\":\"x\",\"more\":{}}"));
    }

    @Test
    void a_registration_is_active_whatever_it_says_and_drops_unknown_fields() {
        client.call(
                "register",
                """
                {"id":"a","machine":"m","cwd":"/","port":0,"status":"offline","offline_since":5,"x":1}""");
        JsonNode node = client.call("list_nodes", null).path(0);
        assertThat(node.path("status").asString()).isEqualTo("active");
        assertThat(node.has("offline_since")).isFalse();
        assertThat(node.has("x")).isFalse();
        assertThat(node.has("pid")).isFalse();
    }

    @Test
    void wrong_values_elsewhere_never_end_the_connection() {
        for (String method :
                List.of(
                        "deregister",
                        "list_nodes",
                        "ping",
                        "list_directories",
                        "spawn_agent",
                        "list_connections",
                        "node_stats",
                        "export_state",
                        "import_state")) {
            for (String value : WRONG_VALUES) {
                client.ask(method, value);
                for (String field :
                        List.of("id", "path", "new_folder", "node_id", "limit", "before")) {
                    client.ask(method, "{\"%s\":%s}".formatted(field, value));
                    client.ask(
                            method,
                            "{\"id\":\"q\",\"path\":\"q\",\"node_id\":\"q\",\"%s\":%s}"
                                    .formatted(field, value));
                }
            }
        }
        client.settle();
    }

    @Test
    void history_and_counts_of_an_unknown_node_are_refused() {
        assertThat(client.error("list_connections", "{\"node_id\":\"x\"}"))
                .isEqualTo("Unknown node");
        assertThat(client.error("node_stats", "{\"node_id\":\"x\"}")).isEqualTo("Unknown node");
        assertThat(client.call("node_stats", null).path("stats")).isEmpty();
    }

    @Test
    void many_requests_at_once_are_all_answered() {
        List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            answers.add(
                    client.send(
                            "register",
                            TestRegistryClient.registration("n" + i % 50, "m", i % 50)));
        }
        answers.forEach(
                answer -> assertThat(TestRegistryClient.await(answer).has("result")).isTrue());
        assertThat(client.call("list_nodes", null)).hasSize(50);
    }
}
