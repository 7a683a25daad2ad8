package dev.skep.supervisor.source;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that somebody should know; open until it is resolved.
 *
 * @param subject what it is about, as {@code host:} or {@code job:} and an id
 */
public record AlertView(
        String id,
        String kind,
        String subject,
        String message,
        Instant raisedAt,
        @Nullable Instant resolvedAt)
        implements Keyed {
    /** The same alert in other words. */
    public AlertView saying(String words) {
        return new AlertView(id, kind, subject, words, raisedAt, resolvedAt);
    }
}
