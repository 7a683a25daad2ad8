package dev.skep.supervisor.source;

import dev.skep.kernel.id.ApprovalId;
import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.AgentControls.Outcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands that wait for a person's yes. */
public interface ApprovalSource {
    /**
     * A command an agent wants to run.
     *
     * @param agent its id
     * @param detail what else is known of it, as a JSON object from its host
     * @param expiresAt when it is denied by itself; null where only its host knows
     */
    record Waiting(
            String id,
            String agent,
            String command,
            @Nullable String detail,
            Instant requestedAt,
            @Nullable Instant expiresAt) {}

    /**
     * A command that waited, and what became of it.
     *
     * @param by who decided; null if the time ran out
     * @param through the hub that sent it to the host; null if it was decided there
     */
    record Decided(
            String id,
            String agent,
            String command,
            @Nullable String detail,
            Instant requestedAt,
            boolean approved,
            @Nullable String by,
            @Nullable String through,
            boolean always,
            @Nullable String reason,
            Instant at) {}

    /** What a person says to it; hosts need the consent {@code agents} for always. */
    enum Choice {
        APPROVE,
        ALWAYS,
        DENY
    }

    /**
     * What a person says to it, and why.
     *
     * @param reason of a denial, which the agent gets
     */
    record Answer(Choice choice, @Nullable String reason) {}

    List<Waiting> waiting(Principal principal);

    /** The newest first. */
    List<Decided> decided(Principal principal, int limit);

    /** Approves or denies; refused if it was decided already or has expired. */
    Outcome decide(Actor actor, ApprovalId id, Answer answer);
}
