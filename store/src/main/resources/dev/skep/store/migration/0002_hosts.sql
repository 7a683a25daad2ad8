-- Every synced table ends with the same columns: who owns the row, its rank, its place in this
-- database's feed, columns a newer version sent, and times for people.
-- feed is NULL where this database never sends the row on, so the partial index holds only what it does.
CREATE TABLE hosts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    public_key TEXT,
    machine_id TEXT,
    name_conflict BIGINT NOT NULL DEFAULT 0,
    healed_epoch BIGINT,
    retained_from TEXT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX hosts_feed ON hosts (org_id, feed, host_id) WHERE feed IS NOT NULL;
