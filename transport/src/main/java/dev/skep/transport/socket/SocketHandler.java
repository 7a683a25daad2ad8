package dev.skep.transport.socket;

import java.nio.ByteBuffer;

/**
 * What is done with one WebSocket. The methods are called one after the other, on threads that may
 * wait: the next message is read when the method has returned, so that waiting slows the peer.
 */
public interface SocketHandler {
    /** The first call; nothing is read before it returns. */
    void opened(Outgoing outgoing) throws InterruptedException;

    void text(String message) throws InterruptedException;

    /** A whole binary message, for the handler to keep. */
    void binary(ByteBuffer message) throws InterruptedException;

    /** The peer sends a message longer than the limit; the socket closes after this. */
    default void tooLarge(long limit) {
        // closing it is enough
    }

    /** The peer sent a ping; it has been answered. */
    void pinged();

    /**
     * The last call, exactly once; also for a socket that was never opened.
     *
     * @param code 1006 if the connection ended without a goodbye
     */
    void closed(int code, String reason);
}
