package dev.skep.agents.view;

/**
 * Money spent in one hour or day by one group.
 *
 * @param bucket the day as {@code 2026-11-15}, or the hour as {@code 2026-11-15T08}, in UTC
 * @param group an agent's id, a host's id or a model
 */
public record CostBucket(
        String bucket,
        String group,
        long calls,
        long micros,
        long inputTokens,
        long outputTokens,
        long cacheTokens) {}
