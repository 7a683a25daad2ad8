package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;
import dev.skep.supervisor.source.ApprovalSource;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A command that waits for approval, or waited.
 *
 * @param decision {@code pending}, {@code approved} or {@code denied}
 * @param decidedBy null while it waits, and if the time ran out
 * @param decidedThrough the hub that sent it to the host; null if it was decided there
 */
public record ApprovalView(
        String id,
        String agent,
        String agentName,
        String command,
        Instant requestedAt,
        @Nullable Instant expiresAt,
        String decision,
        @Nullable String decidedBy,
        @Nullable String decidedThrough,
        @Nullable Instant decidedAt)
        implements Keyed {

    static ApprovalView of(ApprovalSource.Waiting waiting, DisplayNames names) {
        return new ApprovalView(
                waiting.id(),
                waiting.agent(),
                names.agent(waiting.agent()),
                waiting.command(),
                waiting.requestedAt(),
                waiting.expiresAt(),
                "pending",
                null,
                null,
                null);
    }

    static ApprovalView of(ApprovalSource.Decided decided, DisplayNames names) {
        return new ApprovalView(
                decided.id(),
                decided.agent(),
                names.agent(decided.agent()),
                decided.command(),
                decided.requestedAt(),
                null,
                decided.approved() ? "approved" : "denied",
                decided.by(),
                decided.through(),
                decided.at());
    }
}
