package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.live.Keyed;
import dev.skep.supervisor.source.AgentControls.Outcome;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Commands that wait for a person's yes. */
public interface Approvals {
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
            @Nullable Instant expiresAt)
            implements Keyed {}

    List<Waiting> waiting(Principal principal);

    /** Says yes or no; refused if it was decided already or has expired. */
    Outcome decide(Actor actor, String id, boolean approve);
}
