package dev.skep.supervisor.source;

import dev.skep.kernel.identity.Actor;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import java.util.List;

/** Commands that wait for a person's yes. */
public interface Approvals {
    /** A command an agent wants to run. */
    record Waiting(String id, String agent, String command, Instant requestedAt, Instant expiresAt)
            implements Keyed {}

    List<Waiting> waiting(Principal principal);

    /** Says yes or no; false if it was decided already or has expired. */
    boolean decide(Actor actor, String id, boolean approve);
}
