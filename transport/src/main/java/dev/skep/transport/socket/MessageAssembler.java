package dev.skep.transport.socket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** Puts the parts of one message together, as bytes and up to a limit. Not thread-safe. */
public final class MessageAssembler {
    private final int limit;
    private ByteArrayOutputStream parts = new ByteArrayOutputStream(0);
    private boolean text;

    public MessageAssembler(int limit) {
        this.limit = limit;
    }

    public void begin(boolean isText) {
        text = isText;
    }

    public boolean isText() {
        return text;
    }

    /** Whether the message has room for the part. */
    public boolean fits(ByteBuffer part) {
        return parts.size() + part.remaining() <= limit;
    }

    /** Takes a copy of the part. */
    public void add(ByteBuffer part) {
        parts.writeBytes(copy(part).array());
    }

    /** The message with its last part, for the receiver to keep. */
    public ByteBuffer whole(ByteBuffer last) {
        if (parts.size() == 0) {
            return copy(last);
        }
        add(last);
        ByteBuffer whole = ByteBuffer.wrap(parts.toByteArray());
        clear();
        return whole;
    }

    public void clear() {
        parts = new ByteArrayOutputStream(0);
    }

    static ByteBuffer copy(ByteBuffer bytes) {
        return ByteBuffer.allocate(bytes.remaining()).put(bytes).flip();
    }
}
