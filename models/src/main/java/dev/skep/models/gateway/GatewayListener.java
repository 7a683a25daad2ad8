package dev.skep.models.gateway;

import dev.skep.agents.cost.Cost;
import dev.skep.agents.session.SessionKey;
import java.time.Instant;
import java.util.Optional;

/** What a run of an agent wants to know of its calls; called on any thread, must not block. */
public interface GatewayListener {
    /** The session that a call which begins now belongs to. */
    SessionKey session();

    /** A cost was stored. */
    void booked(Cost cost);

    /** Why no call may begin now; empty if one may. */
    default Optional<String> held() {
        return Optional.empty();
    }

    /**
     * A call was refused before it left.
     *
     * @param until when it is worth asking again
     */
    void refused(String why, Instant until);
}
