-- All times are Unix times in milliseconds. An unsigned 64-bit number is stored as the signed number
-- with the same bits.

-- One row: the fingerprint of this file, as of when the tables were created.
CREATE TABLE schema_fingerprint (
    fingerprint TEXT NOT NULL
);

-- One row: which process leads. Only the leader publishes figures and indexes pets. A store that was
-- moved has no row, so that nobody can lead it.
CREATE TABLE lease (
    holder  TEXT   NOT NULL,
    epoch   BIGINT NOT NULL, -- grows with every new leader; a leader's transactions check it
    expires BIGINT NOT NULL  -- by the database's clock
);
INSERT INTO lease (holder, epoch, expires) VALUES ('', 0, 0);

-- One row if the store was moved: where it is now.
CREATE TABLE moved (
    address TEXT   NOT NULL, -- without user and password
    at      BIGINT NOT NULL
);

-- The current state of each token: its published figures, a held figure, and whatever else must
-- survive a restart.
CREATE TABLE published (
    token  TEXT   PRIMARY KEY,
    seq    BIGINT NOT NULL, -- number of the last write, over all tokens; followers read higher ones
    record TEXT   NOT NULL  -- JSON
);

-- The history of figures: one row for each measurement that was published. Rows are never removed,
-- but most old rows lose their evidence. The first row of each day keeps it.
CREATE TABLE reading (
    token       TEXT   NOT NULL,
    number      BIGINT NOT NULL, -- counts the rows of the token
    taken       BIGINT NOT NULL, -- time of the figures, from the blocks
    least       BIGINT NOT NULL, -- the lowest taken of this row and all later rows of the token
    measured    BIGINT NOT NULL, -- when they were measured, by our clock
    snapshot    TEXT   NOT NULL, -- id of the snapshot
    ledger      TEXT   NOT NULL, -- hash of the ledger version
    total       TEXT   NOT NULL,
    circulating TEXT   NOT NULL,
    burned      TEXT   NOT NULL,
    locked      TEXT   NOT NULL,
    reserved    TEXT   NOT NULL,
    blocks      TEXT   NOT NULL, -- JSON: the block of each chain
    daily       BIGINT NOT NULL, -- 1: the first row of the token on its day (UTC)
    evidence    TEXT,            -- JSON; NULL if it is no longer kept
    PRIMARY KEY (token, number)
);
CREATE INDEX reading_moment ON reading (token, taken);
-- Rows whose evidence may be removed. They are few, even in a long history.
CREATE INDEX reading_evidence ON reading (token, number) WHERE evidence IS NOT NULL AND daily = 0;
CREATE INDEX reading_kept ON reading (token, taken) WHERE evidence IS NOT NULL;
CREATE INDEX reading_snapshot ON reading (token, snapshot);
-- Finds the row that was published last at a time.
CREATE INDEX reading_least ON reading (token, least, number);

-- The ledger versions of all published figures.
CREATE TABLE ledger (
    token    TEXT   NOT NULL,
    hash     TEXT   NOT NULL,
    since    BIGINT NOT NULL, -- when the first figure with this version was measured
    document TEXT   NOT NULL, -- JSON
    PRIMARY KEY (token, hash)
);

-- Decisions of operators. Any process adds them, and the leader grants or refuses them.
CREATE TABLE decision (
    id      TEXT   PRIMARY KEY,
    kind    TEXT   NOT NULL, -- 'right', 'wrong' or 'accept'
    token   TEXT   NOT NULL,
    subject TEXT   NOT NULL, -- a snapshot's id, or empty
    reason  TEXT   NOT NULL,
    asked   BIGINT NOT NULL,
    decided BIGINT NOT NULL, -- 0: not handled yet
    granted BIGINT NOT NULL
);
CREATE INDEX decision_open ON decision (asked) WHERE decided = 0;

-- Proofs of published figures. Of the older ones, the first of each day is kept forever, and the
-- first of each hour for a week.
CREATE TABLE proof (
    token    TEXT   NOT NULL,
    snapshot TEXT   NOT NULL, -- id of the snapshot
    taken    BIGINT NOT NULL, -- when the proof was stored
    hourly   BIGINT NOT NULL, -- 1: the token's first proof in its hour
    daily    BIGINT NOT NULL, -- 1: the token's first proof on its day (UTC)
    document BYTEA  NOT NULL, -- JSON, compressed with gzip
    PRIMARY KEY (token, snapshot)
);
CREATE INDEX proof_taken ON proof (token, taken);

