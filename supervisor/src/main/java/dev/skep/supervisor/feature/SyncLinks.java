package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.supervisor.source.LinkView;
import dev.skep.supervisor.source.Links;
import dev.skep.sync.sql.SyncReports;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The hosts a hub pulls from. */
public final class SyncLinks implements Links {
    private static final int COUNTED = 1_000;

    private final SyncReports reports;
    private final LiveLinks live;
    private final Supplier<Map<HostId, Instant>> asked;
    private final InstantSource clock;

    /** Those that answer, and of which an answer is awaited since when. */
    public SyncLinks(
            SyncReports reports,
            LiveLinks live,
            Supplier<Map<HostId, Instant>> asked,
            InstantSource clock) {
        this.reports = reports;
        this.live = live;
        this.asked = asked;
        this.clock = clock;
    }

    @Override
    public List<LinkView> all(Principal principal) {
        Map<String, List<SyncReports.QuarantineShown>> setAside =
                reports.quarantine(principal, COUNTED).stream()
                        .collect(Collectors.groupingBy(SyncReports.QuarantineShown::host));
        Map<HostId, Instant> awaited = asked.get();
        return reports.peers(principal).stream()
                .map(
                        peer ->
                                link(
                                        peer,
                                        awaited.get(new HostId(peer.id())),
                                        setAside.getOrDefault(peer.id(), List.of())))
                .toList();
    }

    private LinkView link(
            SyncReports.PeerShown peer,
            @Nullable Instant askedAt,
            List<SyncReports.QuarantineShown> setAside) {
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
                askedAt,
                (long) setAside.size(),
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
