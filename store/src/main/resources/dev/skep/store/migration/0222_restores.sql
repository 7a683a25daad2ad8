-- Which restore from a backup this database comes from, empty for none: what must not be believed
-- twice remembers it, and notices another one. Backups leave it out.
CREATE TABLE restores (
    one BIGINT NOT NULL PRIMARY KEY,
    id TEXT NOT NULL);

INSERT INTO restores (one, id) VALUES (1, '');
