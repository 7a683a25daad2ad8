-- On a runner: agents that came from elsewhere, by which hub, and the file each has below agents/. Local, and never changed
-- by what a hub says: a file that is named here is not trusted like one that was written on this machine.
CREATE TABLE foreign_agents (
    user_id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    hub TEXT NOT NULL,
    path TEXT,
    came_at TEXT NOT NULL);

CREATE INDEX foreign_agents_by_path ON foreign_agents (path);
