package dev.skep.supervisor.source;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The health of a host, as a hub knows it.
 *
 * @param status {@code online}, {@code degraded}, {@code offline} or {@code unknown}
 * @param reason why it is degraded, or when its last heartbeat came
 * @param lastHeartbeatAt null if it is not known, and for this process itself
 * @param cpuHistory the loads of the last heartbeats, the newest last; empty if they are not kept
 * @param cpu percent; memory and disk likewise, null if the host does not report it
 * @param allows what it lets its hub do, null if it does not report it
 */
public record HostHealth(
        String host,
        String status,
        @Nullable String reason,
        @Nullable Instant lastHeartbeatAt,
        @Nullable String version,
        @Nullable Integer cpu,
        List<Integer> cpuHistory,
        @Nullable Integer memory,
        @Nullable Integer disk,
        Map<String, String> labels,
        @Nullable String displayName,
        @Nullable Integer maxConcurrent,
        @Nullable Integer jobsPerMinute,
        @Nullable List<String> allows) {
    public HostHealth {
        cpuHistory = List.copyOf(cpuHistory);
        labels = Collections.unmodifiableMap(new TreeMap<>(labels));
    }

    /** A host without any heartbeat. */
    public static HostHealth unknown(String host, @Nullable String version) {
        return new HostHealth(
                host, "unknown", null, null, version, null, List.of(), null, null, Map.of(), null,
                null, null, null);
    }

    /** The same host, of which something else is known. */
    public HostHealth as(String other, @Nullable Instant heartbeat) {
        return new HostHealth(
                host,
                other,
                other.equals("offline") ? null : reason,
                heartbeat,
                version,
                cpu,
                cpuHistory,
                memory,
                disk,
                labels,
                displayName,
                maxConcurrent,
                jobsPerMinute,
                allows);
    }
}
