package dev.skep.transport.call;

import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import dev.skep.wire.Frame;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The two messages of a call, in JSON. */
final class CallFrames {
    static final String CALL = "call";
    static final String ANSWER = "answer";

    private CallFrames() {}

    /** A call as it arrived. */
    record Call(long id, String path, String body) {}

    /** An answer as it arrived. */
    record Answer(long id, int status, String body) {}

    static Frame call(long id, String path, byte[] body) {
        Map<String, @Nullable Object> message = message(CALL, id);
        message.put("path", path);
        message.put("body", Json.raw(new String(body, StandardCharsets.UTF_8)));
        return new Frame(false, Json.bytes(message));
    }

    static Frame answer(long id, int status, byte[] body) {
        Map<String, @Nullable Object> message = message(ANSWER, id);
        message.put("status", status);
        if (body.length > 0) {
            message.put("body", Json.raw(new String(body, StandardCharsets.UTF_8)));
        }
        return new Frame(false, Json.bytes(message));
    }

    static Call readCall(Frame frame) {
        JsonFields message = fields(frame);
        return new Call(message.number("id"), message.text("path"), body(message));
    }

    static Answer readAnswer(Frame frame) {
        JsonFields message = fields(frame);
        return new Answer(message.number("id"), (int) message.number("status"), body(message));
    }

    /** The type first, where links look for it. */
    private static Map<String, @Nullable Object> message(String type, long id) {
        Map<String, @Nullable Object> message = new LinkedHashMap<>();
        message.put("type", type);
        message.put("id", id);
        return message;
    }

    private static JsonFields fields(Frame frame) {
        return Json.fields(new String(frame.bytes(), StandardCharsets.UTF_8));
    }

    private static String body(JsonFields message) {
        Optional<String> body = message.json("body");
        return body.orElse("");
    }
}
