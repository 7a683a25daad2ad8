package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;
import dev.skep.supervisor.source.ApprovalSource;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A command that waits for approval, or waited.
 *
 * @param title what it is in the words of the agent's runtime, where it has one
 * @param kind as runtimes name it: edit, execute, fetch and others
 * @param path the file it is about
 * @param diff what it would change
 * @param longDiff whether the log has more of the diff than is here
 * @param mayAlways whether the yes can be given for later ones too, as the host's consent says
 * @param decision {@code pending}, {@code approved} or {@code denied}
 * @param decidedBy null while it waits, and if the time ran out
 * @param decidedThrough the hub that sent it to the host; null if it was decided there
 * @param always whether the yes holds for later ones too
 * @param reason why it was denied
 */
public record ApprovalView(
        String id,
        String agent,
        String agentName,
        String command,
        @Nullable String title,
        @Nullable String kind,
        @Nullable String path,
        List<AskedDetail.Change> diff,
        boolean longDiff,
        boolean mayAlways,
        Instant requestedAt,
        @Nullable Instant expiresAt,
        String decision,
        @Nullable String decidedBy,
        @Nullable String decidedThrough,
        boolean always,
        @Nullable String reason,
        @Nullable Instant decidedAt)
        implements Keyed {

    static ApprovalView of(ApprovalSource.Waiting waiting, DisplayNames names, boolean mayAlways) {
        AskedDetail detail = AskedDetail.of(waiting.detail());
        String command = Objects.requireNonNullElse(detail.command(), waiting.command());
        return new ApprovalView(
                waiting.id(),
                waiting.agent(),
                names.agent(waiting.agent()),
                command,
                detail.title(),
                detail.kind(),
                detail.path(),
                detail.diff(),
                detail.isLong(),
                mayAlways && !command.contains("*"),
                waiting.requestedAt(),
                waiting.expiresAt(),
                "pending",
                null,
                null,
                false,
                null,
                null);
    }

    /** Without the diff, which the log has. */
    static ApprovalView of(ApprovalSource.Decided decided, DisplayNames names) {
        AskedDetail detail = AskedDetail.of(decided.detail());
        return new ApprovalView(
                decided.id(),
                decided.agent(),
                names.agent(decided.agent()),
                Objects.requireNonNullElse(detail.command(), decided.command()),
                detail.title(),
                detail.kind(),
                detail.path(),
                List.of(),
                false,
                false,
                decided.requestedAt(),
                null,
                decided.approved() ? "approved" : "denied",
                decided.by(),
                decided.through(),
                decided.always(),
                decided.reason(),
                decided.at());
    }
}
