package dev.skep.supervisor.feature;

import dev.skep.directory.history.ConnectionRecordStore;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.HostConnection;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.LinkView;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.sql.SyncReports;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The hosts a hub pulls from. */
public final class HubLinkSource implements LinkSource {
    private static final int COUNTED = 1_000;

    private final Database database;
    private final SyncReports reports;
    private final Predicate<HostId> isLive;
    private final Function<Principal, List<PeerSyncStatus>> hosts;
    private final ConnectionRecordStore connections = new ConnectionRecordStore();

    public HubLinkSource(
            Database database,
            SyncReports reports,
            Predicate<HostId> isLive,
            Function<Principal, List<PeerSyncStatus>> hosts) {
        this.database = database;
        this.reports = reports;
        this.isLive = isLive;
        this.hosts = hosts;
    }

    /**
     * From what a hub recorded. Its open links are in its memory only, so a reader of its database
     * reports them as unknown.
     */
    public static HubLinkSource recorded(Database database, SyncReports reports) {
        return new HubLinkSource(
                database,
                reports,
                _ -> false,
                who -> reports.peers(who).stream().map(HubLinkSource::recorded).toList());
    }

    private static PeerSyncStatus recorded(SyncReports.PeerView peer) {
        return new PeerSyncStatus(
                peer.id(),
                peer.name(),
                "host",
                "unknown",
                peer.position(),
                peer.lag(),
                null,
                peer.behindSince(),
                peer.lastAt(),
                null,
                null,
                "");
    }

    @Override
    public List<LinkView> all(Principal principal) {
        Map<String, List<SyncReports.QuarantineView>> setAside =
                reports.quarantine(principal, COUNTED).stream()
                        .collect(Collectors.groupingBy(SyncReports.QuarantineView::host));
        return hosts.apply(principal).stream()
                .map(host -> LinkView.ofHost(host, setAside.getOrDefault(host.id(), List.of())))
                .toList();
    }

    @Override
    public List<QuarantinedRowView> quarantine(Principal principal, int limit) {
        return QuarantinedRowView.all(reports, principal, limit);
    }

    /**
     * One without an end is open if its host is connected now; otherwise its end was not observed.
     */
    @Override
    public List<HostConnection> connections(Principal principal, Optional<String> host, int limit) {
        return database
                .read(db -> connections.newest(db, principal, host.map(HostId::new), limit))
                .stream()
                .map(found -> HostConnection.of(found, isLive.test(new HostId(found.host()))))
                .toList();
    }
}
