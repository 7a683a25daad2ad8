-- On a runner: the budgets of its hubs that apply to it. They are in backups.
CREATE TABLE lent_budgets (
    hub_id TEXT NOT NULL,
    budget_id TEXT NOT NULL,
    name TEXT NOT NULL,
    agent_id TEXT,
    amount BIGINT NOT NULL,
    window_ms BIGINT NOT NULL,
    free BIGINT NOT NULL,
    PRIMARY KEY (hub_id, budget_id));

-- What it holds of them and has spent. Backups leave these out: an old one would spend twice.
CREATE TABLE held_leases (
    id TEXT NOT NULL PRIMARY KEY,
    hub_id TEXT NOT NULL,
    budget_id TEXT NOT NULL,
    amount BIGINT NOT NULL,
    spent BIGINT NOT NULL,
    lasts_ms BIGINT NOT NULL,
    used_ms BIGINT NOT NULL,
    rested_ms BIGINT NOT NULL,
    wall BIGINT NOT NULL,
    boot BIGINT NOT NULL,
    boot_id TEXT NOT NULL,
    wall_was BIGINT NOT NULL,
    state TEXT NOT NULL);

CREATE TABLE lease_requests (
    id TEXT NOT NULL PRIMARY KEY,
    hub_id TEXT NOT NULL,
    budget_id TEXT NOT NULL,
    least BIGINT NOT NULL,
    most BIGINT NOT NULL,
    wall BIGINT NOT NULL,
    boot BIGINT NOT NULL,
    boot_id TEXT NOT NULL);

CREATE TABLE lease_ledgers (
    hub_id TEXT NOT NULL PRIMARY KEY,
    ledger TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    acknowledged BIGINT NOT NULL,
    closing TEXT,
    heard BIGINT NOT NULL);
