-- On a hub: budgets, what is lent of them, and how far the clock has come that this is counted by.
CREATE TABLE budgets (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    subject TEXT NOT NULL,
    amount BIGINT NOT NULL,
    window_ms BIGINT NOT NULL,
    refused_age BIGINT,
    refused_least BIGINT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (org_id, name));

CREATE TABLE budget_leases (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    budget_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    request_id TEXT NOT NULL,
    amount BIGINT NOT NULL,
    spent BIGINT NOT NULL,
    lasts_ms BIGINT NOT NULL,
    granted_age BIGINT NOT NULL,
    returned_age BIGINT);

CREATE INDEX budget_leases_org ON budget_leases (org_id, budget_id);

-- What each host has told of its leases.
CREATE TABLE budget_ledgers (
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    ledger TEXT NOT NULL,
    sequence BIGINT NOT NULL,
    told TEXT,
    unsure_age BIGINT,
    PRIMARY KEY (org_id, host_id));

-- Which hosts have heard of a budget, and what each spends of it in an hour.
CREATE TABLE budget_rates (
    org_id TEXT NOT NULL,
    budget_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    rate BIGINT NOT NULL,
    age BIGINT NOT NULL,
    PRIMARY KEY (org_id, budget_id, host_id));

-- Whether an org's budgets are lent at the moment. restored_by is the last restore of the database
-- that this hub knew of.
CREATE TABLE budget_gates (
    org_id TEXT NOT NULL PRIMARY KEY,
    closing TEXT,
    why TEXT NOT NULL,
    since_age BIGINT NOT NULL,
    restored_by TEXT NOT NULL);

CREATE TABLE lending_clock (
    one BIGINT NOT NULL PRIMARY KEY,
    age BIGINT NOT NULL,
    boot BIGINT NOT NULL,
    boot_id TEXT NOT NULL,
    wall BIGINT NOT NULL);
