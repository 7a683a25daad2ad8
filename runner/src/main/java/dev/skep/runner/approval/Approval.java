package dev.skep.runner.approval;

import dev.skep.kernel.id.AgentId;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A command and what was decided about it.
 *
 * @param id the log entry of the command
 * @param decidedBy who, or {@code timeout}; null while pending
 */
public record Approval(
        String id,
        AgentId agent,
        String command,
        Instant requestedAt,
        Instant expiresAt,
        Decision decision,
        @Nullable String decidedBy) {

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
