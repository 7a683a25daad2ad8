package dev.skep.registry.service;

/** Somebody who hears what happens in the roster. */
public interface Subscriber {
    /** Takes a frame without waiting; false if it cannot. */
    boolean offer(String frame);

    /** Whether it never registered a node: a person may be watching. */
    boolean isDashboard();

    /** It could not take a frame, so what it knows is wrong from here on: it has to start again. */
    void fallBehind();
}
