package dev.skep.transport.link;

import dev.skep.wire.Frame;

/** One open link, as a kind of traffic uses it. Thread-safe. */
public interface Link {
    /**
     * Sends ahead of everything in the bulk lane; never blocks. False if the link is closed, or if
     * so many urgent frames wait that the peer cannot be reading: then it is cut.
     */
    boolean urgent(Frame frame);

    /**
     * The same.
     *
     * @param unsent runs if this answered true and the link ended before the frame was written;
     *     must not block
     */
    boolean urgent(Frame frame, Runnable unsent);

    /** Sends in order with other bulk; waits for room, and is false once the link is closed. */
    boolean send(Frame frame) throws InterruptedException;

    /**
     * As {@link #send}, in a lane of its own that takes turns with bulk, frame by frame: neither
     * waits behind more than one frame of the other. For many small frames.
     */
    boolean stream(Frame frame) throws InterruptedException;

    /** Closes after what was sent before; the peer receives the reason. */
    void close(String reason);
}
