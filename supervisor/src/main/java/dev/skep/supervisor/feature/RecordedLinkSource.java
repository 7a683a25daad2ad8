package dev.skep.supervisor.feature;

import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.HostConnection;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.LinkView;
import dev.skep.sync.sql.SyncReports;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How far a hub had got with its hosts, by what it wrote down. Which of them it is linked to is in
 * its memory, so whoever only looks at its database does not claim to know.
 */
public final class RecordedLinkSource implements LinkSource {
    private static final int COUNTED = 1_000;

    private final HostConnectionHistory history;
    private final SyncReports reports;

    public RecordedLinkSource(Database database, SyncReports reports) {
        this.history = new HostConnectionHistory(database, _ -> false);
        this.reports = reports;
    }

    @Override
    public List<LinkView> all(Principal principal) {
        Map<String, List<SyncReports.QuarantineView>> setAside =
                reports.quarantine(principal, COUNTED).stream()
                        .collect(Collectors.groupingBy(SyncReports.QuarantineView::host));
        return reports.peers(principal).stream()
                .map(peer -> link(peer, setAside.getOrDefault(peer.id(), List.of())))
                .toList();
    }

    private static LinkView link(
            SyncReports.PeerView peer, List<SyncReports.QuarantineView> setAside) {
        return new LinkView(
                peer.id(),
                peer.id(),
                "host",
                "unknown",
                peer.lag(),
                null,
                peer.behindSince(),
                peer.lastAt(),
                null,
                null,
                (long) setAside.size(),
                setAside.isEmpty() ? null : setAside.getFirst().reason());
    }

    @Override
    public List<QuarantinedRowView> quarantine(Principal principal, int limit) {
        return SyncLinkSource.quarantinedRows(reports, principal, limit);
    }

    @Override
    public List<HostConnection> connections(Principal principal, Optional<String> host, int limit) {
        return history.newest(principal, host, limit);
    }
}
