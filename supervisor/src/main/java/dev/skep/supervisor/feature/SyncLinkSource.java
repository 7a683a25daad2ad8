package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.supervisor.source.HostConnection;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.LinkView;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.sql.HostSyncStatusReader;
import dev.skep.sync.sql.SyncReports;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The hosts a hub pulls from. */
public final class SyncLinkSource implements LinkSource {
    private static final int COUNTED = 1_000;

    private final HostConnectionHistory history;
    private final SyncReports reports;
    private final HostSyncStatusReader hostSyncStatusReader;

    public SyncLinkSource(
            Database database,
            SyncReports reports,
            ConnectedHosts live,
            HostSyncStatusReader hostSyncStatusReader) {
        this.history = new HostConnectionHistory(database, live::isLive);
        this.reports = reports;
        this.hostSyncStatusReader = hostSyncStatusReader;
    }

    @Override
    public List<LinkView> all(Principal principal) {
        Map<String, List<SyncReports.QuarantineView>> setAside =
                reports.quarantine(principal, COUNTED).stream()
                        .collect(Collectors.groupingBy(SyncReports.QuarantineView::host));
        return hostSyncStatusReader.of(principal).stream()
                .map(host -> link(host, setAside.getOrDefault(host.id(), List.of())))
                .toList();
    }

    private static LinkView link(PeerSyncStatus host, List<SyncReports.QuarantineView> setAside) {
        return new LinkView(
                host.id(),
                host.id(),
                "host",
                host.state(),
                host.lag(),
                host.unknownSince(),
                host.behindSince(),
                host.lastAt(),
                host.askedAt(),
                host.movedAt(),
                (long) setAside.size(),
                setAside.isEmpty() ? null : setAside.getFirst().reason());
    }

    @Override
    public List<QuarantinedRowView> quarantine(Principal principal, int limit) {
        return quarantinedRows(reports, principal, limit);
    }

    @Override
    public List<HostConnection> connections(Principal principal, Optional<String> host, int limit) {
        return history.newest(principal, host, limit);
    }

    /** What sync set aside, newest first, on a hub as on a runner. */
    public static List<QuarantinedRowView> quarantinedRows(
            SyncReports reports, Principal principal, int limit) {
        return reports.quarantine(principal, limit).stream()
                .map(
                        row ->
                                new QuarantinedRowView(
                                        String.join(
                                                " ",
                                                row.host(),
                                                row.table(),
                                                row.key(),
                                                row.reason()),
                                        row.host(),
                                        row.table(),
                                        row.key(),
                                        row.reason(),
                                        Timestamps.format(row.at())))
                .toList();
    }
}
