package dev.skep.fleet;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.Map;

/** Somebody who speaks the revision of MCP without a handshake, as bytes on the wire have it. */
final class StatelessMcpVisitor {
    private static final String REVISION = "2026-07-28";
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    private final String url;
    private final String key;
    private final Map<String, Object> more;

    StatelessMcpVisitor(String url, String key) {
        this(url, key, Map.of());
    }

    private StatelessMcpVisitor(String url, String key, Map<String, Object> more) {
        this.url = url;
        this.key = key;
        this.more = more;
    }

    /** The same, bringing a person's answer to a question. */
    StatelessMcpVisitor answered(String question, String action, String state) {
        return new StatelessMcpVisitor(
                url,
                key,
                Map.of(
                        "inputResponses",
                        Map.of(question, Map.of("action", action)),
                        "requestState",
                        state));
    }

    /** The result of a tool's call. */
    JsonFields call(String tool, Map<String, ?> arguments)
            throws IOException, InterruptedException {
        Map<String, Object> parameters = new HashMap<>(more);
        parameters.put("name", tool);
        parameters.put("arguments", arguments);
        HttpResponse<String> answer = send("tools/call", tool, parameters);
        if (answer.statusCode() != 200) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        return Json.fields(answer.body()).object("result").orElseThrow();
    }

    /** Sends a request; the header of the tool's name may say something else than its body. */
    HttpResponse<String> send(String method, String name, Map<String, Object> parameters)
            throws IOException, InterruptedException {
        Map<String, Object> all = new HashMap<>(parameters);
        all.put(
                "_meta",
                Map.of(
                        "io.modelcontextprotocol/protocolVersion",
                        REVISION,
                        "io.modelcontextprotocol/clientCapabilities",
                        Map.of("elicitation", Map.of("form", Map.of()))));
        String body = Json.text(Map.of("jsonrpc", "2.0", "id", 1, "method", method, "params", all));
        return CLIENT.send(
                HttpRequest.newBuilder(URI.create(url + "/mcp"))
                        .header("Authorization", "Bearer " + key)
                        .header("Content-Type", "application/json")
                        .header("Accept", "application/json, text/event-stream")
                        .header("MCP-Protocol-Version", REVISION)
                        .header("Mcp-Method", method)
                        .header("Mcp-Name", name)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }
}
