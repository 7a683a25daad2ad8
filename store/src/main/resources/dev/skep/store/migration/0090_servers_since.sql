-- When a server's state began; updated_at moves with its name and command, too.
ALTER TABLE server_instances ADD COLUMN state_since TEXT;

UPDATE server_instances SET state_since = updated_at;
