-- The types of job that the keys of an org's agents may ask for, parted by spaces; null: as at first.
ALTER TABLE job_policies ADD COLUMN agent_job_types TEXT;
