-- The versions of agents' files, in a ring of slots per agent. Each text is without secrets, as in users.config.
CREATE TABLE agent_versions (
    user_id TEXT NOT NULL,
    slot TEXT NOT NULL,
    number BIGINT NOT NULL,
    hash TEXT NOT NULL,
    author TEXT,
    hub TEXT,
    reason TEXT,
    change_id TEXT,
    content TEXT NOT NULL,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    stored_at BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, slot));

CREATE INDEX agent_versions_feed ON agent_versions (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX agent_versions_stored ON agent_versions (stored_at, ver);

-- The number of the newest version.
ALTER TABLE users ADD COLUMN config_version BIGINT;

-- On a runner: what is about to be written into agents' files, so that a file that was written before a power cut has its
-- author. Local.
CREATE TABLE agent_changes (
    org_id TEXT NOT NULL,
    path TEXT NOT NULL,
    hash TEXT NOT NULL,
    user_id TEXT NOT NULL,
    author TEXT,
    hub TEXT,
    reason TEXT,
    change_id TEXT,
    PRIMARY KEY (org_id, path));
