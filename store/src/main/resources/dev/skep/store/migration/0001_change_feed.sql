-- The only source of stamps: one row, bumped inside the writing transaction and locked until its commit.
CREATE TABLE feed_clock (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    pos BIGINT NOT NULL);

INSERT INTO feed_clock (one, pos) VALUES (1, 0);

-- Closed epochs and how far each got; kept for ever, so that a position of a lost timeline is recognised.
CREATE TABLE epochs (
    epoch BIGINT PRIMARY KEY,
    end_n BIGINT NOT NULL);
