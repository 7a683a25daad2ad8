package dev.skep.supervisor.source;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One link between this database and a peer, a host on a hub and a hub on a runner.
 *
 * @param peer the id of a host, or what a hub is called
 * @param state {@code connected}, {@code catching_up}, {@code away}, or {@code unknown} to whoever
 *     only reads the database
 * @param lagRows rows written at the host that the hub did not confirm; null where that is not
 *     known
 * @param unknownSince since when it is not, for the host is not there
 * @param behindSince on a runner when the oldest row was written that waits, on a hub since when it
 *     has known of rows it does not have; null if there is none, or nobody here knows
 * @param askedAt since when an answer of the peer is awaited; null if none is, or nobody here knows
 * @param movedAt when something of that answer came last, or of what goes there left
 * @param setAside rows of the peer that were not stored; null where nobody knows whose they are
 * @param problem why a row of the peer was not stored, of the newest one
 */
public record LinkView(
        String id,
        String peer,
        String role,
        String state,
        @Nullable Long lagRows,
        @Nullable Instant unknownSince,
        @Nullable Instant behindSince,
        @Nullable Instant heardAt,
        @Nullable Instant askedAt,
        @Nullable Instant movedAt,
        @Nullable Long setAside,
        @Nullable String problem)
        implements Keyed {}
