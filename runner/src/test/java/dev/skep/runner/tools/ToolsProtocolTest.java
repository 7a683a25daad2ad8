package dev.skep.runner.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.testkit.Eventually;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolsProtocolTest {
    private static final Map<String, Object> LONG = Map.of("wait_seconds", 15);

    @TempDir Path dir;
    private ToolsFixture fixture;
    private McpClient alice;

    @BeforeEach
    void start() {
        fixture = new ToolsFixture(dir);
        alice = fixture.client("alice");
    }

    @AfterEach
    void close() {
        fixture.close();
    }

    @Test
    void each_known_revision_is_spoken_and_another_is_answered_with_ours() {
        for (String revision : List.of("2025-03-26", "2025-06-18", "2025-11-25")) {
            assertThat(revision(revision)).isEqualTo(revision);
        }
        assertThat(revision("1999-01-01")).isEqualTo("2025-06-18");
        assertThat(
                        fixture.client("alice")
                                .with("mcp-protocol-version", "1999-01-01")
                                .post(McpClient.message(1, "ping", Map.of()))
                                .statusCode())
                .isEqualTo(400);
    }

    private String revision(String wanted) {
        return alice.request("initialize", Map.of("protocolVersion", wanted))
                .object("result")
                .orElseThrow()
                .shown("protocolVersion");
    }

    @Test
    void every_tool_has_a_description_and_a_schema() {
        List<JsonFields> tools =
                alice.request("tools/list", Map.of()).object("result").orElseThrow().list("tools");
        assertThat(tools.stream().map(tool -> tool.shown("name")))
                .containsExactly(
                        "mail_send",
                        "mail_list",
                        "mail_read",
                        "mail_search",
                        "mail_wait",
                        "agent_ask",
                        "ask_person",
                        "agents_list",
                        "cost",
                        "session_note",
                        "session_complete");
        for (JsonFields tool : tools) {
            assertThat(tool.shown("description")).endsWith(".");
            assertThat(tool.object("inputSchema").orElseThrow().shown("type")).isEqualTo("object");
        }
    }

    @Test
    void notices_get_no_answer_and_there_is_no_stream_of_ours() {
        HttpResponse<String> noted =
                alice.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        assertThat(noted.statusCode()).isEqualTo(202);
        assertThat(noted.body()).isEmpty();
        HttpResponse<String> stream = alice.get();
        assertThat(stream.statusCode()).isEqualTo(405);
        assertThat(stream.headers().firstValue("allow")).contains("POST");
    }

    @Test
    void a_client_that_takes_only_streams_gets_one() {
        McpClient streaming =
                new McpClient("http://127.0.0.1:" + fixture.port(), "token-alice")
                        .with("accept", "text/event-stream");
        HttpResponse<String> answer = streaming.post(McpClient.message("a-1", "ping", Map.of()));
        assertThat(answer.headers().firstValue("content-type")).contains("text/event-stream");
        assertThat(answer.body())
                .isEqualTo(
                        "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"a-1\",\"result\":{}}\n\n");
    }

    @Test
    void garbage_is_refused_in_words() {
        assertThat(code(alice.post("not json"))).isEqualTo(-32_700);
        assertThat(code(alice.post("\u0000\u0001"))).isEqualTo(-32_700);
        assertThat(code(alice.post("[".repeat(100_000)))).isEqualTo(-32_700);
        assertThat(code(alice.post("[" + McpClient.message(1, "ping", Map.of()) + "]")))
                .isEqualTo(-32_600);
        assertThat(code(alice.post("{\"id\":1,\"method\":\"ping\"}"))).isEqualTo(-32_600);
        assertThat(code(alice.post("{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"ping\"}")))
                .isEqualTo(-32_600);
        assertThat(
                        code(
                                alice.post(
                                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":3}")))
                .isEqualTo(-32_602);
        assertThat(code(alice.post(McpClient.message(1, "resources/list", Map.of()))))
                .isEqualTo(-32_601);
        assertThat(alice.post("x".repeat(2 << 20)).statusCode()).isEqualTo(413);
        assertThat(alice.request("ping", Map.of()).has("result")).isTrue();
    }

    private static int code(HttpResponse<String> answer) {
        return (int) Json.fields(answer.body()).object("error").orElseThrow().number("code");
    }

    @Test
    void unknown_tools_and_wrong_arguments_say_what_is_wrong() {
        assertThat(code(alice.post(UsingToolsTest.call(1, "rm_rf", Map.of())))).isEqualTo(-32_602);
        assertThat(
                        code(
                                alice.post(
                                        McpClient.message(
                                                1,
                                                "tools/call",
                                                Map.of("name", "cost", "arguments", "none")))))
                .isEqualTo(-32_602);
        assertThat(alice.call("mail_send", Map.of("to", "bob", "subject", "s")))
                .isEqualTo("failed: argument 'body' is missing [bad_request]");
        assertThat(alice.call("mail_wait", Map.of("wait_seconds", "soon")))
                .startsWith("failed: field 'wait_seconds' must be a whole number");
        assertThat(alice.call("mail_wait", Map.of("wait_seconds", -1)))
                .startsWith("failed: argument 'wait_seconds' must be from 0 to");
        assertThat(alice.call("cost", Map.of("agent", "bob")))
                .startsWith("failed: there is no field 'agent'");
    }

    @Test
    void only_a_running_agent_has_a_token() {
        assertThat(fixture.withToken("").post("{}").statusCode()).isEqualTo(401);
        assertThat(fixture.withToken("guessed").post("{}").statusCode()).isEqualTo(401);
        assertThat(
                        fixture.client("alice")
                                .with("origin", "https://evil.example")
                                .get()
                                .statusCode())
                .isEqualTo(403);
    }

    @Test
    void a_dismissed_token_is_worth_nothing_and_its_open_calls_end() throws Exception {
        CompletableFuture<HttpResponse<String>> waiting =
                alice.begin(UsingToolsTest.call(1, "ask_person", question()));
        asked();
        fixture.endpoint.dismiss("token-alice");
        assertThat(waiting.get(10, TimeUnit.SECONDS).statusCode()).isEqualTo(200);
        assertThat(alice.post(McpClient.message(2, "ping", Map.of())).statusCode()).isEqualTo(401);
        assertThat(fixture.client("bob").request("ping", Map.of()).has("result")).isTrue();
    }

    @Test
    void a_cancelled_call_ends_at_once() throws Exception {
        CompletableFuture<HttpResponse<String>> waiting =
                alice.begin(UsingToolsTest.call("q-1", "ask_person", question()));
        asked();
        alice.post(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\"q-1\"}}");
        assertThat(waiting.get(10, TimeUnit.SECONDS).body()).contains("Nobody answered yet");
    }

    @Test
    void a_client_that_went_away_leaves_no_call_behind() {
        CompletableFuture<HttpResponse<String>> waiting =
                alice.begin(UsingToolsTest.call(1, "mail_wait", LONG));
        Eventually.holds("calls open: 1", () -> fixture.endpoint.callsOpen("token-alice") == 1);
        waiting.cancel(true);
        Eventually.holds("calls open: 0", () -> fixture.endpoint.callsOpen("token-alice") == 0);
    }

    private static Map<String, Object> question() {
        return Map.of("question", "Anybody?", "wait_seconds", 15);
    }

    private void asked() {
        Eventually.holds("calls open: 1", () -> fixture.endpoint.callsOpen("token-alice") == 1);
    }
}
