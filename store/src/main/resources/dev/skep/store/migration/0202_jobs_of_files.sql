-- Changes of agents' files that wait for their host are shown with the agent: few among many jobs.
CREATE INDEX jobs_of_files ON jobs (org_id, host_id, id)
    WHERE type IN ('agent.create', 'agent.edit', 'agent.remove', 'agent.restore');
