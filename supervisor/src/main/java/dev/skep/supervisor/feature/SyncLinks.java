package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.supervisor.source.LinkView;
import dev.skep.supervisor.source.Links;
import dev.skep.sync.sql.SyncReports;
import java.util.List;

/** The hosts a hub pulls from. */
public final class SyncLinks implements Links {
    private final SyncReports reports;
    private final LiveLinks live;

    public SyncLinks(SyncReports reports, LiveLinks live) {
        this.reports = reports;
        this.live = live;
    }

    @Override
    public List<LinkView> all(Principal principal) {
        return reports.peers(principal).stream()
                .map(
                        peer ->
                                new LinkView(
                                        peer.id(),
                                        peer.id(),
                                        "host",
                                        state(peer),
                                        peer.lag(),
                                        null,
                                        peer.lastAt(),
                                        0,
                                        0,
                                        null))
                .toList();
    }

    private String state(SyncReports.PeerShown peer) {
        if (!live.isLive(new HostId(peer.id()))) {
            return "away";
        }
        return peer.lag() == null || peer.lag() > 0 ? "catching_up" : "connected";
    }

    @Override
    public List<SetAside> quarantine(Principal principal, int limit) {
        return reports.quarantine(principal, limit).stream()
                .map(
                        row ->
                                new SetAside(
                                        row.table() + " " + row.key(),
                                        row.host(),
                                        row.table(),
                                        row.key(),
                                        row.reason(),
                                        Timestamps.format(row.at())))
                .toList();
    }
}
