package dev.skep.supervisor.feature;

import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostConnection;
import dev.skep.supervisor.source.LinkSource;
import dev.skep.supervisor.source.LinkView;
import dev.skep.sync.PeerSyncStatus;
import dev.skep.sync.sql.SyncReports;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The hubs a runner is joined to, and what it wrote that they did not confirm. */
public final class RunnerLinkSource implements LinkSource {
    private final Supplier<List<PeerSyncStatus>> hubs;
    private final SyncReports reports;

    public RunnerLinkSource(Supplier<List<PeerSyncStatus>> hubs, SyncReports reports) {
        this.hubs = hubs;
        this.reports = reports;
    }

    @Override
    public List<LinkView> all(Principal principal) {
        return hubs.get().stream().map(LinkView::ofHub).toList();
    }

    @Override
    public List<QuarantinedRowView> quarantine(Principal principal, int limit) {
        return QuarantinedRowView.all(reports, principal, limit);
    }

    /** The hubs write it down, each for itself. */
    @Override
    public List<HostConnection> connections(Principal principal, Optional<String> host, int limit) {
        return List.of();
    }
}
