-- The session of its runtime that an agent is in. Local: the ids of a runtime mean nothing elsewhere.
CREATE TABLE managed_sessions (
    user_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    runtime TEXT NOT NULL,
    folder TEXT NOT NULL,
    runtime_session TEXT NOT NULL);
