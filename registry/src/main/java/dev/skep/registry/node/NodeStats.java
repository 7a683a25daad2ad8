package dev.skep.registry.node;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counts about one node since it first registered.
 *
 * @param countedUntil up to when uptime has been counted; null if it never was
 */
public record NodeStats(
        String nodeId,
        long messagesRelayed,
        long proxySessions,
        long totalUptimeSeconds,
        long errors,
        @Nullable Instant countedUntil) {}
