-- What happened in an org, for whoever listens, at whichever process; written in the commit that it tells of.
-- told: events of one kind from one commit, a line each; count: how many. noted_at: microseconds by the one clock that all
-- processes share, so that a cause stands before its effect. pos: the place of its last event among those of the org, given
-- after the commit, NULL until then: to give it in the commit would have all commits of an org wait for each other.
CREATE TABLE org_events (
    id TEXT NOT NULL PRIMARY KEY,
    org_id TEXT NOT NULL,
    noted_at BIGINT NOT NULL,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    count BIGINT NOT NULL,
    told TEXT NOT NULL,
    pos BIGINT);

CREATE INDEX org_events_in_order ON org_events (org_id, pos) WHERE pos IS NOT NULL;

CREATE INDEX org_events_without_place ON org_events (noted_at, id) WHERE pos IS NULL;

-- How many events of each org have their place. The row without an org is locked by whoever gives places.
CREATE TABLE event_places (
    org_id TEXT NOT NULL PRIMARY KEY,
    pos BIGINT NOT NULL);

INSERT INTO event_places (org_id, pos) VALUES ('', 0);

-- How much waits for a webhook, of which there is a bound.
CREATE INDEX deliveries_waiting ON deliveries (webhook_id) WHERE state = 'waiting';
