package dev.skep.registry.node;

import dev.skep.kernel.identity.Actor;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that happened to a node: stored first, then announced. */
public sealed interface NodeChange {
    Node node();

    /** It registered, came back, or changed what it reports about itself. */
    record Joined(Node node, boolean connected, @Nullable String peer, Instant at)
            implements NodeChange {}

    /** Its connection ended, or it fell silent. */
    record WentOffline(Node node, @Nullable String peer, Instant at) implements NodeChange {}

    /**
     * It is no longer in the roster.
     *
     * @param peer null if it was offline already
     * @param by who removed it, if a person did
     */
    record Removed(Node node, Reason reason, @Nullable String peer, Instant at, @Nullable Actor by)
            implements NodeChange {}

    /** It is active as before; something else about it changed. */
    record Updated(Node node, Instant at) implements NodeChange {}

    /** Why a node left the roster. */
    enum Reason {
        DEREGISTERED(false),
        EVICTED(false),
        /** It was offline for too long: its history is deleted with it. */
        PRUNED(true),
        /** A person took it away, with its history. */
        TAKEN_AWAY(true);

        private final boolean takesHistory;

        Reason(boolean takesHistory) {
            this.takesHistory = takesHistory;
        }

        public boolean takesHistory() {
            return takesHistory;
        }
    }
}
