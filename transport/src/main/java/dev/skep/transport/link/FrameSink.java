package dev.skep.transport.link;

import dev.skep.wire.Frame;

/** The outgoing side of a socket, whichever library it comes from. */
interface FrameSink {
    /**
     * Waits until the frame can be written; false if the socket is closed.
     *
     * @param unsent runs if this answered true and the socket broke before the frame was out
     */
    boolean write(Frame frame, Runnable unsent) throws InterruptedException;

    void close(String reason);

    /** Ends the connection at once, for a peer that does not listen. */
    void cut();
}
