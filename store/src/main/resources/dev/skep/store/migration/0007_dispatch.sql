-- What a hub knows about a host and what its operators say about it; the synced row in hosts is its owner's.
CREATE TABLE host_health (
    host_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    display_name TEXT,
    last_heartbeat_at TEXT,
    agent_version TEXT,
    agent_key_version BIGINT,
    max_concurrent BIGINT NOT NULL DEFAULT 1,
    jobs_per_minute BIGINT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX host_health_by_org ON host_health (org_id);

-- For the sweep that finds who fell silent.
CREATE INDEX host_health_by_heartbeat ON host_health (last_heartbeat_at);

-- What a claim counts against a host's limits; apart from host_health, so that beats and claims do not queue for one row.
CREATE TABLE host_slots (
    host_id TEXT NOT NULL PRIMARY KEY,
    running BIGINT NOT NULL DEFAULT 0,
    minute BIGINT NOT NULL DEFAULT 0,
    started BIGINT NOT NULL DEFAULT 0);

-- A managed process, always of exactly one host.
CREATE TABLE server_instances (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    name TEXT NOT NULL,
    spec TEXT NOT NULL,
    state TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (host_id, name));

CREATE INDEX server_instances_by_org ON server_instances (org_id, id);

-- The request; run_id is its newest run, whose status is the job's.
CREATE TABLE jobs (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    server_instance_id TEXT,
    host_id TEXT NOT NULL,
    type TEXT NOT NULL,
    payload TEXT NOT NULL,
    priority BIGINT NOT NULL DEFAULT 0,
    idempotency_key TEXT,
    timeout_seconds BIGINT,
    max_attempts BIGINT NOT NULL DEFAULT 1,
    run_at TEXT,
    run_id TEXT NOT NULL,
    created_by_id TEXT NOT NULL,
    created_at TEXT NOT NULL);

CREATE INDEX jobs_by_org ON jobs (org_id, id);

CREATE INDEX jobs_by_host ON jobs (host_id, id);

CREATE UNIQUE INDEX jobs_by_idempotency_key ON jobs (org_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

-- One attempt on one host; its id is the job's and the attempt, so that a job's runs are found without an index.
-- Every index here costs PostgreSQL an entry at each change of status: there are only those that claims and sweeps need.
-- due_at: not to be claimed before; NULL once it is due.
-- failures_left and losses_left: how often it may still be followed by another run.
CREATE TABLE job_runs (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    job_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    attempt BIGINT NOT NULL,
    status TEXT NOT NULL,
    priority BIGINT NOT NULL DEFAULT 0,
    due_at TEXT,
    lease_until TEXT,
    deadline TEXT,
    cancel_asked BIGINT NOT NULL DEFAULT 0,
    failures_left BIGINT NOT NULL DEFAULT 0,
    losses_left BIGINT NOT NULL DEFAULT 0,
    started_at TEXT,
    finished_at TEXT,
    result TEXT,
    late_result TEXT);

-- The order of claims: one look per host, whatever waits behind or elsewhere.
CREATE INDEX job_runs_ready ON job_runs (host_id, priority DESC, job_id) WHERE status = 'pending' AND due_at IS NULL;

CREATE INDEX job_runs_delayed ON job_runs (due_at) WHERE status = 'pending' AND due_at IS NOT NULL;

CREATE INDEX job_runs_leased ON job_runs (lease_until) WHERE status = 'running';

CREATE INDEX job_runs_timed ON job_runs (deadline) WHERE status = 'running' AND deadline IS NOT NULL;

-- What a run printed, in the order it printed it.
CREATE TABLE job_output (
    run_id TEXT NOT NULL,
    n BIGINT NOT NULL,
    stream TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (run_id, n));

-- Where an org wants to be told; secret is encrypted with the key file beside the database.
CREATE TABLE webhooks (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    secret TEXT,
    topics TEXT NOT NULL,
    disabled_reason TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX webhooks_by_org ON webhooks (org_id, id);

-- What happened that somebody should know; open until resolved_at.
CREATE TABLE alerts (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    message TEXT NOT NULL,
    raised_at TEXT NOT NULL,
    resolved_at TEXT);

CREATE INDEX alerts_by_org ON alerts (org_id, id);

CREATE UNIQUE INDEX alerts_open ON alerts (org_id, kind, subject) WHERE resolved_at IS NULL;

-- One message for one webhook, kept until it was taken or given up.
CREATE TABLE deliveries (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    topic TEXT NOT NULL,
    body TEXT NOT NULL,
    state TEXT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    due_at TEXT,
    last_status BIGINT,
    last_error TEXT,
    created_at TEXT NOT NULL,
    done_at TEXT);

CREATE INDEX deliveries_due ON deliveries (due_at) WHERE state = 'waiting';

CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id);
