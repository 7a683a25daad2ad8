package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.ConnectedHosts;
import dev.skep.dispatch.host.HeartbeatInterval;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.HostHealthSource;
import dev.skep.sync.sql.SyncReports;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The health of hosts, by their heartbeats and links. A link shows at once that a host came or
 * went; the alert about it waits for minutes of silence.
 */
public final class HubHealthSource implements HostHealthSource {
    /** How late a beat may be where there is no link, and how long a link may take to come back. */
    private static final Duration LATE = Duration.ofSeconds(5);

    private final Self self;
    private final HostHealthSource beats;
    private final SyncReports reports;
    private final ConnectedHosts live;
    private final InstantSource clock;

    /** Since when a host was seen without a link; as many as there are hosts. */
    private final Map<String, Instant> unlinked = new ConcurrentHashMap<>();

    private final Map<OrgId, Instant> lasting = new ConcurrentHashMap<>();

    /** The hub itself. */
    public record Self(HostId id, String version) {}

    public HubHealthSource(
            Self self,
            HostHealthSource beats,
            SyncReports reports,
            ConnectedHosts live,
            InstantSource clock) {
        this.self = self;
        this.beats = beats;
        this.reports = reports;
        this.live = live;
        this.clock = clock;
    }

    @Override
    public List<HostHealth> of(Principal principal) {
        Instant now = clock.instant();
        Map<String, HostHealth> beaten =
                beats.of(principal).stream()
                        .collect(Collectors.toMap(HostHealth::host, Function.identity()));
        var moment = new Moment(now, HeartbeatInterval.forFleet(beaten.size()).plus(LATE));
        List<HostHealth> all = new ArrayList<>();
        HostHealth own = beaten.remove(self.id().value());
        all.add(
                (own == null ? HostHealth.unknown(self.id().value(), self.version()) : own)
                        .as("online", null));
        for (SyncReports.PeerView peer : reports.peers(principal)) {
            HostHealth health = beaten.remove(peer.id());
            all.add(
                    of(
                            health == null ? HostHealth.unknown(peer.id(), null) : health,
                            peer.lastAt(),
                            moment));
        }
        // They beat over plain HTTP and never had a link.
        all.addAll(beaten.values());
        moment.givenUp()
                .ifPresentOrElse(
                        at -> lasting.put(principal.org(), at),
                        () -> lasting.remove(principal.org()));
        return all;
    }

    @Override
    public Optional<Instant> validUntil(Principal principal) {
        return Optional.ofNullable(lasting.get(principal.org()));
    }

    /** When it is, and when the first host is given up that lost its link and may return. */
    private static final class Moment {
        private final Instant now;
        private final Duration patience;
        private @Nullable Instant givenUp;

        /**
         * @param patience how old the last beat of a host without a link may be
         */
        Moment(Instant now, Duration patience) {
            this.now = now;
            this.patience = patience;
        }

        /** Whether a host may still return that has had no link for a while. */
        boolean mayReturn(Instant since, Instant beat) {
            Instant end = earlier(since.plus(LATE), beat.plus(patience));
            if (!end.isAfter(now)) {
                return false;
            }
            givenUp = givenUp == null ? end : earlier(givenUp, end);
            return true;
        }

        Optional<Instant> givenUp() {
            return Optional.ofNullable(givenUp);
        }

        private static Instant earlier(Instant one, Instant other) {
            return one.isBefore(other) ? one : other;
        }
    }

    private HostHealth of(HostHealth health, Instant synced, Moment moment) {
        Instant beat = health.lastHeartbeatAt();
        if (live.isLive(new HostId(health.host()))) {
            unlinked.remove(health.host());
            String status = health.status().equals("degraded") ? "degraded" : "online";
            return health.as(status, beat == null ? synced : beat);
        }
        Instant since = unlinked.computeIfAbsent(health.host(), host -> moment.now);
        return beat != null && moment.mayReturn(since, beat)
                ? health
                : health.as("offline", later(beat, synced));
    }

    private static Instant later(@Nullable Instant beat, Instant synced) {
        return beat == null || beat.isBefore(synced) ? synced : beat;
    }
}