-- The transparency logs of published figures. Only the log with the highest id still grows.
CREATE TABLE tlog (
    id           BIGINT PRIMARY KEY,
    origin       TEXT   NOT NULL UNIQUE,
    verifier_key TEXT   NOT NULL,
    size         BIGINT NOT NULL, -- number of leaves
    signed       BIGINT NOT NULL, -- number of leaves in checkpoint
    checkpoint   TEXT   NOT NULL, -- the newest, with all signatures; empty before the first
    copied       BIGINT NOT NULL  -- 1: this is a copy, and the log may grow in another store
);

-- The leaves of the logs. The transaction that publishes a figure also adds its leaf.
CREATE TABLE tlog_leaf (
    log    BIGINT NOT NULL, -- id of the log
    number BIGINT NOT NULL, -- counts from 0
    hash   BYTEA  NOT NULL, -- of the leaf
    leaf   BYTEA  NOT NULL,
    PRIMARY KEY (log, number)
);
CREATE INDEX tlog_leaf_hash ON tlog_leaf (hash);

-- The hashes of all complete nodes of the logs' trees, numbered as golang.org/x/mod/sumdb/tlog does.
CREATE TABLE tlog_hash (
    log    BIGINT NOT NULL, -- id of the log
    number BIGINT NOT NULL,
    hash   BYTEA  NOT NULL,
    PRIMARY KEY (log, number)
);

-- Events of tokens. The transaction that publishes a figure also adds its events. Of new figures,
-- only the newest events are kept. Holds, the ends of holds, and corrections are kept forever.
CREATE TABLE supply_notice (
    seq     BIGINT   PRIMARY KEY, -- counts over all tokens
    token   TEXT     NOT NULL,
    forever SMALLINT NOT NULL,    -- 1: the event is kept forever
    notice  TEXT     NOT NULL     -- JSON
);
CREATE INDEX supply_notice_forever ON supply_notice (token, seq) WHERE forever = 1;

-- How far each webhook is in each feed.
CREATE TABLE webhook (
    name      TEXT   NOT NULL,
    feed      TEXT   NOT NULL, -- 'pet' or 'supply'
    seq       BIGINT NOT NULL, -- the last event that was delivered, skipped, lost or not wanted
    delivered BIGINT NOT NULL, -- time of the last delivery; 0: none yet
    refused   BIGINT NOT NULL, -- how long the receiver has refused the next event, in milliseconds
    skipped   BIGINT NOT NULL, -- how many events were skipped, because the receiver refused them for a day
    PRIMARY KEY (name, feed)
);

-- One row: the form of the stored pets. If the collection gets other filters or counts, the leader
-- converts the pets to the new form, in the order of their ids.
CREATE TABLE pet_form (
    layout   TEXT   NOT NULL, -- the collection's stored fields
    getters  TEXT   NOT NULL, -- the collection's getters
    columns  TEXT   NOT NULL, -- the fields in f1 to f12 of pet, and in pet_count
    below_id BIGINT NOT NULL  -- pets with lower ids are converted; 2^63 - 1: all are
);

