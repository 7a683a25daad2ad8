package dev.skep.supervisor.source;

import dev.skep.kernel.id.Keyed;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.sql.SyncReports;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One link between this database and a peer, a host on a hub and a hub on a runner.
 *
 * @param peer the id of a host, or what a hub is called
 * @param state {@code connected}, {@code catching_up}, {@code away}, or {@code unknown} if only the
 *     database is read
 * @param lagRows rows written at the host that the hub did not confirm; null where that is not
 *     known
 * @param unknownSince since when it is not known, because the host is away
 * @param behindSince on a runner when the oldest waiting row was written, on a hub since when it
 *     has known of rows it lacks; null if there is none, or that is unknown
 * @param askedAt since when an answer of the peer is awaited; null if none is, or that is unknown
 * @param movedAt when bytes last arrived from the peer or left for it
 * @param setAside rows of the peer that were not stored; null if their owner is unknown
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
        implements Keyed {
    /**
     * A host as its hub sees it.
     *
     * @param refused rows of the host that were not stored, the newest first
     */
    public static LinkView ofHost(PeerSyncStatus host, List<SyncReports.QuarantineView> refused) {
        return of(
                host.id(),
                host,
                (long) refused.size(),
                refused.isEmpty() ? null : refused.getFirst().reason());
    }

    /** A hub as a host sees it. */
    public static LinkView ofHub(PeerSyncStatus hub) {
        return of(hub.name(), hub, null, hub.problem().isEmpty() ? null : hub.problem());
    }

    private static LinkView of(
            String peer, PeerSyncStatus status, @Nullable Long setAside, @Nullable String problem) {
        return new LinkView(
                peer,
                peer,
                status.role(),
                status.state(),
                status.lag(),
                status.unknownSince(),
                status.behindSince(),
                status.lastAt(),
                status.askedAt(),
                status.movedAt(),
                setAside,
                problem);
    }
}
