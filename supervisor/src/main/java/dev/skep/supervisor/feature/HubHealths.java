package dev.skep.supervisor.feature;

import dev.skep.directory.enrolment.LiveLinks;
import dev.skep.dispatch.host.BeatInterval;
import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.HostHealths;
import dev.skep.sync.sql.SyncReports;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How hosts are, by their heartbeats and their links. A link says at once that a host came or went;
 * the alert about it waits until nothing was heard for minutes.
 */
public final class HubHealths implements HostHealths {
    /** How late a beat may be where there is no link, and how long a link may take to come back. */
    private static final Duration LATE = Duration.ofSeconds(5);

    /** What is known at every moment is told in steps, so that it is not a change every time. */
    private static final long STEP_SECONDS = 10;

    private final Self self;
    private final HostHealths beats;
    private final SyncReports reports;
    private final LiveLinks live;
    private final InstantSource clock;

    /** Since when a host was seen without a link; as many as there are hosts. */
    private final Map<String, Instant> unlinked = new ConcurrentHashMap<>();

    /** The hub itself. */
    public record Self(HostId id, String version) {}

    public HubHealths(
            Self self,
            HostHealths beats,
            SyncReports reports,
            LiveLinks live,
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
        Instant lately = Instant.ofEpochSecond(now.getEpochSecond() / STEP_SECONDS * STEP_SECONDS);
        Map<String, HostHealth> beaten =
                beats.of(principal).stream()
                        .collect(Collectors.toMap(HostHealth::host, Function.identity()));
        Instant due = now.minus(BeatInterval.forFleet(beaten.size())).minus(LATE);
        List<HostHealth> all = new ArrayList<>();
        HostHealth own = beaten.remove(self.id().value());
        all.add(
                (own == null ? HostHealth.unknown(self.id().value(), self.version()) : own)
                        .as("online", lately));
        for (SyncReports.PeerShown peer : reports.peers(principal)) {
            HostHealth health = beaten.remove(peer.id());
            all.add(
                    of(
                            health == null ? HostHealth.unknown(peer.id(), null) : health,
                            peer.lastAt(),
                            new Moment(now, lately, due)));
        }
        // They beat over plain HTTP and never had a link.
        all.addAll(beaten.values());
        return all;
    }

    /**
     * When it is.
     *
     * @param lately what is seen at every moment was seen
     * @param due beats before it are late
     */
    private record Moment(Instant now, Instant lately, Instant due) {}

    private HostHealth of(HostHealth health, Instant synced, Moment moment) {
        Instant beat = health.lastHeartbeatAt();
        Instant lately = moment.lately();
        if (live.isLive(new HostId(health.host()))) {
            unlinked.remove(health.host());
            String status = health.status().equals("degraded") ? "degraded" : "online";
            return health.as(status, beat == null || beat.isBefore(lately) ? lately : beat);
        }
        Instant since = unlinked.computeIfAbsent(health.host(), host -> moment.now());
        boolean mayReturn = since.plus(LATE).isAfter(moment.now());
        return beat != null && beat.isAfter(moment.due()) && mayReturn
                ? health
                : health.as("offline", later(beat, synced));
    }

    private static Instant later(@Nullable Instant beat, Instant synced) {
        return beat == null || beat.isBefore(synced) ? synced : beat;
    }
}
