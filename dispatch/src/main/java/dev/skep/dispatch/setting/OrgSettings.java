package dev.skep.dispatch.setting;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an org has set; null: as every org.
 *
 * @param offlineAfterSeconds how long a host may be silent before it is offline
 * @param jobLeaseSeconds how long a run belongs to its host without a heartbeat
 * @param degradedCpuPercent above which a host is degraded; 100: never
 */
public record OrgSettings(
        @Nullable Long offlineAfterSeconds,
        @Nullable Long jobLeaseSeconds,
        @Nullable Integer degradedCpuPercent,
        @Nullable Integer degradedMemoryPercent,
        @Nullable Integer degradedDiskPercent) {
    public static final OrgSettings NONE = new OrgSettings(null, null, null, null, null);

    public Duration offlineAfter(Duration usual) {
        return offlineAfterSeconds == null ? usual : Duration.ofSeconds(offlineAfterSeconds);
    }

    public Duration jobLease(Duration usual) {
        return jobLeaseSeconds == null ? usual : Duration.ofSeconds(jobLeaseSeconds);
    }

    public LoadThresholds thresholds() {
        LoadThresholds usual = LoadThresholds.STANDARD;
        return new LoadThresholds(
                Optional.ofNullable(degradedCpuPercent).orElse(usual.cpu()),
                Optional.ofNullable(degradedMemoryPercent).orElse(usual.memory()),
                Optional.ofNullable(degradedDiskPercent).orElse(usual.disk()));
    }
}
