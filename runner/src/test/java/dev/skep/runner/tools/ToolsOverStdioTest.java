package dev.skep.runner.tools;

import static org.assertj.core.api.Assertions.assertThat;

import dev.skep.transport.route.Json;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ToolsOverStdioTest {
    @TempDir Path dir;

    @Test
    void a_program_that_starts_its_mcp_servers_reaches_the_tools() throws Exception {
        try (ToolsFixture fixture = new ToolsFixture(dir)) {
            Process process = started(StdioBridge.to(fixture.port(), "token-alice"));
            try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
                    BufferedWriter requests = process.outputWriter(StandardCharsets.UTF_8)) {
                write(requests, McpClient.message(1, "ping", Map.of()));
                assertThat(answers.readLine())
                        .isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
                // No answer at all, so the next line is that of the next message.
                write(requests, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
                String body = "ä€𝄞 \\ \" % $(id) " + "long ".repeat(10_000);
                write(
                        requests,
                        UsingToolsTest.call(
                                2, "mail_send", Map.of("to", "bob", "subject", "s", "body", body)));
                String sent = McpClient.text(Json.fields(answers.readLine()));
                assertThat(sent).startsWith("Sent ");
                assertThat(
                                fixture.client("bob")
                                        .call("mail_read", Map.of("id", sent.split(" ", -1)[1])))
                        .endsWith(body);
                write(requests, UsingToolsTest.call(3, "mail_search", Map.of("text", "ä€𝄞")));
                assertThat(McpClient.text(Json.fields(answers.readLine()))).contains("  s");
            }
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_dismissed_token_is_refused_there_too() throws Exception {
        try (ToolsFixture fixture = new ToolsFixture(dir)) {
            Process process = started(StdioBridge.to(fixture.port(), "token-alice"));
            fixture.endpoint.dismiss("token-alice");
            try (BufferedReader answers = process.inputReader(StandardCharsets.UTF_8);
                    BufferedWriter requests = process.outputWriter(StandardCharsets.UTF_8)) {
                write(requests, McpClient.message(1, "ping", Map.of()));
                assertThat(answers.readLine()).contains("the token is unknown");
            }
        }
    }

    private static void write(BufferedWriter requests, String line) throws IOException {
        requests.write(line + "\n");
        requests.flush();
    }

    private static Process started(StdioBridge bridge) throws IOException {
        List<String> words = new ArrayList<>(List.of(bridge.command()));
        words.addAll(bridge.arguments());
        assertThat(words).noneMatch(word -> word.contains("token-alice"));
        ProcessBuilder builder = new ProcessBuilder(words);
        builder.environment().putAll(bridge.environment());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return builder.start();
    }
}
