package dev.skep.sync.sql;

import dev.skep.directory.history.ConnectionRecord;
import dev.skep.directory.history.ConnectionRecordStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.hub.HubSync.PendingResponse;
import dev.skep.sync.sql.SyncReports.PeerView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How far a hub has synced with its hosts. What a host that is away has written meanwhile is
 * unknown, and the status says so instead of showing the state at its disconnect.
 */
public final class HostSyncStatusReader {
    private final Database database;
    private final SyncReports reports;
    private final Predicate<HostId> isLinked;
    private final Supplier<Map<HostId, PendingResponse>> pendingResponse;
    private final ConnectionRecordStore periods = new ConnectionRecordStore();

    public HostSyncStatusReader(
            Database database,
            SyncReports reports,
            Predicate<HostId> isLinked,
            Supplier<Map<HostId, PendingResponse>> pendingResponse) {
        this.database = database;
        this.reports = reports;
        this.isLinked = isLinked;
        this.pendingResponse = pendingResponse;
    }

    /** Of all orgs. */
    public List<PeerSyncStatus> all() {
        return reports.orgs().stream()
                .flatMap(org -> of(new Principal.Local(org)).stream())
                .toList();
    }

    public List<PeerSyncStatus> of(Principal who) {
        Map<HostId, PendingResponse> answers = pendingResponse.get();
        return reports.peers(who).stream()
                .map(peer -> of(who, peer, answers.get(new HostId(peer.id()))))
                .toList();
    }

    private PeerSyncStatus of(Principal who, PeerView peer, @Nullable PendingResponse answer) {
        boolean there = isLinked.test(new HostId(peer.id()));
        boolean level = peer.lag() != null && peer.lag() == 0;
        return new PeerSyncStatus(
                peer.id(),
                peer.name(),
                "host",
                !there ? "away" : level ? "connected" : "catching_up",
                peer.position(),
                there ? peer.lag() : null,
                there ? null : seenAt(who, peer),
                there ? peer.behindSince() : null,
                peer.lastAt(),
                answer == null ? null : answer.since(),
                answer == null ? null : answer.movedAt(),
                "");
    }

    /** When its link ended, or the last sign of it if the end was not observed. */
    private Instant seenAt(Principal who, PeerView peer) {
        Optional<HostId> host = Optional.of(new HostId(peer.id()));
        Instant seen =
                database.read(db -> periods.newest(db, who, host, 1)).stream()
                        .findFirst()
                        .map(HostSyncStatusReader::end)
                        .orElse(peer.lastAt());
        return seen.isBefore(peer.lastAt()) ? peer.lastAt() : seen;
    }

    private static Instant end(ConnectionRecord connectionRecord) {
        Instant closed = connectionRecord.closedAt();
        return closed == null ? connectionRecord.openedAt() : closed;
    }
}
