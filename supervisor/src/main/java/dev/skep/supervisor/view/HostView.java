package dev.skep.supervisor.view;

import dev.skep.supervisor.live.Keyed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A host in a list.
 *
 * @param cpuHistory percents of the last minutes, the newest last
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
        boolean nameConflict,
        Instant createdAt)
        implements Keyed {}
