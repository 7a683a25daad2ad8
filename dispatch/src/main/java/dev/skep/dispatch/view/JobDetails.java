package dev.skep.dispatch.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A job with its newest run. */
public record JobDetails(
        String id,
        String hostId,
        @Nullable String serverInstanceId,
        String type,
        @Nullable Object payload,
        int priority,
        @Nullable Long timeoutSeconds,
        int maxAttempts,
        @Nullable Instant runAt,
        String createdById,
        Instant createdAt,
        String status,
        RunDetails run) {}
