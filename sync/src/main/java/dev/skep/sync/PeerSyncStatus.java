package dev.skep.sync;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of sync with one peer, for people: a host as its hub sees it, or a hub as a host sees
 * it.
 *
 * @param id the peer's own; empty for a hub that was never reached
 * @param role {@code host} or {@code hub}
 * @param state {@code connected}, {@code catching_up}, {@code away}, or {@code unknown} where no
 *     process keeps links
 * @param position up to where rows got: of the host here, or of this host there
 * @param lag rows written at the one end and not confirmed by the other; empty if unknown, as for a
 *     host that is away
 * @param unknownSince since when it is unknown
 * @param behindSince on a hub, since when it has known of rows that it lacks; on a host, when its
 *     oldest unconfirmed row was written; empty if there is none
 * @param lastAt when rows of the host, or a message of the hub, arrived last
 * @param askedAt since when an answer of the peer is awaited; empty if none is
 * @param movedAt when bytes last arrived from the peer or left for it
 * @param problem why there is no link, or what the hub refuses; empty if all is well
 */
public record PeerSyncStatus(
        String id,
        String name,
        String role,
        String state,
        String position,
        @Nullable Long lag,
        @Nullable Instant unknownSince,
        @Nullable Instant behindSince,
        @Nullable Instant lastAt,
        @Nullable Instant askedAt,
        @Nullable Instant movedAt,
        String problem) {}
