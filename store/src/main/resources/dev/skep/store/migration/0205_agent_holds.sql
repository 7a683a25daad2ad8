-- What holds all agents of this host: one for each hub that wants it, and one of its owner.
CREATE TABLE agent_holds (
    org_id TEXT NOT NULL,
    holder TEXT NOT NULL,
    hold_id TEXT NOT NULL,
    held_by TEXT NOT NULL,
    reason TEXT NOT NULL,
    since TEXT NOT NULL,
    lifted BIGINT NOT NULL,
    PRIMARY KEY (org_id, holder));
