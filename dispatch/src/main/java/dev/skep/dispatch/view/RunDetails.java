package dev.skep.dispatch.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One attempt.
 *
 * @param result JSON
 * @param lateResult what its host reported after it was no longer the host's, JSON
 */
public record RunDetails(
        String id,
        String jobId,
        String hostId,
        int attempt,
        String status,
        boolean cancelAsked,
        @Nullable Instant dueAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable Object result,
        @Nullable Object lateResult) {}
