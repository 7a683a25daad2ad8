package dev.skep.supervisor.feature;

import dev.skep.dispatch.host.HostDetails;
import dev.skep.dispatch.host.HostFilter;
import dev.skep.dispatch.host.HostQueries;
import dev.skep.kernel.identity.Principal;
import dev.skep.store.Database;
import dev.skep.supervisor.source.HostHealth;
import dev.skep.supervisor.source.HostHealthSource;
import dev.skep.transport.route.Json;
import dev.skep.transport.route.JsonFields;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How hosts are, by their heartbeats. */
public final class DispatchHealthSource implements HostHealthSource {
    /** More hosts than a page could list. */
    private static final int ALL = 100_000;

    private final Database database;

    public DispatchHealthSource(Database database) {
        this.database = database;
    }

    @Override
    public List<HostHealth> of(Principal principal) {
        var all =
                new HostFilter(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        ALL);
        return database
                .read(snapshot -> HostQueries.list(snapshot, principal, all, Instant.MIN))
                .stream()
                .map(DispatchHealthSource::health)
                .toList();
    }

    private static HostHealth health(HostDetails host) {
        Optional<JsonFields> metrics = fields(host.lastMetrics());
        return new HostHealth(
                host.id(),
                host.status(),
                host.degradedReason(),
                host.lastHeartbeatAt(),
                host.agentVersion(),
                percent(metrics, "cpu"),
                List.of(),
                percent(metrics, "memory"),
                percent(metrics, "disk"),
                fields(host.labels()).map(JsonFields::texts).orElse(Map.of()),
                host.name(),
                host.maxConcurrent(),
                host.jobsPerMinute(),
                host.allows());
    }

    private static Optional<JsonFields> fields(@Nullable Object json) {
        return Optional.ofNullable(json).map(Json::text).map(Json::fields);
    }

    private static @Nullable Integer percent(Optional<JsonFields> metrics, String name) {
        return metrics.flatMap(m -> m.decimal(name))
                .map(share -> Math.toIntExact(Math.round(share * 100)))
                .orElse(null);
    }
}
