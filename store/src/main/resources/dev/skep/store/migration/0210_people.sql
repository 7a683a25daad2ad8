-- A person has an operator in each org they belong to. The first one keeps what proves who they are (password, second
-- factor, identities); the operators in other orgs name it. Null: the operator is its own person.
ALTER TABLE operators ADD COLUMN person_id TEXT;

-- The identity provider whose groups decide about this membership. Null: an admin does.
ALTER TABLE operators ADD COLUMN managed_by TEXT;

-- The identity provider that disabled it, because the groups are gone. Null: an admin did.
ALTER TABLE operators ADD COLUMN disabled_by TEXT;

CREATE UNIQUE INDEX operators_by_person ON operators (person_id, org_id) WHERE person_id IS NOT NULL;

-- Of sessions: where they were opened and with what, as the client says. one_org: made by a link of an org's admin, so
-- it speaks for that org only, whatever other orgs the person is in.
ALTER TABLE credentials ADD COLUMN address TEXT;
ALTER TABLE credentials ADD COLUMN client TEXT;
ALTER TABLE credentials ADD COLUMN one_org BIGINT;
