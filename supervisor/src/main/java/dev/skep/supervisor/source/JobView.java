package dev.skep.supervisor.source;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job with the state of its newest run.
 *
 * @param summary what it does or did, in a few words
 * @param problem why its newest run failed, in its host's words
 */
public record JobView(
        String id,
        String type,
        String host,
        @Nullable String server,
        String status,
        int attempt,
        int priority,
        Instant createdAt,
        String createdBy,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String summary,
        @Nullable String problem)
        implements Keyed {}
