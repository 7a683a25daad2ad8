package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.kernel.row.Timestamps;
import dev.skep.store.Database;
import dev.skep.supervisor.source.HostConnection;
import dev.skep.supervisor.source.LinkView;
import dev.skep.supervisor.source.Links;
import dev.skep.sync.sql.SyncReports;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The hosts a hub pulls from. */
public final class SyncLinks implements Links {
    private static final int COUNTED = 1_000;

    private final LinkHistory history;
    private final SyncReports reports;
    private final LiveLinks live;
    private final Supplier<Map<HostId, Instant>> asked;

    /** Those that answer, and of which an answer is awaited since when. */
    public SyncLinks(
            Database database,
            SyncReports reports,
            LiveLinks live,
            Supplier<Map<HostId, Instant>> asked) {
        this.history = new LinkHistory(database, live::isLive);
        this.reports = reports;
        this.live = live;
        this.asked = asked;
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
                there ? peer.behindSince() : null,
                peer.lastAt(),
                askedAt,
                (long) setAside.size(),
                setAside.isEmpty() ? null : setAside.getFirst().reason());
    }

    @Override
    public List<SetAside> quarantine(Principal principal, int limit) {
        return setAside(reports, principal, limit);
    }

    @Override
    public List<HostConnection> connections(Principal principal, Optional<String> host, int limit) {
        return history.newest(principal, host, limit);
    }

    /** What sync set aside, newest first, on a hub as on a runner. */
    public static List<SetAside> setAside(SyncReports reports, Principal principal, int limit) {
        return reports.quarantine(principal, limit).stream()
                .map(
                        row ->
                                new SetAside(
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
