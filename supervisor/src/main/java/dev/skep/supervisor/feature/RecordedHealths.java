package dev.skep.supervisor.feature;

import dev.skep.dispatch.host.StatusRules;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.HostHealths;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/**
 * How hosts were, by what a hub wrote down. Whoever only looks at a database cannot know whether
 * its hub still runs, so what was written too long ago is not known.
 */
public final class RecordedHealths implements HostHealths {
    private final HostHealths recorded;
    private final InstantSource clock;

    public RecordedHealths(HostHealths recorded, InstantSource clock) {
        this.recorded = recorded;
        this.clock = clock;
    }

    @Override
    public List<HostHealth> of(Principal principal) {
        Instant old = clock.instant().minus(StatusRules.STANDARD.threshold());
        return recorded.of(principal).stream().map(health -> known(health, old)).toList();
    }

    private static HostHealth known(HostHealth health, Instant old) {
        Instant heard = health.lastHeartbeatAt();
        boolean claimed = health.status().equals("online") || health.status().equals("degraded");
        return claimed && heard != null && heard.isBefore(old)
                ? health.as("unknown", heard)
                : health;
    }
}