-- The last known state of each pet in each realm that ever had it. The indexes for listings are not
-- created here but after a realm was first read.
CREATE TABLE pet (
    id          BIGINT   NOT NULL,
    block       BIGINT   NOT NULL, -- the block at which this state was read
    changed_at  BIGINT   NOT NULL, -- time of that block
    since_block BIGINT   NOT NULL, -- the block at which the pet was first seen in this realm
    arrived_at  BIGINT   NOT NULL, -- when it last got an owner here; 0: not known
    here        SMALLINT NOT NULL, -- 1: the pet is here, or last was; a burned pet has only 0
    presence    SMALLINT NOT NULL, -- 0: it has no owner here; 1: a bridge owns it; 2: another owner
    in_transit  SMALLINT NOT NULL, -- 1: the pet is between two realms; valid if here = 1
    realm       TEXT     NOT NULL,
    owner       BYTEA    NOT NULL, -- empty: none
    name        BYTEA    NOT NULL,
    traits      BYTEA    NOT NULL, -- packed: the number of fields, and their values
    f1          BIGINT,            -- f1 to f12: fields to filter and sort by, see pet_form
    f2          BIGINT,
    f3          BIGINT,
    f4          BIGINT,
    f5          BIGINT,
    f6          BIGINT,
    f7          BIGINT,
    f8          BIGINT,
    f9          BIGINT,
    f10         BIGINT,
    f11         BIGINT,
    f12         BIGINT,
    PRIMARY KEY (realm, id)
);
-- A pet has at most one row with here = 1. The other rows are few and have their own index, so that
-- a lookup by id reads only one row.
CREATE UNIQUE INDEX pet_here ON pet (id) WHERE here = 1;
CREATE INDEX pet_away ON pet (id) WHERE here = 0;
-- Finds the pets that a bridge owns in some realm. Another realm looks for them when it is read from
-- the start.
CREATE INDEX pet_custody ON pet (id) WHERE presence = 1;

-- Imported names and traits, for collections whose contracts have none. A pet can be imported before
-- it is minted. Rows of pet repeat this data.
CREATE TABLE pet_import (
    id     BIGINT PRIMARY KEY,
    name   BYTEA NOT NULL,
    traits BYTEA NOT NULL -- packed: the number of fields, and their values
);

-- The number of pets in each realm, and of those with each value of a counted field. Every
-- transaction that writes pets updates it.
CREATE TABLE pet_count (
    realm TEXT   NOT NULL,
    field TEXT   NOT NULL, -- key of the field; empty: all pets of the realm
    value BIGINT NOT NULL,
    pets  BIGINT NOT NULL,
    PRIMARY KEY (realm, field, value)
);

-- The progress of each realm's indexer.
CREATE TABLE pet_realm (
    realm    TEXT   PRIMARY KEY,
    position TEXT   NOT NULL, -- JSON
    natives  BIGINT NOT NULL, -- the number that the realm's next pet will get, as last counted; 0: unknown
    compared BIGINT NOT NULL, -- when the current leader last read all pets up to the newest block; 0: not yet
    reindex  BIGINT NOT NULL  -- 1: an operator asked to read the realm from the start
);

-- The last blocks that each realm's indexer followed. After a reorg, their pets are read again.
CREATE TABLE pet_mark (
    realm      TEXT   NOT NULL,
    number     BIGINT NOT NULL, -- of the block
    block_time BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    touched    TEXT   NOT NULL, -- JSON: the ids of the pets that the block's events name
    PRIMARY KEY (realm, number)
);

-- The queue: the ids that a realm's indexer reads again. A row is either one id, or a span of ids.
-- The two are independent of each other. Spans never overlap.
CREATE TABLE pet_wanted (
    realm    TEXT   NOT NULL,
    first_id BIGINT NOT NULL,
    last_id  BIGINT NOT NULL, -- first_id: one id; else the id after the span
    due      BIGINT NOT NULL, -- not before this time
    PRIMARY KEY (realm, first_id, last_id)
);
CREATE INDEX pet_wanted_one ON pet_wanted (realm, due, first_id) WHERE first_id = last_id;
CREATE INDEX pet_wanted_span ON pet_wanted (realm, due, first_id) WHERE first_id < last_id;

-- The feed: all changes of pets, in the order of the transactions that found them. Old changes may be
-- removed. Followers read on from the last change that they know.
CREATE TABLE pet_change (
    seq        BIGINT PRIMARY KEY, -- without gaps
    id         BIGINT NOT NULL,    -- 2^63 - 1 for the kind 'reread', which names a whole realm
    block_time BIGINT NOT NULL,
    block      BIGINT NOT NULL,
    realm      TEXT   NOT NULL,
    kind       TEXT   NOT NULL,    -- such as 'changed' or 'moved'
    fields     TEXT   NOT NULL     -- JSON: the differences
);
CREATE INDEX pet_change_id ON pet_change (id, seq);
