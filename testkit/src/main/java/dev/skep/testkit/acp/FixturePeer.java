package dev.skep.testkit.acp;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The agent's writing side: answers, updates, and requests of its own, numbered from 0. */
final class FixturePeer {
    private final OutputStream out;
    private final AtomicLong nextId = new AtomicLong();
    private final Map<Long, CompletableFuture<Map<String, Object>>> asked =
            new ConcurrentHashMap<>();

    FixturePeer(OutputStream out) {
        this.out = out;
    }

    void result(@Nullable Object id, Object result) {
        send(FixtureJson.of("jsonrpc", "2.0", "id", id, "result", result));
    }

    void error(@Nullable Object id, int code, String message) {
        send(
                FixtureJson.of(
                        "jsonrpc",
                        "2.0",
                        "id",
                        id,
                        "error",
                        FixtureJson.of("code", code, "message", message)));
    }

    void tell(String method, Object params) {
        send(FixtureJson.of("jsonrpc", "2.0", "method", method, "params", params));
    }

    void update(String session, Map<String, Object> update) {
        tell("session/update", FixtureJson.of("sessionId", session, "update", update));
    }

    /** Asks the client; the future has its whole answer. */
    CompletableFuture<Map<String, Object>> ask(String method, Object params) {
        long id = nextId.getAndIncrement();
        CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
        asked.put(id, answer);
        send(FixtureJson.of("jsonrpc", "2.0", "id", id, "method", method, "params", params));
        return answer;
    }

    void answered(Map<String, Object> message) {
        if (message.get("id") instanceof Long id) {
            CompletableFuture<Map<String, Object>> waiting = asked.remove(id);
            if (waiting != null) {
                waiting.complete(message);
            }
        }
    }

    private void send(Object message) {
        raw(FixtureJson.write(message) + "\n");
    }

    /** Whatever it is. */
    void raw(String text) {
        raw(text.getBytes(StandardCharsets.UTF_8));
    }

    synchronized void raw(byte[] bytes) {
        try {
            out.write(bytes);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
