-- How far this database and each peer have got with each other. On a hub a peer is a host, and the
-- position is how far it was pulled; on a runner a peer is a hub, and the position is how far its
-- forwards were applied. head is the clock of whoever made the position, as it was then.
CREATE TABLE hub_sync_state (
    id TEXT NOT NULL PRIMARY KEY,
    since_timestamp BIGINT NOT NULL DEFAULT 0,
    head BIGINT NOT NULL DEFAULT 0,
    pulled BIGINT NOT NULL DEFAULT 0,
    link_no BIGINT NOT NULL DEFAULT 0,
    heals BIGINT NOT NULL DEFAULT 0,
    heals_from TEXT,
    updated_at TEXT NOT NULL);

-- The highest stamp of each host and epoch that was met: on a runner in rows it holds, on a hub by
-- what runners told it. A runner's entries about itself are those it has answered with new stamps.
CREATE TABLE seen (
    host_id TEXT NOT NULL,
    epoch BIGINT NOT NULL,
    max_n BIGINT NOT NULL,
    PRIMARY KEY (host_id, epoch));

-- Rows that were not stored, or no longer are, and why; for people to look at.
CREATE TABLE sync_quarantine (
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    table_name TEXT NOT NULL,
    row_key TEXT NOT NULL,
    reason TEXT NOT NULL,
    row_json TEXT,
    created_at TEXT NOT NULL,
    PRIMARY KEY (org_id, host_id, table_name, row_key, reason));

-- An operator's decision that a host takes over an agent; its generation outranks the old owner.
CREATE TABLE ownership_grants (
    user_id TEXT NOT NULL,
    gen BIGINT NOT NULL,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    created_at TEXT NOT NULL,
    PRIMARY KEY (user_id, gen));

CREATE INDEX ownership_grants_by_host ON ownership_grants (org_id, host_id);

-- On a hub: whose a name is, the first live row stored with it. table_name is users or hosts.
CREATE TABLE name_claims (
    org_id TEXT NOT NULL,
    table_name TEXT NOT NULL,
    name TEXT NOT NULL,
    row_id TEXT NOT NULL,
    PRIMARY KEY (org_id, table_name, name));

CREATE INDEX name_claims_by_row ON name_claims (table_name, row_id);

-- Rows born before the horizon of their table are not stored here; it only moves forward.
CREATE TABLE retention (
    table_name TEXT NOT NULL PRIMARY KEY,
    horizon TEXT NOT NULL);
