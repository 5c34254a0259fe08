-- +goose Up
-- What each token publishes now, with what must survive a restart. seq grows
-- with every write, over all tokens: followers ask for what is newer.
CREATE TABLE published (
    token  TEXT   PRIMARY KEY,
    seq    BIGINT NOT NULL,
    record TEXT   NOT NULL
);

-- History, one row for each change, only ever appended to. kind is 'live' for
-- what was published and 'past' for what was measured afterwards. evidence is
-- taken away from old rows, but for the first of each day (daily = 1).
CREATE TABLE reading (
    token       TEXT   NOT NULL,
    taken       BIGINT NOT NULL,
    kind        TEXT   NOT NULL,
    snapshot    TEXT   NOT NULL,
    ledger      TEXT   NOT NULL,
    total       TEXT   NOT NULL,
    circulating TEXT   NOT NULL,
    burned      TEXT   NOT NULL,
    locked      TEXT   NOT NULL,
    reserved    TEXT   NOT NULL,
    blocks      TEXT   NOT NULL,
    daily       BIGINT NOT NULL,
    evidence    TEXT,
    PRIMARY KEY (token, taken, kind)
);
-- The rows that pruning has to look at: few, however long history is.
CREATE INDEX reading_evidence ON reading (token, taken) WHERE evidence IS NOT NULL AND daily = 0;
CREATE INDEX reading_snapshot ON reading (token, snapshot);

-- Every version of a ledger by which a figure was published.
CREATE TABLE ledger (
    token    TEXT   NOT NULL,
    hash     TEXT   NOT NULL,
    since    BIGINT NOT NULL,
    document TEXT   NOT NULL,
    PRIMARY KEY (token, hash)
);

-- What operators let through, and why. decided is 0 until the leader has seen
-- it; granted is 0 where another figure was held by then.
CREATE TABLE released (
    id        TEXT   PRIMARY KEY,
    token     TEXT   NOT NULL,
    candidate TEXT   NOT NULL,
    reason    TEXT   NOT NULL,
    asked     BIGINT NOT NULL,
    decided   BIGINT NOT NULL,
    granted   BIGINT NOT NULL
);
CREATE INDEX released_open ON released (asked) WHERE decided = 0;
