package dev.skep.supervisor.feature;

import dev.skep.kernel.id.HostId;
import dev.skep.kernel.identity.Principal;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.HostHealthSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Health without a hub: this process's own host is online, since it answers, and the others are
 * unknown.
 */
public final class SelfOnlyHealthSource implements HostHealthSource {
    private final HostId self;
    private final @Nullable String version;

    public SelfOnlyHealthSource(HostId self, @Nullable String version) {
        this.self = self;
        this.version = version;
    }

    @Override
    public List<HostHealth> of(Principal principal) {
        return List.of(
                new HostHealth(
                        self.value(),
                        "online",
                        null,
                        null,
                        version,
                        null,
                        List.of(),
                        null,
                        null,
                        Map.of(),
                        null,
                        null,
                        null,
                        null));
    }
}
