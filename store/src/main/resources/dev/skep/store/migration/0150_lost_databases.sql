-- On a host whose database was lost and whose key was kept: hubs that have yet to give its rows back, and whether it still waits
-- for them before it makes agents anew. Local.
CREATE TABLE awaited_hubs (
    hub_id TEXT NOT NULL PRIMARY KEY,
    given_up BIGINT NOT NULL DEFAULT 0);

-- Agents it made from their files although hubs were still to answer: each may be one that comes back. Local.
CREATE TABLE provisional_agents (
    user_id TEXT NOT NULL PRIMARY KEY);

-- The agent that this row turned out to be: it is shown and mailed as that one. It travels with the row.
ALTER TABLE users ADD COLUMN same_as TEXT;
