package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.supervisor.source.LinkView;
import dev.skep.supervisor.source.Links;
import dev.skep.sync.sql.SyncReports;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The hosts a hub pulls from. */
public final class SyncLinks implements Links {
    private static final int COUNTED = 1_000;

    private final SyncReports reports;
    private final LiveLinks live;
    private final InstantSource clock;

    public SyncLinks(SyncReports reports, LiveLinks live, InstantSource clock) {
        this.reports = reports;
        this.live = live;
        this.clock = clock;
    }

    @Override
    public List<LinkView> all(Principal principal) {
        Map<String, List<SyncReports.QuarantineShown>> setAside =
                reports.quarantine(principal, COUNTED).stream()
                        .collect(Collectors.groupingBy(SyncReports.QuarantineShown::host));
        return reports.peers(principal).stream()
                .map(peer -> link(peer, setAside.getOrDefault(peer.id(), List.of())))
                .toList();
    }

    private LinkView link(SyncReports.PeerShown peer, List<SyncReports.QuarantineShown> setAside) {
        boolean there = live.isLive(new HostId(peer.id()));
        boolean level = peer.lag() != null && peer.lag() == 0;
        return new LinkView(
                peer.id(),
                peer.id(),
                "host",
                !there ? "away" : level ? "connected" : "catching_up",
                there ? peer.lag() : null,
                !there ? null : level ? Long.valueOf(0) : behind(peer),
                peer.lastAt(),
                setAside.size(),
                setAside.isEmpty() ? null : setAside.getFirst().reason());
    }

    /** Since it last came level, which is when its position was last stored. */
    private Long behind(SyncReports.PeerShown peer) {
        return Math.max(0, Duration.between(peer.lastAt(), clock.instant()).toSeconds());
    }

    @Override
    public List<SetAside> quarantine(Principal principal, int limit) {
        return setAside(reports, principal, limit);
    }

    /** What sync set aside, newest first, on a hub as on a runner. */
    public static List<SetAside> setAside(SyncReports reports, Principal principal, int limit) {
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
