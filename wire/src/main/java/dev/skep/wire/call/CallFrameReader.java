package dev.skep.wire.call;

import dev.skep.kernel.error.ErrorCode;
import dev.skep.kernel.error.SkepException;
import dev.skep.wire.Frame;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Reads a frame in one pass, its fields in any order; the body is passed on as it came. What cannot
 * be read is refused.
 */
final class CallFrameReader {
    private final byte[] source;
    private @Nullable Long id;
    private @Nullable Long status;
    private @Nullable String path;
    private String body = "";

    private CallFrameReader(byte[] source) {
        this.source = source;
    }

    static CallFrameReader read(Frame frame) {
        CallFrameReader reader = new CallFrameReader(frame.bytes());
        try (JsonParser in = CallJson.parser(frame.bytes())) {
            reader.readObject(in);
        } catch (JacksonException e) {
            // Without the cause: it quotes the text, which may hold a secret.
            throw unreadable();
        }
        return reader;
    }

    private void readObject(JsonParser in) {
        if (in.nextToken() != JsonToken.START_OBJECT) {
            throw unreadable();
        }
        for (String name = in.nextName(); name != null; name = in.nextName()) {
            JsonToken value = in.nextToken();
            switch (name) {
                case "id" -> id = number(in, value);
                case "status" -> status = number(in, value);
                case "path" -> path = text(in, value);
                case "body" -> body = raw(in, value);
                default -> in.skipChildren();
            }
        }
        if (in.currentToken() != JsonToken.END_OBJECT || in.nextToken() != null) {
            throw unreadable();
        }
    }

    long id() {
        return present(id);
    }

    long status() {
        return present(status);
    }

    String path() {
        return present(path);
    }

    /** JSON, or empty for none. */
    String body() {
        return body;
    }

    private static <T> T present(@Nullable T field) {
        if (field == null) {
            throw unreadable();
        }
        return field;
    }

    private static long number(JsonParser in, JsonToken value) {
        if (value != JsonToken.VALUE_NUMBER_INT) {
            throw unreadable();
        }
        return in.getLongValue();
    }

    private static String text(JsonParser in, JsonToken value) {
        if (value != JsonToken.VALUE_STRING) {
            throw unreadable();
        }
        return in.getString();
    }

    private String raw(JsonParser in, JsonToken value) {
        if (value == JsonToken.VALUE_NULL) {
            return "";
        }
        int from = (int) in.currentTokenLocation().getByteOffset();
        in.skipChildren();
        in.finishToken();
        int to = (int) in.currentLocation().getByteOffset();
        return new String(source, from, to - from, StandardCharsets.UTF_8);
    }

    private static SkepException unreadable() {
        return new SkepException(ErrorCode.BAD_REQUEST, "this is no call as we read them");
    }
}
