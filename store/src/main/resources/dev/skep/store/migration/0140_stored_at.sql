-- How long this database has been at work, in milliseconds that count monotonic time: ages are judged by
-- it, and by no machine's wall clock. highest is the latest wall time that was ever read; held is time that
-- it jumped over and that was not counted; round_at is when old rows were last looked for.
CREATE TABLE retention_clock (
    one INTEGER NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL,
    highest BIGINT NOT NULL,
    held BIGINT NOT NULL,
    round_at BIGINT NOT NULL);

INSERT INTO retention_clock (one, at, highest, held, round_at) VALUES (1, 0, 0, 0, 0);

-- What the last round could not do: rows that are too old and stay for the next, or for a hub.
CREATE TABLE retention_backlog (
    table_name TEXT NOT NULL PRIMARY KEY,
    waiting BIGINT NOT NULL,
    not_pulled BIGINT NOT NULL,
    since BIGINT NOT NULL);

-- Horizons by the time in ids are no more: a wrong clock had set them, and they swallowed new rows.
DELETE FROM retention;

-- Per table the highest stamp its owner has let go by age; it travels with the host.
ALTER TABLE hosts ADD COLUMN floors TEXT;

-- On a hub: the lowest stamp of a host's rows that were set aside, 0 for none. What is behind it does not
-- count as pulled, so that its owner keeps it.
ALTER TABLE hub_sync_state ADD COLUMN aside_from BIGINT NOT NULL DEFAULT 0;

ALTER TABLE sync_quarantine ADD COLUMN ver BIGINT NOT NULL DEFAULT 0;

ALTER TABLE sync_quarantine ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

-- When a row's present version was stored here, by the retention clock; it does not travel. What was here
-- before begins to age now.
ALTER TABLE hosts ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE users ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE user_notifications ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE mail_messages ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE mail_recipients ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE mail_status ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE run_session ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE context_log ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE costs ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE nodes ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE connections ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

ALTER TABLE stats ADD COLUMN stored_at BIGINT NOT NULL DEFAULT 0;

CREATE INDEX hosts_stored ON hosts (stored_at, ver);

CREATE INDEX users_stored ON users (stored_at, ver);

CREATE INDEX user_notifications_stored ON user_notifications (stored_at, ver);

CREATE INDEX mail_messages_stored ON mail_messages (stored_at, ver);

CREATE INDEX mail_recipients_stored ON mail_recipients (stored_at, ver);

CREATE INDEX mail_status_stored ON mail_status (stored_at, ver);

CREATE INDEX run_session_stored ON run_session (stored_at, ver);

CREATE INDEX context_log_stored ON context_log (stored_at, ver);

CREATE INDEX costs_stored ON costs (stored_at, ver);

CREATE INDEX nodes_stored ON nodes (stored_at, ver);

CREATE INDEX connections_stored ON connections (stored_at, ver);

CREATE INDEX stats_stored ON stats (stored_at, ver);
