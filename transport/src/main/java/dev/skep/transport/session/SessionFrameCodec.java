package dev.skep.transport.session;

import dev.skep.wire.Frame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sessions' items as frames of a link. */
final class SessionFrameCodec {
    static final byte TAG = 'S';

    private static final byte OPEN = 1;
    private static final byte TEXT = 2;
    private static final byte LAST_TEXT = 3;
    private static final byte BINARY = 4;
    private static final byte LAST_BINARY = 5;
    private static final byte CREDIT = 6;
    private static final byte CLOSE = 7;

    private static final int HEADER = 1 + 1 + Integer.BYTES;

    private SessionFrameCodec() {}

    /** An item and the session it belongs to. */
    record Addressed(int session, SessionMessage item) {}

    static Frame frame(int session, SessionMessage sessionMessage) {
        return switch (sessionMessage) {
            case SessionMessage.Open(String target) -> frame(OPEN, session, utf8(target));
            case SessionMessage.Part(boolean text, boolean last, ByteBuffer bytes) ->
                    frame(kind(text, last), session, bytes.duplicate());
            case SessionMessage.Credit(int bytes) ->
                    frame(CREDIT, session, ByteBuffer.allocate(Integer.BYTES).putInt(bytes).flip());
            case SessionMessage.Close(int code, String reason) -> {
                ByteBuffer text = utf8(reason);
                ByteBuffer body = ByteBuffer.allocate(Short.BYTES + text.remaining());
                yield frame(CLOSE, session, body.putShort((short) code).put(text).flip());
            }
        };
    }

    private static byte kind(boolean text, boolean last) {
        if (text) {
            return last ? LAST_TEXT : TEXT;
        }
        return last ? LAST_BINARY : BINARY;
    }

    private static Frame frame(byte kind, int session, ByteBuffer body) {
        byte[] bytes = new byte[HEADER + body.remaining()];
        ByteBuffer.wrap(bytes).put(TAG).put(kind).putInt(session).put(body);
        return new Frame(true, bytes);
    }

    /** Empty if it is no frame of ours. */
    static Optional<Addressed> read(Frame frame) {
        ByteBuffer bytes = ByteBuffer.wrap(frame.bytes());
        if (bytes.remaining() < HEADER) {
            return Optional.empty();
        }
        bytes.get();
        byte kind = bytes.get();
        int session = bytes.getInt();
        return Optional.ofNullable(item(kind, bytes.slice()))
                .map(sessionMessage -> new Addressed(session, sessionMessage));
    }

    private static @Nullable SessionMessage item(byte kind, ByteBuffer body) {
        return switch (kind) {
            case OPEN -> new SessionMessage.Open(text(body));
            case TEXT -> new SessionMessage.Part(true, false, body);
            case LAST_TEXT -> new SessionMessage.Part(true, true, body);
            case BINARY -> new SessionMessage.Part(false, false, body);
            case LAST_BINARY -> new SessionMessage.Part(false, true, body);
            case CREDIT ->
                    body.remaining() == Integer.BYTES
                            ? new SessionMessage.Credit(body.getInt())
                            : null;
            case CLOSE ->
                    body.remaining() >= Short.BYTES
                            ? new SessionMessage.Close(
                                    Short.toUnsignedInt(body.getShort()), text(body))
                            : null;
            default -> null;
        };
    }

    private static ByteBuffer utf8(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteBuffer utf8) {
        return StandardCharsets.UTF_8.decode(utf8).toString();
    }
}
