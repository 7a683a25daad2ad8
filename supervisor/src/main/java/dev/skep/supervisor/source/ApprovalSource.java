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
     * @param expiresAt when it is denied by itself; null where only its host knows
     */
    record Waiting(
            String id,
            String agent,
            String command,
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
            Instant requestedAt,
            boolean approved,
            @Nullable String by,
            @Nullable String through,
            Instant at) {}

    List<Waiting> waiting(Principal principal);

    /** The newest first. */
    List<Decided> decided(Principal principal, int limit);

    /** Approves or denies; refused if it was decided already or has expired. */
    Outcome decide(Actor actor, ApprovalId id, boolean approve);
}
