package dev.skep.sync.hub;

import java.time.Duration;

/**
 * How many bytes of rows a page may hold that goes one way over one link: about as many as the link
 * carries in a second. It begins small, so that a slow link gets somewhere with its first page, and
 * learns from each page that was full. Knows no clock and does no I/O; not thread-safe.
 */
final class PageSizer {
    static final Duration TARGET = Duration.ofSeconds(1);

    static final long FIRST = 64 << 10;

    /** Smaller ones would cost more in questions than they carry. */
    static final long LEAST = 4 << 10;

    /** A page grows by at most this factor: a short one predicts little about a long one. */
    private static final double MOST_GROWTH = 8;

    /** What is as near to the target is left as it is, and can be read ahead. */
    private static final double NEAR = 1.25;

    private final long most;
    private long bytes;

    PageSizer(long most) {
        this.most = most;
        this.bytes = Math.min(FIRST, most);
    }

    long bytes() {
        return bytes;
    }

    /** A page of the allowed size took this long, until its end was known. */
    void carried(Duration took) {
        double millis = Math.max(1, took.toMillis());
        double change = Math.min(MOST_GROWTH, TARGET.toMillis() / millis);
        if (change > NEAR || change < 1 / NEAR) {
            bytes = Math.min(most, Math.max(LEAST, Math.round(bytes * change)));
        }
    }
}
