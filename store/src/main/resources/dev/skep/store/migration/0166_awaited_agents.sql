-- On a runner: rows that a hub forwarded were set aside, because the agent they are written for is not known as
-- their host's. Once it is, the hub is asked again from here on.
CREATE TABLE awaited_agents (
    hub TEXT NOT NULL,
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    asked_from BIGINT NOT NULL,
    PRIMARY KEY (hub, org_id, host_id, user_id));

-- Runners keep agent_hosts from now on, as hubs do.
INSERT INTO agent_hosts (org_id, host_id, user_id, known) SELECT org_id, host_id, id, 1 FROM users
WHERE TRUE ON CONFLICT (org_id, host_id, user_id) DO NOTHING;

INSERT INTO agent_hosts (org_id, host_id, user_id, known)
SELECT u.org_id, h.id, u.id, 1 FROM users u
JOIN hosts h ON h.org_id = u.org_id AND ' ' || u.former_hosts || ' ' LIKE '% ' || h.id || ' %'
WHERE u.former_hosts IS NOT NULL
ON CONFLICT (org_id, host_id, user_id) DO NOTHING;
