-- Seed 3, section 3: status, metrics and labels come later than the table, all nullable, so that the version before
-- goes on working; what is not filled yet is filled by the hub at its start.
ALTER TABLE host_health ADD COLUMN status TEXT DEFAULT 'unknown';

ALTER TABLE host_health ADD COLUMN status_since TEXT;

ALTER TABLE host_health ADD COLUMN beats BIGINT;

ALTER TABLE host_health ADD COLUMN last_metrics TEXT;

ALTER TABLE host_health ADD COLUMN labels TEXT;

ALTER TABLE host_health ADD COLUMN degraded_reason TEXT;

CREATE INDEX host_health_by_status ON host_health (org_id, status);
