package dev.skep.agents;

import dev.skep.kernel.id.AgentId;
import dev.skep.store.feed.RowCodec;
import dev.skep.store.feed.RowColumns;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The current public state of an agent.
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
    /** The reason of an agent that was paused because it repeats itself. */
    public static final String IN_CIRCLES = "goes in circles";

    public static final RowCodec<Notification> ROWS =
            RowCodec.<Notification>of(AgentTables.USER_NOTIFICATIONS)
                    .column("user_id", row -> row.agent().value())
                    .column("latest_log_id", Notification::latestLogId)
                    .column("latest_mail_id", Notification::latestMailId)
                    .column("last_active", Notification::lastActive)
                    .column("status", row -> row.status().stored())
                    .column("budget_left", Notification::budgetLeft)
                    .column("status_reason", Notification::reason)
                    .reads(Notification::read);

    private static Notification read(RowColumns row) {
        String status = row.textOrNull("status");
        return new Notification(
                AgentId.stored(row.text("user_id")),
                row.textOrNull("latest_log_id"),
                row.textOrNull("latest_mail_id"),
                row.timeOrNull("last_active"),
                AgentStatus.of(status == null ? "" : status),
                row.numberOrNull("budget_left"),
                row.textOrNull("status_reason"));
    }

    /** It travels to every host; the log has the rest. */
    private static final int LONGEST_REASON = 500;

    public Notification {
        if (reason != null && reason.length() > LONGEST_REASON) {
            reason = reason.substring(0, LONGEST_REASON) + "…";
        }
    }
}
