package dev.skep.runner.acp;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.skep.testkit.acp.FixtureAgent;
import dev.skep.testkit.acp.FixtureJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the fixture does with what it is handed: tools over http, and a model. */
class FixtureAgentTest {
    @TempDir Path folder;
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private HttpServer server;

    @BeforeEach
    void serve() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Object body =
                FixtureJson.read(
                        new String(
                                exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        String token = exchange.getRequestHeaders().getFirst("Authorization");
        calls.add(path + " " + token + " " + FixtureJson.text(body, "method"));
        String answer =
                switch (path) {
                    case "/mcp" -> mcp(FixtureJson.object(body));
                    case "/v1/messages" ->
                            """
                            event: content_block_delta
                            data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"fo"}}

                            data: {"type":"content_block_delta","delta":{"type":"text_delta","text":"ur"}}

                            """;
                    default -> "no money left";
                };
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(answer.startsWith("no ") ? 402 : 200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static String mcp(Map<String, Object> body) {
        Object result =
                switch (FixtureJson.text(body, "method")) {
                    case "tools/list" ->
                            FixtureJson.of(
                                    "tools",
                                    List.of(
                                            FixtureJson.of("name", "mail_send"),
                                            FixtureJson.of("name", "agent_list")));
                    case "tools/call" ->
                            FixtureJson.of(
                                    "content",
                                    List.of(
                                            FixtureJson.of(
                                                    "type",
                                                    "text",
                                                    "text",
                                                    "sent to "
                                                            + FixtureJson.text(
                                                                    body,
                                                                    "params",
                                                                    "arguments",
                                                                    "to"))));
                    default -> Map.of();
                };
        return FixtureJson.write(FixtureJson.of("jsonrpc", "2.0", "id", 1, "result", result));
    }

    @Test
    void it_calls_the_tools_of_the_server_it_was_given() throws Exception {
        try (var agent = new RunningFixture(folder)) {
            String session =
                    agent.session(
                            new McpServerAddress.Http(
                                    "skep",
                                    address() + "/mcp",
                                    Map.of("Authorization", "Bearer t")));
            agent.connection.prompt(session, "!mcp-list\n!say ,\n!mcp mail_send {\"to\": \"bob\"}");
            assertThat(agent.said()).isEqualTo("mail_send agent_list,sent to bob");
            assertThat(calls).contains("/mcp Bearer t tools/list", "/mcp Bearer t tools/call");
        }
    }

    @Test
    void it_calls_a_model_as_its_environment_says() throws Exception {
        ProcessBuilder start = new ProcessBuilder(FixtureAgent.command());
        start.environment().put("HOME", folder.toString());
        start.environment().put("ANTHROPIC_BASE_URL", address());
        start.environment().put("ANTHROPIC_AUTH_TOKEN", "secret");
        start.environment().put("OPENAI_BASE_URL", address() + "/openai");
        try (var agent = new RunningFixture(folder, AcpLimits.DEFAULTS, start)) {
            String session = agent.session();
            agent.connection.prompt(
                    session,
                    """
                    !model anthropic some-model 100 two and two
                    !say ,
                    !model openai some-model 100 two and two
                    """);
            assertThat(agent.said()).isEqualTo("200 four,402 no money left");
            assertThat(calls).contains("/v1/messages Bearer secret ");
        }
    }
}
