package dev.skep.dispatch.host;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A host as people see it.
 *
 * @param lastMetrics JSON
 * @param labels JSON
 */
public record HostView(
        String id,
        String name,
        String status,
        boolean silent,
        @Nullable Instant statusSince,
        @Nullable Instant lastHeartbeatAt,
        @Nullable String agentVersion,
        @Nullable Object lastMetrics,
        @Nullable Object labels,
        @Nullable String degradedReason,
        int maxConcurrent,
        @Nullable Integer jobsPerMinute,
        int running) {}
