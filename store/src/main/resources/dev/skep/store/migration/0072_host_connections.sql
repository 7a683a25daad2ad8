-- On a hub: when a host's link opened and closed, from which address, at which hub process, and why it ended. The newest
-- of each host are kept. One without an end is open, or its hub process ended without a word.
CREATE TABLE host_connections (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    hub TEXT NOT NULL,
    peer_addr TEXT NOT NULL,
    opened_at TEXT NOT NULL,
    closed_at TEXT,
    ended_reason TEXT);

CREATE INDEX host_connections_by_host ON host_connections (host_id, id);

CREATE INDEX host_connections_by_org ON host_connections (org_id, id);

CREATE INDEX host_connections_open ON host_connections (host_id) WHERE closed_at IS NULL;
