package dev.skep.supervisor.live;

/** A row of a topic; two readings of a row are the same if they are equal. */
public interface Keyed {
    /** What identifies the row in its topic, on the page too. */
    String id();
}
