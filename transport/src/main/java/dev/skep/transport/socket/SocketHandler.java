package dev.skep.transport.socket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What is done with one WebSocket. The methods are called one after the other, on threads that may
 * wait: the next message is read when the method has returned, so that waiting slows the peer.
 */
public interface SocketHandler {
    /** The reason of a connection that was cut since the peer gave no sign of life. */
    String SILENT = "no sign of life";

    /** The first call; nothing is read before it returns. */
    void opened(SocketSender socketSender) throws InterruptedException;

    void text(String message) throws InterruptedException;

    /** A whole text message as its bytes, for handlers that only pass it on. */
    default void utf8(ByteBuffer message) throws InterruptedException {
        text(
                new String(
                        message.array(),
                        message.arrayOffset() + message.position(),
                        message.remaining(),
                        StandardCharsets.UTF_8));
    }

    /** A whole binary message, for the handler to keep. */
    void binary(ByteBuffer message) throws InterruptedException;

    /** Part of a message came, and the rest is to come. */
    default void part() {}

    /** The peer sends a message longer than the limit; nothing more is read, so close it. */
    default void tooLarge(SocketSender socketSender, int limit) {
        socketSender.close(1009, "a message may have %,d bytes".formatted(limit));
    }

    /** The peer sent a ping; it has been answered. */
    void pinged();

    /**
     * The last call, exactly once; also for a socket that was never opened.
     *
     * @param code 1006 if the connection ended without a goodbye; the reason is then {@link
     *     #SILENT} or empty
     */
    void closed(int code, String reason);
}
