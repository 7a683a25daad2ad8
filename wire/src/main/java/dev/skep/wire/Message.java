package dev.skep.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The sync messages of a link. Positions are opaque to everyone but the end that made them. */
public sealed interface Message {

    /**
     * Runner to hub: opens the link, and asks for the next page until it has caught up.
     *
     * @param protocolMin the oldest protocol the runner speaks
     * @param seen per host and epoch the highest stamp the runner holds; only when the hub asked
     */
    record CatchUp(
            String hostId,
            int schemaVersion,
            int protocolMin,
            int protocolMax,
            long lastSyncedFromHub,
            long hubHead,
            Map<String, Map<Long, Long>> seen)
            implements Message {}

    /**
     * Hub to runner: what it missed.
     *
     * @param wantSeen the hub may have lost rows it once forwarded; the runner stores nothing and
     *     sends the same catch_up again, with what it has seen of other hosts
     */
    record CatchUpResponse(
            MessageRows rows, long cursor, long hubHead, boolean hasMore, boolean wantSeen)
            implements Message {}

    /**
     * Hub to runner: asks for the rows after a position and brings what others wrote.
     *
     * @param ahead the rows up to {@code since} came, but are not stored yet
     * @param pageBytes how many bytes of rows the answer is to hold at most, before compression; 0
     *     if the hub does not limit it
     * @param kept how far the hub has taken them all: less than {@code since} where some are aside
     * @param head how far the hub knows this host's stamps to go
     * @param seen per epoch the highest stamp of this host that other runners hold
     */
    record SyncRequest(
            long reqId,
            int schemaVersion,
            long since,
            boolean ahead,
            long pageBytes,
            long kept,
            long head,
            Map<Long, Long> seen,
            @Nullable Forwards forwards,
            @Nullable Heal heal,
            List<Reject> rejects,
            List<Grant> grants)
            implements Message {}

    /** Rows of other hosts of the org, and the position in the hub's feed they reach. */
    record Forwards(MessageRows rows, long cursor, long hubHead) {}

    /** The receiving host's own rows, for one that was restored from an old backup. */
    record Heal(MessageRows rows, long head, boolean hasMore) {}

    /** A row the hub did not take as it is, and why. */
    record Reject(String table, String key, String reason, String message) {}

    /** An operator gave this host an agent, with a generation that outranks the old owner. */
    record Grant(String userId, long gen) {}

    /**
     * Runner to hub: the page that was asked for.
     *
     * @param applied the hub position the runner has stored, whether or not this request moved it
     * @param healed the end of a heal: the host's rows are stamped anew, ask again from the start
     */
    record SyncResponse(
            long reqId,
            String hostId,
            MessageRows rows,
            long upto,
            long head,
            boolean hasMore,
            long applied,
            boolean healed)
            implements Message {}

    /** Runner to hub: there are rows; the hub still decides when to ask. */
    record SyncAvailable() implements Message {}

    /** Either way: something is refused, in words an operator can act on. */
    record SyncError(String error, @Nullable Long expected, @Nullable Long actual, String message)
            implements Message {

        public static final String SCHEMA_VERSION_MISMATCH = "schema_version_mismatch";
        public static final String UNKNOWN_HEAD = "unknown_head";
        public static final String OWNERSHIP_VIOLATION = "ownership_violation";
        public static final String FRAME_TOO_LARGE = "frame_too_large";
        public static final String NOT_AUTHORISED = "not_authorised";
        public static final String BAD_MESSAGE = "bad_message";
        public static final String HOST_CLONED = "host_cloned";

        public SyncError(String error, String message) {
            this(error, null, null, message);
        }
    }
}
