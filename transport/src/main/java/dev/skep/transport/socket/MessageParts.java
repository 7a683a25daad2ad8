package dev.skep.transport.socket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Puts the frames of one message together, as bytes and up to a limit. */
final class MessageParts {
    private final int limit;
    private ByteArrayOutputStream parts = new ByteArrayOutputStream(0);
    private boolean text;

    MessageParts(int limit) {
        this.limit = limit;
    }

    void begin(boolean isText) {
        text = isText;
    }

    boolean isText() {
        return text;
    }

    /** Whether the message has room for the part. */
    boolean fits(ByteBuffer part) {
        return parts.size() + part.remaining() <= limit;
    }

    /** Takes a copy of the part. */
    void add(ByteBuffer part) {
        parts.writeBytes(copy(part).array());
    }

    /** The message with its last part, for the receiver to keep. */
    ByteBuffer whole(ByteBuffer last) {
        if (parts.size() == 0) {
            return copy(last);
        }
        add(last);
        ByteBuffer whole = ByteBuffer.wrap(parts.toByteArray());
        clear();
        return whole;
    }

    void clear() {
        parts = new ByteArrayOutputStream(0);
    }

    static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }
}
