-- Which process of a hub holds which host's link, where several processes share one database. A row that is not
-- renewed in time belongs to a process that is gone.
CREATE TABLE linked_hosts (
    host_id TEXT PRIMARY KEY,
    org_id TEXT NOT NULL,
    place TEXT NOT NULL,
    process TEXT NOT NULL,
    url TEXT NOT NULL,
    lease TEXT NOT NULL,
    until TEXT NOT NULL
);

CREATE INDEX linked_hosts_by_process ON linked_hosts (process);
