package dev.skep.dispatch.host;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A host as people see it.
 *
 * @param lastMetrics JSON
 * @param labels JSON
 * @param allows what it lets this hub do; null if it has not reported it
 * @param updatedAt when an operator last changed what hosts do not report themselves
 * @param degradedReason why it is degraded, or will be when it is back; null if it is not
 */
public record HostDetails(
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
        int running,
        Instant createdAt,
        Instant updatedAt,
        @Nullable List<String> allows) {}
