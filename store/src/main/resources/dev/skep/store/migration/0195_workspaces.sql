-- The repositories that agents of this host work in, each a clone of its own.
CREATE TABLE workspaces (
    user_id TEXT NOT NULL PRIMARY KEY,
    repo TEXT NOT NULL,
    branch TEXT NOT NULL,
    base_commit TEXT NOT NULL,
    made_at TEXT NOT NULL);
