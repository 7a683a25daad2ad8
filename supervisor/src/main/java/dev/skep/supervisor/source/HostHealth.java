package dev.skep.supervisor.source;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a host is, as a hub knows it.
 *
 * @param status {@code online}, {@code degraded}, {@code offline} or {@code unknown}
 * @param reason why it is degraded, or when it was last heard
 * @param cpu percent; memory and disk likewise, null where the host does not say
 */
public record HostHealth(
        String host,
        String status,
        @Nullable String reason,
        @Nullable Instant lastHeartbeatAt,
        @Nullable String version,
        @Nullable Integer cpu,
        @Nullable Integer memory,
        @Nullable Integer disk,
        Map<String, String> labels,
        @Nullable String displayName,
        @Nullable Integer maxConcurrent,
        @Nullable Integer jobsPerMinute) {}
