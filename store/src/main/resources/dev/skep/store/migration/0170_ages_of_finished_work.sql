-- When a row came to its end, by the retention clock: from then on it ages. The times in the other columns
-- are for people; a clock that was wrong when they were written must not take the row away early. What had
-- ended before begins to age now.
ALTER TABLE job_runs ADD COLUMN ages_from BIGINT NOT NULL DEFAULT 0;

ALTER TABLE alerts ADD COLUMN ages_from BIGINT NOT NULL DEFAULT 0;

ALTER TABLE deliveries ADD COLUMN ages_from BIGINT NOT NULL DEFAULT 0;

ALTER TABLE approvals ADD COLUMN ages_from BIGINT NOT NULL DEFAULT 0;

ALTER TABLE host_connections ADD COLUMN ages_from BIGINT NOT NULL DEFAULT 0;
