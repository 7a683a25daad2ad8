package dev.skep.transport.socket;

import java.nio.ByteBuffer;

/** Takes whole messages towards a peer, waiting while the peer is slow. Thread-safe. */
public interface MessageSender {
    /** Waits until there is room, then hands over; false if the channel is closed. */
    boolean send(String text) throws InterruptedException;

    /** A text as its bytes, which are not copied, so they must not change afterwards. */
    boolean sendUtf8(ByteBuffer text) throws InterruptedException;

    /** A binary message; its bytes are not copied, so they must not change afterwards. */
    boolean send(ByteBuffer bytes) throws InterruptedException;

    /** Closes after what was handed over, with the code that the peer is to see. */
    void close(int code, String reason);
}
