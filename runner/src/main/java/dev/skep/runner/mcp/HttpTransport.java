package dev.skep.runner.mcp;

import dev.skep.runner.mcp.ServerFailure.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server at an address, by streamable HTTP: each message is a POST, answered with JSON or with a
 * stream of events.
 */
final class HttpTransport implements McpTransport {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration CONNECTING = Duration.ofSeconds(10);
    private static final Duration TELLING = Duration.ofSeconds(2);
    private static final String SESSION = "Mcp-Session-Id";

    private final URI address;
    private final Map<String, String> headers;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .connectTimeout(CONNECTING)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
    private volatile @Nullable String session;
    private volatile @Nullable String revision;
    private volatile boolean open = true;
    private volatile boolean toolsChanged;

    HttpTransport(URI address, Map<String, String> headers) {
        this.address = address;
        this.headers = Map.copyOf(headers);
    }

    @Override
    public JsonNode request(ObjectNode message, Duration timeout)
            throws ServerFailure, InterruptedException {
        return within(timeout, () -> exchange(message, timeout));
    }

    /**
     * A thing that an exchange does, on a thread of its own, so that its end can be insisted on.
     */
    private interface Exchange<T> {
        T run() throws ServerFailure, IOException, InterruptedException;
    }

    private <T> T within(Duration timeout, Exchange<T> exchange)
            throws ServerFailure, InterruptedException {
        FutureTask<T> task = new FutureTask<>(exchange::run);
        Thread.ofVirtual().name("mcp-http").start(task);
        try {
            return task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw ServerFailure.late(timeout);
        } catch (ExecutionException e) {
            throw failure(e.getCause());
        } finally {
            task.cancel(true);
        }
    }

    private static ServerFailure failure(@Nullable Throwable cause) {
        return switch (cause) {
            case ServerFailure failure -> failure;
            case ConnectException _ -> new ServerFailure(Kind.NOT_DONE, "cannot be reached");
            case BoundedLines.TooLong tooLong ->
                    new ServerFailure(Kind.GONE, String.valueOf(tooLong.getMessage()));
            case null, default ->
                    new ServerFailure(
                            Kind.GONE,
                            "the connection broke: "
                                    + (cause == null ? "" : cause.getClass().getSimpleName()));
        };
    }

    private JsonNode exchange(ObjectNode message, Duration timeout)
            throws ServerFailure, IOException, InterruptedException {
        HttpResponse<InputStream> response = send(message, timeout);
        try (InputStream body = response.body()) {
            response.headers().firstValue(SESSION).ifPresent(each -> session = each);
            if (response.statusCode() == 404 && session != null) {
                throw new ServerFailure(Kind.NOT_DONE, "forgot the session");
            }
            if (response.statusCode() / 100 != 2) {
                throw new ServerFailure(
                        response.statusCode() < 500 ? Kind.REFUSED : Kind.GONE,
                        "answered with status %d %s"
                                .formatted(
                                        response.statusCode(),
                                        new String(body.readNBytes(300), StandardCharsets.UTF_8)));
            }
            String type = response.headers().firstValue("content-type").orElse("");
            return type.startsWith("text/event-stream")
                    ? ofEvents(new BoundedLines(body, LONGEST), message)
                    : whole(body, message);
        }
    }

    private JsonNode whole(InputStream body, ObjectNode message) throws ServerFailure, IOException {
        byte[] bytes = body.readNBytes(LONGEST + 1);
        if (bytes.length > LONGEST) {
            throw new BoundedLines.TooLong(LONGEST);
        }
        JsonNode answer = read(new String(bytes, StandardCharsets.UTF_8));
        if (!isAnswer(answer, message)) {
            throw new ServerFailure(Kind.GONE, "answered something else than was asked");
        }
        return answer;
    }

    private JsonNode ofEvents(BoundedLines lines, ObjectNode message)
            throws ServerFailure, IOException {
        StringBuilder data = new StringBuilder();
        int skipped = 0;
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (line.startsWith("data:")) {
                data.append(line.substring(5).strip()).append('\n');
                if (data.length() > LONGEST) {
                    throw new BoundedLines.TooLong(LONGEST);
                }
            } else if (line.isEmpty() && !data.isEmpty()) {
                JsonNode heard = read(data.toString());
                data.setLength(0);
                if (isAnswer(heard, message)) {
                    return heard;
                }
                toolsChanged |= heard.path("method").asString("").equals(McpMessages.TOOLS_CHANGED);
            }
            if (++skipped > MOST_SKIPPED) {
                throw new ServerFailure(
                        Kind.GONE, "sent %,d lines and no answer".formatted(MOST_SKIPPED));
            }
        }
        throw new ServerFailure(Kind.GONE, "ended its stream without an answer");
    }

    private static boolean isAnswer(JsonNode heard, ObjectNode message) {
        return (heard.has("result") || heard.has("error")) && McpMessages.sameId(heard, message);
    }

    private static JsonNode read(String text) throws ServerFailure {
        try {
            return JSON.readTree(text);
        } catch (JacksonException notJson) {
            throw new ServerFailure(Kind.GONE, "sent what is not JSON: " + text);
        }
    }

    private HttpResponse<InputStream> send(ObjectNode message, Duration timeout)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address)
                        .timeout(timeout)
                        .header("content-type", "application/json")
                        .header("accept", "application/json, text/event-stream");
        if ("http".equals(address.getScheme())) {
            request.version(HttpClient.Version.HTTP_1_1);
        }
        headers.forEach(request::setHeader);
        String known = session;
        if (known != null) {
            request.setHeader(SESSION, known);
        }
        String agreed = revision;
        if (agreed != null) {
            request.setHeader("MCP-Protocol-Version", agreed);
        }
        return http.send(
                request.POST(HttpRequest.BodyPublishers.ofString(message.toString())).build(),
                HttpResponse.BodyHandlers.ofInputStream());
    }

    @Override
    public void tell(ObjectNode message) throws InterruptedException {
        try {
            boolean unused =
                    within(
                            TELLING,
                            () -> {
                                send(message, TELLING).body().close();
                                return true;
                            });
        } catch (ServerFailure unheard) {
            // The next request fails in the same way, with words for the agent.
        }
    }

    @Override
    public void agreed(String chosen) {
        revision = chosen;
    }

    @Override
    public boolean toolsChanged() {
        boolean changed = toolsChanged;
        toolsChanged = false;
        return changed;
    }

    @Override
    public boolean isOpen() {
        return open;
    }

    @Override
    public void close() {
        open = false;
        http.shutdownNow();
    }
}
