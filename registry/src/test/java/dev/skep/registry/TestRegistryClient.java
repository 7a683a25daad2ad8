package dev.skep.registry;

import dev.skep.testkit.RawWebSocket;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the registry socket, agent and dashboard in one. */
public final class TestRegistryClient implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    public final RawWebSocket socket;
    public final BlockingQueue<JsonNode> events = new LinkedBlockingQueue<>();
    public final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private final Map<String, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
    private final BlockingQueue<JsonNode> others = new LinkedBlockingQueue<>();
    private final AtomicInteger ids = new AtomicInteger();

    public TestRegistryClient(int port, String path, String... headers) throws IOException {
        socket = RawWebSocket.connect(port, path, headers);
        Thread.startVirtualThread(this::read);
    }

    public TestRegistryClient(int port) throws IOException {
        this(port, "/ws");
    }

    private void read() {
        try {
            for (RawWebSocket.Frame frame = socket.message();
                    frame != null;
                    frame = socket.message()) {
                if (frame.opcode() == RawWebSocket.CLOSE) {
                    closed.complete(frame.code());
                    return;
                }
                JsonNode json = JSON.readTree(frame.text());
                if (json.has("event")) {
                    events.add(json);
                } else if (json.path("id").isString()) {
                    answer(json.path("id").stringValue()).complete(json);
                } else {
                    others.add(json);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            closed.complete(1006);
            answers.values()
                    .forEach(
                            answer ->
                                    answer.completeExceptionally(
                                            new IOException("the connection ended")));
        }
    }

    private CompletableFuture<JsonNode> answer(String id) {
        return answers.computeIfAbsent(id, key -> new CompletableFuture<>());
    }

    /** Sends a request without waiting for the answer. */
    public CompletableFuture<JsonNode> send(String method, @Nullable String params) {
        String id = "r" + ids.incrementAndGet();
        CompletableFuture<JsonNode> answer = answer(id);
        String rest = params == null ? "" : ",\"params\":" + params;
        frame("{\"id\":\"%s\",\"method\":\"%s\"%s}".formatted(id, method, rest));
        return answer;
    }

    public void frame(String text) {
        try {
            socket.text(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole answer. */
    public JsonNode ask(String method, @Nullable String params) {
        return await(send(method, params));
    }

    public static JsonNode await(CompletableFuture<JsonNode> answer) {
        try {
            return answer.get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    public JsonNode call(String method, @Nullable String params) {
        JsonNode answer = ask(method, params);
        if (!answer.has("result")) {
            throw new AssertionError("refused: " + answer);
        }
        return answer.path("result");
    }

    public String error(String method, @Nullable String params) {
        return ask(method, params).path("error").asString("no error");
    }

    /** An answer without an id. */
    public JsonNode answerWithoutId() throws InterruptedException {
        JsonNode answer = others.poll(20, TimeUnit.SECONDS);
        if (answer == null) {
            throw new AssertionError("no answer");
        }
        return answer;
    }

    public void register(String id, String machine, int port) {
        call("register", registration(id, machine, port));
    }

    public static String registration(String id, String machine, int port) {
        return """
                {"id":"%s","machine":"%s","cwd":"/work","port":%d,"status":"active","pid":42}"""
                .formatted(id, machine, port);
    }

    public JsonNode event() throws InterruptedException {
        JsonNode event = events.poll(20, TimeUnit.SECONDS);
        if (event == null) {
            throw new AssertionError("no event came");
        }
        return event;
    }

    /** The next event of that name; others are skipped. */
    public JsonNode event(String name) throws InterruptedException {
        while (true) {
            JsonNode event = event();
            if (event.path("event").asString("").equals(name)) {
                return event;
            }
        }
    }

    /** Name and node of the next event, as in {@code node_joined a}. */
    public String eventLine() throws InterruptedException {
        JsonNode event = event();
        String id =
                event.has("node")
                        ? event.path("node").path("id").asString("")
                        : event.path("id").asString("");
        return (event.path("event").asString("") + " " + id).strip();
    }

    /** The status of a node, or {@code unknown}. */
    public String statusOf(String id) {
        for (JsonNode node : call("list_nodes", null)) {
            if (node.path("id").asString().equals(id)) {
                return node.path("status").asString();
            }
        }
        return "unknown";
    }

    /** Waits until everything the registry did for this client before is told. */
    public void settle() {
        call("ping", null);
    }

    public void ping() throws IOException {
        socket.ping();
    }

    /** Goes away without a goodbye. */
    public void leave() {
        socket.cut();
    }

    @Override
    public void close() {
        leave();
    }
}
