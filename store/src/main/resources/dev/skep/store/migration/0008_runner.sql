-- Commands that wait for a person's yes. Local: what was decided is in the agent's log.
CREATE TABLE approvals (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    command TEXT NOT NULL,
    requested_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    decision TEXT NOT NULL,
    decided_by TEXT,
    decided_at TEXT);

CREATE INDEX approvals_pending ON approvals (org_id, id) WHERE decision = 'pending';

-- Model calls under way. What is left here after a crash may have been charged, so it is counted as spent.
CREATE TABLE open_calls (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    model TEXT NOT NULL,
    source TEXT NOT NULL,
    at_most BIGINT NOT NULL,
    begun_at TEXT NOT NULL);
