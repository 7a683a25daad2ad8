package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.HostHealths;
import dev.skep.sync.sql.SyncReports;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** On a hub without heartbeats: a host is there while its link is open. */
public final class LinkedHosts implements HostHealths {
    private final HostId self;
    private final SyncReports reports;
    private final LiveLinks live;
    private final InstantSource clock;

    public LinkedHosts(HostId self, SyncReports reports, LiveLinks live, InstantSource clock) {
        this.self = self;
        this.reports = reports;
        this.live = live;
        this.clock = clock;
    }

    @Override
    public List<HostHealth> of(Principal principal) {
        Instant now = clock.instant();
        List<HostHealth> all = new ArrayList<>();
        all.add(health(self.value(), "online", now));
        for (SyncReports.PeerShown peer : reports.peers(principal)) {
            boolean there = live.isLive(new HostId(peer.id()));
            all.add(health(peer.id(), there ? "online" : "offline", there ? now : peer.lastAt()));
        }
        return all;
    }

    private static HostHealth health(String host, String status, Instant seen) {
        return new HostHealth(
                host, status, null, seen, null, null, List.of(), null, null, Map.of(), null, null,
                null);
    }
}
