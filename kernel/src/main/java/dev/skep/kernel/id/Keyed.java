package dev.skep.kernel.id;

/** A row of a list that people watch; two readings of a row are the same if they are equal. */
public interface Keyed {
    /** What identifies the row in its list, on a page too. */
    String id();
}
