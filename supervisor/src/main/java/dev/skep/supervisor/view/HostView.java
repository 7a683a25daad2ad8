package dev.skep.supervisor.view;

import dev.skep.directory.HostRow;
import dev.skep.kernel.id.Keyed;
import dev.skep.supervisor.source.HostHealth;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A host in a list.
 *
 * @param cpuHistory percents of the last minutes, the newest last
 * @param allows what it lets its hub do, null if it does not report that
 */
public record HostView(
        String id,
        String name,
        String kind,
        String status,
        @Nullable String reason,
        @Nullable Instant lastSeenAt,
        @Nullable String version,
        Map<String, String> labels,
        @Nullable Integer cpu,
        List<Integer> cpuHistory,
        @Nullable Integer memory,
        @Nullable Integer disk,
        int agents,
        int active,
        @Nullable Integer maxConcurrent,
        @Nullable Integer jobsPerMinute,
        @Nullable List<String> allows,
        boolean nameConflict,
        Instant createdAt)
        implements Keyed {
    /**
     * A host with its health.
     *
     * @param working how many of its agents work, as far as reported
     */
    static HostView of(
            HostRow known,
            @Nullable HostHealth health,
            List<Integer> cpuHistory,
            int agents,
            int working) {
        return health == null
                ? new HostView(
                        known.id().value(),
                        known.name(),
                        known.kind(),
                        "unknown",
                        null,
                        null,
                        null,
                        Map.of(),
                        null,
                        List.of(),
                        null,
                        null,
                        agents,
                        0,
                        null,
                        null,
                        null,
                        known.nameConflict(),
                        known.createdAt())
                : new HostView(
                        known.id().value(),
                        health.displayName() == null ? known.name() : health.displayName(),
                        known.kind(),
                        health.status(),
                        health.reason(),
                        health.lastHeartbeatAt(),
                        health.version(),
                        health.labels(),
                        health.cpu(),
                        cpuHistory,
                        health.memory(),
                        health.disk(),
                        agents,
                        isThere(health.status()) ? working : 0,
                        health.maxConcurrent(),
                        health.jobsPerMinute(),
                        health.allows(),
                        known.nameConflict(),
                        known.createdAt());
    }

    boolean isThere() {
        return isThere(status);
    }

    private static boolean isThere(String status) {
        return status.equals("online") || status.equals("degraded");
    }

    /** A hub is listed among hosts and runs no jobs, so it is not counted as one. */
    boolean isHub() {
        return kind.equals("hub");
    }
}
