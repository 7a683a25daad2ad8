package dev.skep.agents.view;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A run session in a list of all; lines and money are at most a minute old. */
public record SessionRow(
        String agent,
        String run,
        int session,
        String host,
        @Nullable String model,
        long lines,
        long cost,
        Instant startedAt,
        Instant lastActive,
        @Nullable String endedReason) {}
