package dev.skep.transport.socket;

import java.nio.ByteBuffer;

/** Receives what a peer sends, one message at a time; taking its time slows the peer. */
public interface MessageReceiver {
    /** The first call; nothing else is received before it returns. */
    default void opened(MessageSender back) throws InterruptedException {}

    /** A text as its bytes, for the receiver to keep. */
    void text(ByteBuffer utf8) throws InterruptedException;

    /** A binary message, for the receiver to keep. */
    void binary(ByteBuffer message) throws InterruptedException;

    /**
     * The last call, exactly once, whichever side ended it.
     *
     * @param code 1006 if it ended without a goodbye
     */
    void closed(int code, String reason);
}
