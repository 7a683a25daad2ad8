-- What programs know of what waits, as JSON; whether the yes holds for later ones too; why it was denied.
ALTER TABLE approvals ADD COLUMN detail TEXT;
ALTER TABLE approvals ADD COLUMN always BIGINT NOT NULL DEFAULT 0;
ALTER TABLE approvals ADD COLUMN reason TEXT;
