-- Agents; an operator's mailbox is one, of kind 'operator'. Deleting one sets deleted_at, and that travels.
CREATE TABLE users (
    id TEXT NOT NULL PRIMARY KEY,
    username TEXT NOT NULL,
    title TEXT,
    kind TEXT NOT NULL,
    agent_path TEXT,
    lead_user_id TEXT,
    config TEXT,
    name_conflict BIGINT NOT NULL DEFAULT 0,
    deleted_at TEXT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX users_feed ON users (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX users_by_name ON users (org_id, username);

CREATE INDEX users_by_host ON users (host_id);

-- What other hosts may show about an agent; written on change of state and at most once a minute.
CREATE TABLE user_notifications (
    user_id TEXT NOT NULL PRIMARY KEY,
    latest_log_id TEXT,
    latest_mail_id TEXT,
    last_active TEXT,
    status TEXT,
    budget_left BIGINT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX user_notifications_feed ON user_notifications (org_id, feed, host_id) WHERE feed IS NOT NULL;

-- Append-only.
CREATE TABLE mail_messages (
    id TEXT NOT NULL PRIMARY KEY,
    from_user_id TEXT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    reply_to_id TEXT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX mail_messages_feed ON mail_messages (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX mail_messages_by_sender ON mail_messages (from_user_id, id);

-- Append-only; owned by the sender's host.
CREATE TABLE mail_recipients (
    id TEXT NOT NULL PRIMARY KEY,
    message_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    type TEXT NOT NULL,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX mail_recipients_feed ON mail_recipients (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX mail_recipients_by_message ON mail_recipients (message_id);

CREATE INDEX mail_recipients_by_user ON mail_recipients (user_id, message_id);

-- Owned by the recipient's host; one per message and user.
CREATE TABLE mail_status (
    id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    read_at TEXT,
    archived_at TEXT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (message_id, user_id));

CREATE INDEX mail_status_feed ON mail_status (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX mail_status_by_user ON mail_status (user_id, message_id);

-- One stretch of an agent running.
CREATE TABLE run_session (
    user_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    model_name TEXT,
    latest_log_id TEXT,
    total_lines BIGINT NOT NULL DEFAULT 0,
    total_cost BIGINT NOT NULL DEFAULT 0,
    last_active TEXT,
    ended_reason TEXT,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    PRIMARY KEY (user_id, run_id, session_id));

CREATE INDEX run_session_feed ON run_session (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX run_session_by_run ON run_session (org_id, run_id);

-- Append-only; ids strictly increase within a session.
CREATE TABLE context_log (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    role TEXT NOT NULL,
    source TEXT NOT NULL,
    type TEXT NOT NULL,
    message TEXT NOT NULL,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX context_log_feed ON context_log (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX context_log_by_session ON context_log (user_id, run_id, session_id, id);

-- Money in micro-dollars.
CREATE TABLE costs (
    id TEXT NOT NULL PRIMARY KEY,
    user_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    source TEXT NOT NULL,
    model TEXT NOT NULL,
    cost BIGINT NOT NULL,
    input_tokens BIGINT NOT NULL DEFAULT 0,
    output_tokens BIGINT NOT NULL DEFAULT 0,
    cache_write_tokens BIGINT NOT NULL DEFAULT 0,
    cache_read_tokens BIGINT NOT NULL DEFAULT 0,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    gen BIGINT NOT NULL DEFAULT 0,
    ver BIGINT NOT NULL,
    feed BIGINT,
    extra TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL);

CREATE INDEX costs_feed ON costs (org_id, feed, host_id) WHERE feed IS NOT NULL;

CREATE INDEX costs_by_user ON costs (user_id, created_at);

CREATE INDEX costs_by_time ON costs (org_id, created_at);
