package dev.skep.sync;

import dev.skep.wire.Message;

/** The socket of a link, as its state machine uses it. */
public interface SyncConnection {
    /** Hands a message to the socket; it may be lost, which ends the link. */
    void send(Message message);

    /** Ends the link; the reason is for the log. */
    void close(String reason);
}
