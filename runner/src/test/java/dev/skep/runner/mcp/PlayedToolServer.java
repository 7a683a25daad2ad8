package dev.skep.runner.mcp;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An MCP server whose answers the test writes, as a program's streams or at an address. */
public final class PlayedToolServer implements ServerPrograms, AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** What a server says to one message: lines, or null to say nothing more and end. */
    public interface Play {
        @Nullable List<String> lines(JsonNode message);
    }

    public final List<String> seen = new CopyOnWriteArrayList<>();
    public final AtomicInteger starts = new AtomicInteger();
    private final Play play;
    private final List<AutoCloseable> open = new CopyOnWriteArrayList<>();
    volatile String errors = "";
    public volatile boolean asEvents;
    public volatile boolean forgetful;

    public PlayedToolServer(Play play) {
        this.play = play;
    }

    /** One with the tool {@code echo}, which answers with its arguments. */
    public static PlayedToolServer echo() {
        return new PlayedToolServer(
                message ->
                        switch (message.path("method").asString("")) {
                            case "initialize" -> List.of(welcome(message));
                            case "tools/list" ->
                                    List.of(
                                            answer(
                                                    message,
                                                    "{\"tools\":[%s]}".formatted(tool("echo"))));
                            case "tools/call" ->
                                    List.of(
                                            answer(
                                                    message,
                                                    text(
                                                            message.path("params")
                                                                    .path("arguments")
                                                                    .toString())));
                            default -> List.of();
                        });
    }

    public static String welcome(JsonNode message) {
        return answer(
                message,
                "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"played\",\"version\":\"1\"}}");
    }

    public static String tool(String name) {
        return "{\"name\":\"%s\",\"description\":\"does %s\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"what\":{\"type\":\"string\"}}}}"
                .formatted(name, name);
    }

    public static String text(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":%s}]}"
                .formatted(JSON.writeValueAsString(text));
    }

    public static String answer(JsonNode message, String result) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}"
                .formatted(message.path("id"), result);
    }

    @Override
    public Started start(List<String> words, Map<String, String> variables) throws IOException {
        starts.incrementAndGet();
        PipedInputStream toUs = new PipedInputStream(64 * 1024);
        PipedOutputStream fromServer = new PipedOutputStream(toUs);
        PipedInputStream toServer = new PipedInputStream(64 * 1024);
        PipedOutputStream fromUs = new PipedOutputStream(toServer);
        Thread server = Thread.ofPlatform().daemon().start(() -> serve(toServer, fromServer));
        return new Started() {
            @Override
            public InputStream output() {
                return toUs;
            }

            @Override
            public OutputStream input() {
                return fromUs;
            }

            @Override
            public String lastErrors() {
                return errors;
            }

            @Override
            public void close() {
                server.interrupt();
                try {
                    toUs.close();
                    toServer.close();
                } catch (IOException gone) {
                    // it is what was wanted
                }
            }
        };
    }

    private void serve(InputStream in, OutputStream out) {
        try (out;
                BufferedReader lines =
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                @Nullable List<String> answers = answers(line);
                if (answers == null) {
                    return;
                }
                for (String answer : answers) {
                    out.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
                    out.flush();
                }
            }
        } catch (IOException gone) {
            // the client closed it
        }
    }

    private @Nullable List<String> answers(String line) {
        JsonNode message = JSON.readTree(line);
        seen.add(
                message.path("method").asString("answer")
                        + (message.has("params") ? " " + message.path("params") : ""));
        return play.lines(message);
    }

    /** The same server at an address; its sessions are one. */
    public String address() throws IOException {
        HttpServer http =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        http.createContext("/mcp", this::post);
        http.start();
        open.add(() -> http.stop(0));
        return "http://127.0.0.1:%d/mcp".formatted(http.getAddress().getPort());
    }

    private void post(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String session = exchange.getRequestHeaders().getFirst("Mcp-Session-Id");
            String secret = exchange.getRequestHeaders().getFirst("X-Secret");
            if (secret != null) {
                seen.add("with X-Secret " + secret);
            }
            if (forgetful && session != null) {
                forgetful = false;
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            List<String> answers = Objects.requireNonNull(answers(body));
            if (!body.contains("\"id\"")) {
                exchange.sendResponseHeaders(202, -1);
                return;
            }
            String text = asEvents ? events(answers) : String.join("", answers);
            exchange.getResponseHeaders().add("Mcp-Session-Id", "s1");
            exchange.getResponseHeaders()
                    .add("Content-Type", asEvents ? "text/event-stream" : "application/json");
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    private static String events(List<String> answers) {
        List<String> events = new ArrayList<>();
        events.add(": hello\n\n");
        events.add(
                "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n");
        answers.forEach(
                answer -> events.add("event: message\nid: 1\ndata: %s\n\n".formatted(answer)));
        return String.join("", events);
    }

    @Override
    public void close() {
        open.forEach(
                each -> {
                    try {
                        each.close();
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }
}
