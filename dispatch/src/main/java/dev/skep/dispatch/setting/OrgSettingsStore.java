package dev.skep.dispatch.setting;

import dev.skep.kernel.id.OrgId;
import dev.skep.store.ResultRow;
import dev.skep.store.Snapshot;
import dev.skep.store.Transaction;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The table {@code org_settings}; an org without a row has set nothing. */
public final class OrgSettingsStore {
    private static final String COLUMNS =
            "offline_after_seconds, job_lease_seconds, degraded_cpu_percent, degraded_memory_percent, degraded_disk_percent";

    private OrgSettingsStore() {}

    public static OrgSettings of(Snapshot snapshot, OrgId org) {
        return snapshot.first(
                        "SELECT %s FROM org_settings WHERE org_id = ?".formatted(COLUMNS),
                        OrgSettingsStore::read,
                        org.value())
                .orElse(OrgSettings.NONE);
    }

    /** Of all orgs that have set something, for what is decided about hosts of several at once. */
    public static Map<OrgId, OrgSettings> all(Snapshot snapshot) {
        Map<OrgId, OrgSettings> all = new HashMap<>();
        snapshot.list(
                "SELECT org_id, %s FROM org_settings".formatted(COLUMNS),
                row -> all.put(new OrgId(row.text("org_id")), read(row)) == null);
        return all;
    }

    /** The times of silence that some org has set, in seconds. */
    public static List<Long> offlineTimes(Snapshot snapshot) {
        return snapshot.list(
                """
                SELECT DISTINCT offline_after_seconds FROM org_settings
                WHERE offline_after_seconds IS NOT NULL""",
                row -> row.number("offline_after_seconds"));
    }

    public static void set(Transaction transaction, OrgId org, OrgSettings settings, Instant now) {
        transaction.update(
                """
                INSERT INTO org_settings (org_id, %s, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (org_id) DO UPDATE
                SET offline_after_seconds = excluded.offline_after_seconds,
                    job_lease_seconds = excluded.job_lease_seconds,
                    degraded_cpu_percent = excluded.degraded_cpu_percent,
                    degraded_memory_percent = excluded.degraded_memory_percent,
                    degraded_disk_percent = excluded.degraded_disk_percent,
                    updated_at = excluded.updated_at"""
                        .formatted(COLUMNS),
                org.value(),
                settings.offlineAfterSeconds(),
                settings.jobLeaseSeconds(),
                settings.degradedCpuPercent(),
                settings.degradedMemoryPercent(),
                settings.degradedDiskPercent(),
                now);
    }

    private static OrgSettings read(ResultRow row) {
        return new OrgSettings(
                row.numberOrNull("offline_after_seconds"),
                row.numberOrNull("job_lease_seconds"),
                percent(row, "degraded_cpu_percent"),
                percent(row, "degraded_memory_percent"),
                percent(row, "degraded_disk_percent"));
    }

    private static @Nullable Integer percent(ResultRow row, String column) {
        Long stored = row.numberOrNull(column);
        return stored == null ? null : stored.intValue();
    }
}
