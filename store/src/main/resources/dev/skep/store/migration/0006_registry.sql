-- Live agent processes. Clients choose the ids, so a node is known by its host and its id. One that left or was
-- pruned keeps its row with removed_at set for a while, so that the removal travels like any change.
CREATE TABLE nodes (
    id TEXT NOT NULL,
    machine TEXT NOT NULL,
    cwd TEXT NOT NULL,
    port BIGINT NOT NULL,
    pid BIGINT,
    status TEXT NOT NULL,
    registered_at TEXT NOT NULL,
    last_seen_at TEXT NOT NULL,
    offline_since TEXT,
    reconnects BIGINT NOT NULL DEFAULT 0,
    removed_at TEXT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (host_id, id));

CREATE INDEX nodes_feed ON nodes (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX nodes_removed ON nodes (removed_at) WHERE removed_at IS NOT NULL;

-- Append-only: when nodes came and went, and from where.
CREATE TABLE connections (
    id TEXT NOT NULL PRIMARY KEY,
    node_id TEXT NOT NULL,
    event TEXT NOT NULL,
    ts TEXT NOT NULL,
    peer_addr TEXT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX connections_feed ON connections (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX connections_by_node ON connections (host_id, node_id, id);

-- Written every minute and when a node goes. counted_until: up to when total_uptime_sec has counted, so that
-- no stretch of time is counted twice after a crash.
CREATE TABLE stats (
    node_id TEXT NOT NULL,
    messages_relayed BIGINT NOT NULL DEFAULT 0,
    proxy_sessions BIGINT NOT NULL DEFAULT 0,
    total_uptime_sec BIGINT NOT NULL DEFAULT 0,
    errors BIGINT NOT NULL DEFAULT 0,
    counted_until TEXT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (host_id, node_id));

CREATE INDEX stats_feed ON stats (org_id, feed, host_id) WHERE feed IS NOT NULL;
