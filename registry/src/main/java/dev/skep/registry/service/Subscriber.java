package dev.skep.registry.service;

import java.nio.ByteBuffer;

/** A receiver of changes of the roster. */
public interface Subscriber {
    /** Takes a frame of UTF-8 text without waiting; false if it cannot. */
    boolean offer(ByteBuffer frame);

    /** Nothing more follows for now. */
    void flush();

    /** Whether it never registered a node: a person may be watching. */
    boolean isDashboard();

    /** It could not take a frame, so what it knows is wrong from here on: it has to start again. */
    void dropped();
}
