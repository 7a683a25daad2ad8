-- The steady clock of this database: how far it had come when the wall clock said so.
CREATE TABLE steady_clock (
    one INTEGER NOT NULL PRIMARY KEY,
    at TEXT NOT NULL,
    wall TEXT NOT NULL
);
