package dev.skep.registry.node;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A line of a node's history: it came, or it went. */
public record NodeHistoryEntry(
        String id, String nodeId, Event event, Instant at, @Nullable String peer) {

    /** The lower-case name stands on disk and wire. */
    public enum Event {
        CONNECTED,
        DISCONNECTED;

        public String stored() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Event of(String stored) {
            return valueOf(stored.toUpperCase(Locale.ROOT));
        }
    }
}
