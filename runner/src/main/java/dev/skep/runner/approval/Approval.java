package dev.skep.runner.approval;

import dev.skep.agents.session.DecisionLine;
import dev.skep.kernel.id.AgentId;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command and what was decided about it.
 *
 * @param id the log entry of the command
 * @param decidedBy who, or {@code timeout}; null while pending
 * @param decidedThrough the hub that told the decision; null if it was made here
 */
public record Approval(
        String id,
        AgentId agent,
        String command,
        Instant requestedAt,
        Instant expiresAt,
        Decision decision,
        @Nullable String decidedBy,
        @Nullable String decidedThrough,
        @Nullable Instant decidedAt) {

    /** A command that nobody has decided about. */
    public static Approval asked(
            String id, AgentId agent, String command, Instant requestedAt, Instant expiresAt) {
        return new Approval(
                id, agent, command, requestedAt, expiresAt, Decision.PENDING, null, null, null);
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
                decidedThrough);
    }

    /** Who decided what nobody decided in time. */
    public static final String NOBODY = "timeout";

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
