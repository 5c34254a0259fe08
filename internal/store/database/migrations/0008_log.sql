-- +goose Up
-- The logs of what was published; the newest (id) is appended to, in the
-- transactions that publish. checkpoint is its newest signed head, of size
-- signed; size is how many leaves there are.
CREATE TABLE tlog (
    id           BIGINT PRIMARY KEY,
    origin       TEXT   NOT NULL UNIQUE,
    verifier_key TEXT   NOT NULL,
    size         BIGINT NOT NULL,
    signed       BIGINT NOT NULL,
    checkpoint   TEXT   NOT NULL
);

CREATE TABLE tlog_leaf (
    log    BIGINT NOT NULL,
    number BIGINT NOT NULL,
    leaf   BYTEA  NOT NULL,
    PRIMARY KEY (log, number)
);

-- Every full node of the tree; level 0 are the hashes of the leaves, by which a
-- snapshot is found.
CREATE TABLE tlog_hash (
    log    BIGINT   NOT NULL,
    number BIGINT   NOT NULL,
    level  SMALLINT NOT NULL,
    hash   BYTEA    NOT NULL,
    PRIMARY KEY (log, level, number)
);
CREATE INDEX tlog_hash_leaf ON tlog_hash (hash) WHERE level = 0;

-- The lease has another name from here on: a version that does not append to the
-- log can no longer lead, whether it runs now or is started again.
UPDATE lease SET name = 'publisher', epoch = epoch + 1, expires = 0 WHERE name = 'leader';
