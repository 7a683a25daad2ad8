package dev.skep.supervisor.source;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One attempt of a job. */
public record RunView(
        String id,
        int attempt,
        String host,
        String status,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable String result) {}
