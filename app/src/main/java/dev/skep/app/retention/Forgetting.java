package dev.skep.app.retention;

import dev.skep.app.config.Kept;
import java.time.Instant;

/**
 * One kind of rows and how they are forgotten.
 *
 * @param named for logs of what was done
 */
public record Forgetting(Kept kind, String named, Purge purge) {
    /** Deletes what is older than a time, piece by piece, and says how many rows went. */
    @FunctionalInterface
    public interface Purge {
        int before(Instant horizon);
    }
}
