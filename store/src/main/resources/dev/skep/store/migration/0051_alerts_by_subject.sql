-- A host's page asks for the alerts about it; every page asks for those that are open.
CREATE INDEX alerts_by_subject ON alerts (org_id, subject, id);

CREATE INDEX alerts_open_by_org ON alerts (org_id, id) WHERE resolved_at IS NULL;
