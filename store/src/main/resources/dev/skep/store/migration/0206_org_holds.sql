-- When all agents of an org were stopped and let go again, and what its hosts say of it.
CREATE TABLE org_holds (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    held_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    held_at TEXT NOT NULL,
    lifted_at TEXT,
    lifted_by TEXT);
CREATE UNIQUE INDEX org_holds_in_force ON org_holds (org_id) WHERE lifted_at IS NULL;
CREATE TABLE host_holds (
    host_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    hold_id TEXT,
    state TEXT NOT NULL,
    reported_at TEXT NOT NULL);
CREATE INDEX host_holds_org ON host_holds (org_id);
