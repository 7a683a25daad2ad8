-- Which of the processes on a hub's database keeps the links to other hubs, and until when by the steady clock.
CREATE TABLE upstream_turn (
    one BIGINT NOT NULL PRIMARY KEY,
    holder TEXT NOT NULL,
    until TEXT NOT NULL);
