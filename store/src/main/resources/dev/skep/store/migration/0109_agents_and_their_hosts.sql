-- Hosts that owned an agent before it was taken over, parted by spaces; it travels with the agent.
ALTER TABLE users ADD COLUMN former_hosts TEXT;

-- On a hub: which hosts write for an agent, or once did. known = 0: rows of the host wait for it.
CREATE TABLE agent_hosts (
    org_id TEXT NOT NULL,
    host_id TEXT NOT NULL,
    user_id TEXT NOT NULL,
    known BIGINT NOT NULL,
    PRIMARY KEY (org_id, host_id, user_id));

INSERT INTO agent_hosts (org_id, host_id, user_id, known) SELECT org_id, host_id, id, 1 FROM users;

-- Of agents that were taken over before this was kept: whoever wrote for them then.
INSERT INTO agent_hosts (org_id, host_id, user_id, known)
SELECT DISTINCT s.org_id, s.host_id, s.user_id, 1 FROM run_session s
JOIN users u ON u.id = s.user_id AND u.org_id = s.org_id WHERE u.gen > 0
ON CONFLICT (org_id, host_id, user_id) DO NOTHING;

INSERT INTO agent_hosts (org_id, host_id, user_id, known)
SELECT DISTINCT m.org_id, m.host_id, m.from_user_id, 1 FROM mail_messages m
JOIN users u ON u.id = m.from_user_id AND u.org_id = m.org_id WHERE u.gen > 0
ON CONFLICT (org_id, host_id, user_id) DO NOTHING;

INSERT INTO agent_hosts (org_id, host_id, user_id, known)
SELECT g.org_id, g.host_id, g.user_id, 1 FROM ownership_grants g
WHERE TRUE ON CONFLICT (org_id, host_id, user_id) DO NOTHING;
