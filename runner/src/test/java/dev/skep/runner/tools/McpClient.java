package dev.skep.runner.tools;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** As much of an MCP client as a test of the server needs. */
final class McpClient {
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI address;
    private final String token;
    private final AtomicInteger ids = new AtomicInteger();
    private final Map<String, String> headers = new LinkedHashMap<>();

    McpClient(String address, String token) {
        this.address = URI.create(address + ToolsEndpoint.PATH);
        this.token = token;
        headers.put("accept", "application/json, text/event-stream");
        headers.put("content-type", "application/json");
    }

    McpClient with(String header, String value) {
        headers.put(header, value);
        return this;
    }

    /** The text of a tool's result; one that failed begins with "failed: ". */
    String call(String tool, Map<String, ?> arguments) {
        return text(request("tools/call", Map.of("name", tool, "arguments", arguments)));
    }

    static String text(JsonFields answer) {
        JsonFields result = answer.object("result").orElseThrow();
        String text = result.list("content").getFirst().shown("text");
        return result.flag("isError") ? "failed: " + text : text;
    }

    JsonFields request(String method, Map<String, ?> parameters) {
        HttpResponse<String> answer = post(message(ids.incrementAndGet(), method, parameters));
        String body = answer.body();
        return Json.fields(body.startsWith("event:") ? body.split("data: ", 2)[1] : body);
    }

    static String message(Object id, String method, Map<String, ?> parameters) {
        return Json.text(
                Map.of("jsonrpc", "2.0", "id", id, "method", method, "params", parameters));
    }

    HttpResponse<String> post(String body) {
        return sent(builder().POST(HttpRequest.BodyPublishers.ofString(body)).build());
    }

    CompletableFuture<HttpResponse<String>> begin(String body) {
        return HTTP.sendAsync(
                builder().POST(HttpRequest.BodyPublishers.ofString(body)).build(),
                HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get() {
        return sent(builder().GET().build());
    }

    private HttpRequest.Builder builder() {
        HttpRequest.Builder builder = HttpRequest.newBuilder(address);
        headers.forEach(builder::header);
        return token.isEmpty() ? builder : builder.header("authorization", "Bearer " + token);
    }

    private static HttpResponse<String> sent(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
