-- +goose Up
-- Proofs of snapshots. document is what /proof serves, without its trie nodes
-- and codes. hourly and daily are 1 for the first of their hour and day, which
-- are kept for longer.
CREATE TABLE proof (
    token    TEXT   NOT NULL,
    snapshot TEXT   NOT NULL,
    taken    BIGINT NOT NULL,
    hourly   BIGINT NOT NULL,
    daily    BIGINT NOT NULL,
    document TEXT   NOT NULL,
    PRIMARY KEY (token, snapshot)
);
CREATE INDEX proof_taken ON proof (token, taken);

-- Trie nodes and codes, each once, by the keccak-256 of its bytes: most of one
-- proof stand in the next one too.
CREATE TABLE proof_part (
    hash BYTEA PRIMARY KEY,
    data BYTEA NOT NULL
);

-- Which parts a proof has of which chain; kind is 'node' or 'code'.
CREATE TABLE proof_use (
    token    TEXT   NOT NULL,
    snapshot TEXT   NOT NULL,
    chain    BIGINT NOT NULL,
    kind     TEXT   NOT NULL,
    hash     BYTEA  NOT NULL,
    PRIMARY KEY (token, snapshot, chain, kind, hash)
);
CREATE INDEX proof_use_hash ON proof_use (hash);
