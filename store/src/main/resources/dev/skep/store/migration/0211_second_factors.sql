-- A secret for one-time codes, encrypted with the key of secrets.key. It counts once a first code confirmed it.
-- last_step: the time step of the last code that was used; a code of that step or an earlier one is refused.
CREATE TABLE second_factors (
    operator_id TEXT NOT NULL PRIMARY KEY,
    secret TEXT NOT NULL,
    last_step BIGINT NOT NULL,
    created_at TEXT NOT NULL,
    confirmed_at TEXT);

-- Each lets its person in once, without a code; as their hashes.
CREATE TABLE recovery_codes (
    operator_id TEXT NOT NULL,
    code_hash TEXT NOT NULL,
    used_at TEXT,
    PRIMARY KEY (operator_id, code_hash));
