package dev.skep.supervisor.source;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that somebody should know; open until it is resolved. */
public record AlertView(
        String id,
        String kind,
        String subject,
        String message,
        Instant raisedAt,
        @Nullable Instant resolvedAt)
        implements Keyed {}
