package dev.skep.agents;

import dev.skep.kernel.id.AgentId;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What everybody may know about an agent right now.
 *
 * @param budgetLeft micro-dollars until its limit, null without one
 * @param reason why it is so, in words for people; null where that needs no reason
 */
public record Notification(
        AgentId agent,
        @Nullable String latestLogId,
        @Nullable String latestMailId,
        @Nullable Instant lastActive,
        AgentStatus status,
        @Nullable Long budgetLeft,
        @Nullable String reason) {
    /** It travels to every host; the log has the rest. */
    private static final int LONGEST_REASON = 500;

    public Notification {
        if (reason != null && reason.length() > LONGEST_REASON) {
            reason = reason.substring(0, LONGEST_REASON) + "…";
        }
    }
}
