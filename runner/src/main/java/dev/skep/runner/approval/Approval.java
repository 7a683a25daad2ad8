package dev.skep.runner.approval;

import dev.skep.agents.session.DecisionLine;
import dev.skep.kernel.id.AgentId;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command, or another deed of an agent, and what was decided about it.
 *
 * @param id the log entry of the command
 * @param command what people read first and what the agent's rules are matched against: a command,
 *     or the path of an edit
 * @param detail what else is known, as a JSON object that {@link ApprovalDetail} writes
 * @param decidedBy who, or {@code timeout}; null while pending
 * @param decidedThrough the hub that told the decision; null if it was made here
 * @param always whether the yes holds for later ones too
 * @param reason why it was denied, in the words of who denied it
 */
public record Approval(
        String id,
        AgentId agent,
        String command,
        @Nullable String detail,
        Instant requestedAt,
        Instant expiresAt,
        Decision decision,
        @Nullable String decidedBy,
        @Nullable String decidedThrough,
        @Nullable Instant decidedAt,
        boolean always,
        @Nullable String reason) {

    /** A command that nobody has decided about. */
    public static Approval asked(
            String id,
            AgentId agent,
            String command,
            @Nullable String detail,
            Instant requestedAt,
            Instant expiresAt) {
        return new Approval(
                id,
                agent,
                command,
                detail,
                requestedAt,
                expiresAt,
                Decision.PENDING,
                null,
                null,
                null,
                false,
                null);
    }

    /** Whether it is this agent's command that people see and decide about. */
    public boolean isAbout(AgentId asking, String asked) {
        return agent.equals(asking) && command.equals(asked);
    }

    /** What the log says of it once it is decided. */
    public DecisionLine line() {
        return new DecisionLine(
                decision == Decision.APPROVED,
                NOBODY.equals(decidedBy) ? null : decidedBy,
                decidedThrough,
                always,
                reason);
    }

    /** What the agent is told of it if it may not. */
    public String refusal() {
        if (NOBODY.equals(decidedBy)) {
            return "denied: nobody approved it in time";
        }
        return reason == null ? "denied by a person" : "denied by a person: " + reason;
    }

    /** Who decided what nobody decided in time. */
    public static final String NOBODY = "timeout";

    /** Who decided about what nobody can decide any more. */
    public static final String RUNNER = "the runner";

    /** Where an approval stands. */
    public enum Decision {
        PENDING,
        APPROVED,
        DENIED;

        String stored() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Decision of(String stored) {
            return switch (stored) {
                case "pending" -> PENDING;
                case "approved" -> APPROVED;
                default -> DENIED;
            };
        }
    }
}
