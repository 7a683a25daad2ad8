-- Through which hub a command was decided; empty where it was decided on this host.
ALTER TABLE approvals ADD COLUMN decided_through TEXT;

-- What was decided lately, for the cards of the pages; few lines of a log are such.
CREATE INDEX context_log_decisions ON context_log (org_id, id) WHERE type = 'decision';
