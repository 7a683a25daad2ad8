-- Which hosts a secret is meant for; its values are nowhere here but sealed in the jobs that bring them.
CREATE TABLE secret_targets (
    org_id TEXT NOT NULL,
    name TEXT NOT NULL,
    target TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (org_id, name, target));

-- For which hosts it was sealed last, and the job that brings it there.
CREATE TABLE secret_seals (
    org_id TEXT NOT NULL,
    name TEXT NOT NULL,
    host_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    job_id TEXT NOT NULL,
    sealed_by TEXT NOT NULL,
    sealed_at TEXT NOT NULL,
    PRIMARY KEY (org_id, name, host_id));
