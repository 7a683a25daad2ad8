-- Accounts at identity providers, by the issuer and the subject that it never reassigns.
CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    operator_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    signed_in_at TEXT,
    PRIMARY KEY (issuer, subject));

CREATE INDEX identities_by_operator ON identities (operator_id);
