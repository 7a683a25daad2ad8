package dev.skep.worker;

import dev.skep.wire.call.HoldAnswer;
import dev.skep.wire.call.HoldState;
import java.util.Optional;

/** All agents of this host, which a hub may want to stand still. Thread-safe. */
public interface HoldableAgents {
    /**
     * What this host knows of a hub's holds.
     *
     * @param hold the id of the last one, unless it is over
     */
    record Known(Optional<String> hold, HoldState state) {}

    Known known(String hub);

    /** Durable when this returns, and nothing of an agent begins any more. */
    void hold(String hub, HoldAnswer.Wanted wanted);

    /** They go back to what each was, unless something else holds them. */
    void release(String hub, String id);

    /** The hub has answered, or cannot hold agents: they need not wait for it. */
    void heard(String hub);

    /** Runs the listener when this host lifted a hold by itself. */
    void onChange(Runnable listener);
}
