-- Who keeps the steady clock, by the name of its sessions at the server: while one of them has a session,
-- a process that starts goes on where the clock is, since the pause was none. A file has one process.
CREATE TABLE steady_clock_keepers (
    session TEXT NOT NULL PRIMARY KEY);
