-- What programs read of a line of a log, as JSON; its message is for people.
ALTER TABLE context_log ADD COLUMN detail TEXT;
