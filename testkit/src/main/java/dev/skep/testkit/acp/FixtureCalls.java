package dev.skep.testkit.acp;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Calls of the fixture over http: tools of an MCP server, and a model through its environment. */
final class FixtureCalls {
    private FixtureCalls() {}

    /** An http answer. */
    record Answer(int status, String body) {}

    /** Calls a tool of the first http server that the session was given. */
    static String mcp(List<Object> servers, String method, Map<String, Object> params)
            throws IOException {
        for (Object server : servers) {
            if (FixtureJson.text(server, "type").equals("http")) {
                String url = FixtureJson.text(server, "url");
                send(
                        url,
                        headers(server),
                        rpc(
                                0,
                                "initialize",
                                FixtureJson.of(
                                        "protocolVersion",
                                        "2025-06-18",
                                        "capabilities",
                                        Map.of(),
                                        "clientInfo",
                                        FixtureJson.of("name", "fixture", "version", "1"))));
                Answer answer = send(url, headers(server), rpc(1, method, params));
                return answer.status() == 200
                        ? answer.body()
                        : answer.status() + " " + answer.body();
            }
        }
        return "no http server was given";
    }

    private static Map<String, Object> rpc(int id, String method, Map<String, Object> params) {
        return FixtureJson.of("jsonrpc", "2.0", "id", id, "method", method, "params", params);
    }

    private static Map<String, Object> headers(Object server) {
        Map<String, Object> headers =
                FixtureJson.of("Accept", "application/json, text/event-stream");
        for (Object each : FixtureJson.list(FixtureJson.at(server, "headers"))) {
            headers.put(FixtureJson.text(each, "name"), FixtureJson.text(each, "value"));
        }
        return headers;
    }

    /** One call of a model, as agents of this wire make it. */
    static Answer model(String wire, String model, int tokens, String text) throws IOException {
        List<Object> user = List.of(FixtureJson.of("role", "user", "content", text));
        return switch (wire) {
            case "anthropic" ->
                    send(
                            variable("ANTHROPIC_BASE_URL") + "/v1/messages?beta=true",
                            FixtureJson.of(
                                    "Authorization",
                                    "Bearer " + variable("ANTHROPIC_AUTH_TOKEN"),
                                    "anthropic-version",
                                    "2023-06-01"),
                            FixtureJson.of(
                                    "model",
                                    model,
                                    "max_tokens",
                                    tokens,
                                    "stream",
                                    true,
                                    "messages",
                                    user));
            case "openai" ->
                    send(
                            variable("OPENAI_BASE_URL") + "/chat/completions",
                            FixtureJson.of("Authorization", "Bearer " + variable("OPENAI_API_KEY")),
                            FixtureJson.of(
                                    "model",
                                    model,
                                    "max_tokens",
                                    tokens,
                                    "stream",
                                    true,
                                    "stream_options",
                                    FixtureJson.of("include_usage", true),
                                    "messages",
                                    user));
            case "responses" ->
                    send(
                            variable("OPENAI_BASE_URL") + "/responses",
                            FixtureJson.of("Authorization", "Bearer " + variable("OPENAI_API_KEY")),
                            FixtureJson.of("model", model, "stream", true, "input", user));
            case "google" ->
                    send(
                            variable("GOOGLE_GEMINI_BASE_URL")
                                    + "/v1beta/models/"
                                    + model
                                    + ":streamGenerateContent?alt=sse",
                            FixtureJson.of("x-goog-api-key", variable("GEMINI_API_KEY")),
                            FixtureJson.of(
                                    "contents",
                                    List.of(
                                            FixtureJson.of(
                                                    "role",
                                                    "user",
                                                    "parts",
                                                    List.of(FixtureJson.of("text", text))))));
            default -> new Answer(0, "there is no wire " + wire);
        };
    }

    /** The words in a streamed answer of any wire, without reading it thoroughly. */
    static String words(Answer answer) {
        if (answer.status() != 200) {
            return answer.body();
        }
        StringBuilder words = new StringBuilder();
        for (String line : answer.body().lines().toList()) {
            if (!line.startsWith("data:") || line.endsWith("[DONE]")) {
                continue;
            }
            Object event = FixtureJson.read(line.substring(5).strip());
            String type = FixtureJson.text(event, "type");
            words.append(
                    type.equals("response.output_text.delta")
                            ? FixtureJson.text(event, "delta")
                            : FixtureJson.text(event, "delta", "text"));
            words.append(FixtureJson.text(event, "choices", 0, "delta", "content"));
            words.append(FixtureJson.text(event, "candidates", 0, "content", "parts", 0, "text"));
        }
        return words.toString();
    }

    private static String variable(String name) {
        String value = System.getenv(name);
        return value == null ? "" : value;
    }

    private static Answer send(String url, Map<String, Object> headers, Object body)
            throws IOException {
        HttpURLConnection call;
        try {
            call = (HttpURLConnection) URI.create(url).toURL().openConnection(Proxy.NO_PROXY);
        } catch (IllegalArgumentException e) {
            return new Answer(0, "no address: " + url);
        }
        call.setRequestMethod("POST");
        call.setDoOutput(true);
        call.setRequestProperty("Content-Type", "application/json");
        headers.forEach((name, value) -> call.setRequestProperty(name, value.toString()));
        try (var out = call.getOutputStream()) {
            out.write(FixtureJson.write(body).getBytes(StandardCharsets.UTF_8));
        }
        int status = call.getResponseCode();
        try (InputStream in = status < 400 ? call.getInputStream() : call.getErrorStream()) {
            String text =
                    in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
            return new Answer(status, text);
        }
    }
}
