-- ordered_outside: 1 where something else (Redis) keeps the order of what waits, as the engine that is in use says at its
-- start. Such runs are not in the index that SQL claims by, of which each group of them would change a page per host;
-- they are found by id when that other has to be filled again.
ALTER TABLE job_runs ADD COLUMN ordered_outside BIGINT;

DROP INDEX job_runs_ready;

CREATE INDEX job_runs_ready ON job_runs (host_id, priority DESC, job_id)
    WHERE status = 'pending' AND due_at IS NULL AND ordered_outside IS NULL;

CREATE INDEX job_runs_outside ON job_runs (id)
    WHERE status = 'pending' AND due_at IS NULL AND ordered_outside IS NOT NULL;
