package dev.skep.agents;

import dev.skep.kernel.id.AgentId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What everybody may know about an agent right now.
 *
 * @param budgetLeft micro-dollars until its limit, null without one
 */
public record Notification(
        AgentId agent,
        @Nullable String latestLogId,
        @Nullable String latestMailId,
        @Nullable Instant lastActive,
        AgentStatus status,
        @Nullable Long budgetLeft) {}
