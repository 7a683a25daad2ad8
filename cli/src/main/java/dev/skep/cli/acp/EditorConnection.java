package dev.skep.cli.acp;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The writing side of the connection to an editor, a JSON object a line; thread-safe. */
final class EditorConnection {
    private final OutputStream out;
    private final AtomicLong nextId = new AtomicLong();
    private final Map<Long, CompletableFuture<JsonFields>> asked = new ConcurrentHashMap<>();

    EditorConnection(OutputStream out) {
        this.out = out;
    }

    /** A question to the editor that can be taken back. */
    record Question(long id, CompletableFuture<JsonFields> answer) {}

    void result(String id, Map<String, ?> result) {
        send(message("id", Json.raw(id), "result", result));
    }

    void error(String id, int code, String why) {
        send(message("id", Json.raw(id), "error", Map.of("code", code, "message", why)));
    }

    void update(String sessionId, Map<String, Object> update) {
        tell("session/update", Map.of("sessionId", sessionId, "update", update));
    }

    private void tell(String method, Map<String, Object> params) {
        send(message("method", method, "params", params));
    }

    Question ask(String method, Map<String, Object> params) {
        long id = nextId.getAndIncrement();
        var answer = new CompletableFuture<JsonFields>();
        asked.put(id, answer);
        Map<String, Object> message = message("method", method, "params", params);
        message.put("id", id);
        send(message);
        return new Question(id, answer);
    }

    /** The answer is not needed any more. */
    void takeBack(Question question) {
        if (asked.remove(question.id()) != null) {
            tell("$/cancel_request", Map.of("requestId", question.id()));
            question.answer().cancel(false);
        }
    }

    /** The editor has answered. */
    void answered(JsonFields message) {
        message.optionalNumber("id")
                .map(asked::remove)
                .ifPresent(waiting -> waiting.complete(message));
    }

    private static Map<String, Object> message(
            String first, @Nullable Object value, String second, Object other) {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("jsonrpc", "2.0");
        if (value != null) {
            message.put(first, value);
        }
        message.put(second, other);
        return message;
    }

    private void send(Map<String, Object> message) {
        byte[] json = Json.bytes(message);
        synchronized (out) {
            try {
                out.write(json);
                out.write('\n');
                out.flush();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
