package dev.skep.app.retention;

import java.time.Duration;

/**
 * One kind of rows and how they are purged.
 *
 * @param named for logs of what was done
 */
public record RetentionRule(Duration keep, String named, Purge purge) {
    /** Deletes what has been here for longer, piece by piece, and returns how many rows went. */
    @FunctionalInterface
    public interface Purge {
        long olderThan(Duration keep);
    }
}
