package dev.skep.sync;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How things stand with one peer, for people: a host as its hub sees it, or a hub as a host sees
 * it.
 *
 * @param id the peer's own; empty for a hub that was never reached
 * @param role {@code host} or {@code hub}
 * @param state {@code connected}, {@code catching_up}, {@code away}, or {@code unknown} where no
 *     process keeps links
 * @param position up to where rows got: of the host here, or of this host there
 * @param lag rows written at the one end and not confirmed by the other; empty where that cannot be
 *     told, as of a host that is not there
 * @param unknownSince since when it cannot be told
 * @param behindSince on a hub since it knows of rows it does not have, on a host when the oldest of
 *     its rows was written that the hub did not confirm; empty if there is none
 * @param lastAt when rows of the host came last, or the hub said something
 * @param askedAt since when an answer of the peer is awaited; empty if none is
 * @param movedAt when bytes of it came last, or of what goes there left
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
