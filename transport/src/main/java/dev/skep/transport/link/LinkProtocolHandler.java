package dev.skep.transport.link;

import dev.skep.wire.Frame;

/** What one kind of traffic does with one link. Calls come one after the other. */
public interface LinkProtocolHandler {
    /**
     * A frame this traffic takes. All traffic of the link waits while this runs, so whatever takes
     * long belongs into a {@link SerialExecutor}.
     */
    void received(Frame frame) throws InterruptedException;

    /**
     * Part of a frame came or left, of whatever traffic; about once a second, from any thread, and
     * not to be waited in. The frame may be long in coming: a slow link is not a silent one.
     */
    default void progressed() {}

    /** The last call, exactly once. */
    void closed(String reason);
}
