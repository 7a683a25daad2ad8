-- From which addresses an operator has signed in: neighbours' wrong tries do not count there against them.
CREATE TABLE signed_in_from (
    operator_id TEXT NOT NULL,
    address TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (operator_id, address));
