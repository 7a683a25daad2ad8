package dev.skep.dispatch.alert;

import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An alert as people see it; open until it is resolved.
 *
 * @param subject what it is about, as {@code host:} or {@code job:} and an id
 */
public record AlertDetails(
        String id,
        String kind,
        String subject,
        String message,
        Instant raisedAt,
        @Nullable Instant resolvedAt)
        implements Keyed {
    public AlertDetails withMessage(String other) {
        return new AlertDetails(id, kind, subject, other, raisedAt, resolvedAt);
    }
}
