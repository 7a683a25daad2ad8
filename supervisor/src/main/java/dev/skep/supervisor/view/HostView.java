package dev.skep.supervisor.view;

import dev.skep.kernel.id.Keyed;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A host in a list.
 *
 * @param cpuHistory percents of the last minutes, the newest last
 * @param allows what it lets its hub do, null if it does not say
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
    /** A hub is listed among hosts and works for nobody, so it is not counted as one. */
    boolean isHub() {
        return kind.equals("hub");
    }
}
