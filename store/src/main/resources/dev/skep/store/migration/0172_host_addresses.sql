-- On a hub: the addresses that hosts signed when they proved themselves here. A host with one never signs without.
CREATE TABLE host_addresses (
    host_id TEXT NOT NULL,
    address TEXT NOT NULL,
    org_id TEXT NOT NULL,
    learned_at TEXT NOT NULL,
    PRIMARY KEY (host_id, address));
