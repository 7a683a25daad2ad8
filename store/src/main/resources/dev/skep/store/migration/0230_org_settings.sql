-- What an org has set instead of what every org gets; null, or no row: as every org.
CREATE TABLE org_settings (
    org_id TEXT NOT NULL PRIMARY KEY,
    offline_after_seconds BIGINT,
    job_lease_seconds BIGINT,
    degraded_cpu_percent BIGINT,
    degraded_memory_percent BIGINT,
    degraded_disk_percent BIGINT,
    updated_at TEXT NOT NULL);
