-- What tells a person: a channel is a webhook that belongs to an operator; its topics are kinds of notifications.
-- told_at: by the steady clock, when a message last began its way to it, so that many reasons share one message.
ALTER TABLE webhooks ADD COLUMN operator_id TEXT;

ALTER TABLE webhooks ADD COLUMN told_at TEXT;

CREATE INDEX webhooks_by_operator ON webhooks (org_id, operator_id, id);

-- What a message says, in a line.
ALTER TABLE deliveries ADD COLUMN title TEXT;

-- A reason to tell somebody that is in no message yet. noticed_at: by the steady clock. alert_id: of an alert that may end
-- before the message leaves. more: how many further reasons stand behind this one, where too many wait.
CREATE TABLE notices (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    webhook_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    subject TEXT NOT NULL,
    text TEXT NOT NULL,
    alert_id TEXT,
    more BIGINT NOT NULL DEFAULT 0,
    noticed_at TEXT NOT NULL,
    happened_at TEXT NOT NULL);

CREATE INDEX notices_by_webhook ON notices (webhook_id, id);

-- How far what arrived was looked at, by what: a position of the change feed.
CREATE TABLE notice_positions (
    id TEXT NOT NULL PRIMARY KEY,
    position BIGINT NOT NULL);

-- Through which server an org's e-mail leaves; the password is sealed.
CREATE TABLE mail_servers (
    org_id TEXT NOT NULL PRIMARY KEY,
    host TEXT NOT NULL,
    port BIGINT NOT NULL,
    security TEXT NOT NULL,
    username TEXT,
    password TEXT,
    sender TEXT NOT NULL,
    updated_at TEXT NOT NULL);
