-- What an org wants done about its jobs; an org without a row gets what every org gets.
CREATE TABLE job_policies (
    org_id TEXT NOT NULL PRIMARY KEY,
    refuse_excess BIGINT NOT NULL DEFAULT 0,
    updated_at TEXT NOT NULL);
