package dev.skep.supervisor.feature;

import dev.skep.dispatch.host.StatusRules;
import dev.skep.kernel.id.OrgId;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.HostHealthSource;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The health of hosts as a hub recorded it. A reader of a database cannot know whether its hub
 * still runs, so old records count as unknown.
 */
public final class RecordedHealthSource implements HostHealthSource {
    private final HostHealthSource recorded;
    private final InstantSource clock;
    private final Map<OrgId, Instant> lasting = new ConcurrentHashMap<>();

    public RecordedHealthSource(HostHealthSource recorded, InstantSource clock) {
        this.recorded = recorded;
        this.clock = clock;
    }

    @Override
    public List<HostHealth> of(Principal principal) {
        Instant old = clock.instant().minus(StatusRules.STANDARD.threshold());
        List<HostHealth> all = recorded.of(principal);
        all.stream()
                .filter(health -> claims(health) && !isOld(health, old))
                .map(HostHealth::lastHeartbeatAt)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .ifPresentOrElse(
                        first ->
                                lasting.put(
                                        principal.org(),
                                        first.plus(StatusRules.STANDARD.threshold()).plusMillis(1)),
                        () -> lasting.remove(principal.org()));
        return all.stream().map(health -> known(health, old)).toList();
    }

    @Override
    public Optional<Instant> validUntil(Principal principal) {
        return Optional.ofNullable(lasting.get(principal.org()));
    }

    private static HostHealth known(HostHealth health, Instant old) {
        return claims(health) && isOld(health, old)
                ? health.as("unknown", health.lastHeartbeatAt())
                : health;
    }

    private static boolean claims(HostHealth health) {
        return health.status().equals("online") || health.status().equals("degraded");
    }

    private static boolean isOld(HostHealth health, Instant old) {
        Instant heartbeat = health.lastHeartbeatAt();
        return heartbeat != null && heartbeat.isBefore(old);
    }
}
