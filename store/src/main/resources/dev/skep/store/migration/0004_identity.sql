-- Tenants. The default one is there from the start, so that nobody has to set one up.
CREATE TABLE orgs (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL);

INSERT INTO orgs (id, name, created_at) VALUES ('default', 'default', '2026-01-01T00:00:00.000000Z');

-- Which host this database belongs to: the owner of the rows that originate here.
CREATE TABLE local_host (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    host_id TEXT NOT NULL);

-- People. A name is unique within its org only, so that it tells nothing about another.
CREATE TABLE operators (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    username TEXT NOT NULL,
    role TEXT NOT NULL,
    password_hash TEXT,
    signed_in_at TEXT,
    disabled_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    UNIQUE (org_id, username));

-- Everything that proves who somebody is. A secret is here as its hash only; of a host's key pair there is
-- only the public half. subject: the host, operator or agent it speaks for; empty for a key of the org itself.
CREATE TABLE credentials (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    host_id TEXT,
    version BIGINT NOT NULL DEFAULT 1,
    label TEXT NOT NULL,
    secret_hash TEXT,
    public_key TEXT,
    machine TEXT,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT,
    used_at TEXT,
    revoked_at TEXT);

CREATE UNIQUE INDEX credentials_by_secret ON credentials (secret_hash) WHERE secret_hash IS NOT NULL;

-- One host id, one org: a second claim to a version of a host's key fails here, whoever makes it.
CREATE UNIQUE INDEX credentials_host_key ON credentials (subject, version) WHERE kind = 'host_key';

CREATE INDEX credentials_by_subject ON credentials (org_id, kind, subject);

-- One-use invitations; host_id is set where the code lets one known host bring a new key.
CREATE TABLE pairing_codes (
    code_hash TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    host_id TEXT,
    created_by TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    used_at TEXT,
    used_by TEXT);

-- Append-only: who did what to what, from where and when. ids are in time order.
CREATE TABLE audit_log (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    target TEXT NOT NULL,
    address TEXT NOT NULL,
    detail TEXT NOT NULL);

CREATE INDEX audit_log_by_org ON audit_log (org_id, id);

CREATE INDEX audit_log_by_target ON audit_log (org_id, target, id);
