-- The schema of this store: the fingerprint of the migrations that made it.
CREATE TABLE schema_fingerprint (
    fingerprint TEXT NOT NULL
);

-- Who may write. epoch grows with every new leader, and each of a leader's
-- transactions names it. expires is by this database's own clock. The one row is
-- called 'leader'. In a store that was moved it is called 'moved' and its holder is the
-- new store; in one that a move is filling it is called 'arriving' and its holder is the
-- old store. Then expires is the time of that, and nobody can lead.
CREATE TABLE lease (
    name    TEXT   PRIMARY KEY,
    holder  TEXT   NOT NULL,
    epoch   BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
INSERT INTO lease (name, holder, epoch, expires) VALUES ('leader', '', 0, 0);

-- What each token publishes now, with the state that must survive a restart.
-- seq grows with every write, over all tokens: followers ask for newer rows.
CREATE TABLE published (
    token  TEXT   PRIMARY KEY,
    seq    BIGINT NOT NULL,
    record TEXT   NOT NULL
);

-- History: one row for each change, only ever appended to. kind is 'live' for
-- published figures and 'past' for figures that were measured afterwards. Old
-- rows lose their evidence, except the first of each day (daily = 1). Each kind is
-- counted by itself.
CREATE TABLE reading (
    token       TEXT   NOT NULL,
    kind        TEXT   NOT NULL,
    number      BIGINT NOT NULL, -- of the publication; for kind 'past' the same as taken
    taken       BIGINT NOT NULL, -- the moment of the figures
    measured    BIGINT NOT NULL, -- when they were read, by our clock
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
    PRIMARY KEY (token, kind, number)
);
CREATE INDEX reading_moment ON reading (token, taken);
-- The rows that pruning has to look at: few, however long the history is.
CREATE INDEX reading_evidence ON reading (token, kind, number) WHERE evidence IS NOT NULL AND daily = 0;
CREATE INDEX reading_kept ON reading (token, taken) WHERE evidence IS NOT NULL AND kind = 'live';
CREATE INDEX reading_snapshot ON reading (token, snapshot);

-- Finds a publication by its time or by one of its blocks.
CREATE TABLE publication (
    token  TEXT   NOT NULL,
    clock  BIGINT NOT NULL, -- 0: the time, in milliseconds; else a chain's id: its block numbers
    least  BIGINT NOT NULL, -- the least value of this publication and all later ones
    number BIGINT NOT NULL, -- of the reading
    hash   TEXT   NOT NULL  -- the first 16 digits of the block's hash
);
CREATE UNIQUE INDEX publication_place ON publication (token, clock, least, number);
CREATE INDEX publication_hash ON publication (token, clock, hash, number) WHERE clock <> 0;

-- Every version of a ledger by which a figure was published.
CREATE TABLE ledger (
    token    TEXT   NOT NULL,
    hash     TEXT   NOT NULL,
    since    BIGINT NOT NULL,
    document TEXT   NOT NULL,
    PRIMARY KEY (token, hash)
);

-- Decisions of operators, with their reasons. subject is the id of a snapshot or
-- the root of a copy. decided is 0 until a leader has taken the row up; granted is
-- 0 if it refused.
CREATE TABLE decision (
    id      TEXT   PRIMARY KEY,
    kind    TEXT   NOT NULL,
    token   TEXT   NOT NULL,
    subject TEXT   NOT NULL,
    reason  TEXT   NOT NULL,
    asked   BIGINT NOT NULL,
    decided BIGINT NOT NULL,
    granted BIGINT NOT NULL
);
CREATE INDEX decision_open ON decision (asked) WHERE decided = 0;

-- Proofs of snapshots. document is the body of /proof, without its trie nodes
-- and codes. hourly and daily are 1 for the first of their hour and day, which
-- are kept longer.
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

-- Trie nodes and codes, each once, by the keccak-256 of their bytes: a proof
-- shares most of them with the next one.
CREATE TABLE proof_part (
    hash BYTEA PRIMARY KEY,
    data BYTEA NOT NULL
);

-- The parts that a proof has of each chain; kind is 'node' or 'code'.
CREATE TABLE proof_use (
    token    TEXT   NOT NULL,
    snapshot TEXT   NOT NULL,
    chain    BIGINT NOT NULL,
    kind     TEXT   NOT NULL,
    hash     BYTEA  NOT NULL,
    PRIMARY KEY (token, snapshot, chain, kind, hash)
);
CREATE INDEX proof_use_hash ON proof_use (hash);

-- The logs of published figures. The transactions that publish append to the
-- newest (id). size is its number of leaves; checkpoint is its newest signed
-- head, of size signed.
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

-- Every full node of the tree. Level 0 has the hashes of the leaves, by which a
-- snapshot is found.
CREATE TABLE tlog_hash (
    log    BIGINT   NOT NULL,
    number BIGINT   NOT NULL,
    level  SMALLINT NOT NULL,
    hash   BYTEA    NOT NULL,
    PRIMARY KEY (log, level, number)
);
CREATE INDEX tlog_hash_leaf ON tlog_hash (hash) WHERE level = 0;

-- Events about figures for webhooks, written by the transactions that publish.
-- Only the newest are kept.
CREATE TABLE supply_notice (
    seq    BIGINT PRIMARY KEY,
    notice TEXT   NOT NULL
);

-- Events of a token other than publications: a figure was held, a hold ended, a
-- figure was corrected. seq is the notice's. All are kept.
CREATE TABLE supply_event (
    token  TEXT   NOT NULL,
    seq    BIGINT NOT NULL,
    notice TEXT   NOT NULL,
    PRIMARY KEY (token, seq)
);

-- The last event of a feed that a webhook is done with. delivered is the time of
-- its last delivery, in milliseconds, 0 if there was none. refused is for how many
-- milliseconds the next event has been refused. ended is the hash of the address
-- whose receiver wants no more events, or empty.
CREATE TABLE webhook (
    name      TEXT   NOT NULL,
    feed      TEXT   NOT NULL,
    seq       BIGINT NOT NULL,
    delivered BIGINT NOT NULL,
    refused   BIGINT NOT NULL,
    ended     TEXT   NOT NULL,
    PRIMARY KEY (name, feed)
);

-- Events that a webhook refused for a day, until they are delivered. since is when
-- they were set aside, in milliseconds.
CREATE TABLE webhook_aside (
    name  TEXT   NOT NULL,
    id    TEXT   NOT NULL,
    body  TEXT   NOT NULL,
    since BIGINT NOT NULL,
    PRIMARY KEY (name, id)
);

-- The layouts of packed traits, each under the version that values begin with. A
-- new layout gets the next version; old ones stay, for old values.
CREATE TABLE pet_layout (
    version BIGINT PRIMARY KEY,
    layout  TEXT   NOT NULL UNIQUE
);

-- One row: the version of the collection's layout and its getters, which fields the
-- columns f1 to f12 of pets hold, and which fields pets are counted by. Pets from the
-- id below_id on have not been brought to that yet.
CREATE TABLE pet_listing (
    version  BIGINT NOT NULL,
    getters  TEXT   NOT NULL,
    fields   TEXT   NOT NULL,
    below_id BIGINT NOT NULL
);

-- The words that pets have in fields of the type word, for pages to offer. number is
-- what columns and counts have in place of the word, which is the same in any case.
CREATE TABLE pet_word (
    field  TEXT   NOT NULL,
    number BIGINT NOT NULL,
    word   BYTEA  NOT NULL,
    PRIMARY KEY (field, number)
);

-- What each realm last said of a pet: one row for every realm that ever had it.
-- Exactly one of them is where the pet is (here = 1). presence is 0 where nobody
-- owns it, 1 where a bridge does, 2 where somebody else does. since_block is the
-- block at which it was first seen in the realm. Unsigned 64-bit numbers keep their
-- bits. The indexes for listings are not made here but after the first reading.
CREATE TABLE pet (
    id          BIGINT   NOT NULL,
    block       BIGINT   NOT NULL,
    changed_at  BIGINT   NOT NULL,
    since_block BIGINT   NOT NULL,
    arrived_at  BIGINT   NOT NULL,
    here        SMALLINT NOT NULL,
    presence    SMALLINT NOT NULL,
    in_transit  SMALLINT NOT NULL,
    realm       TEXT     NOT NULL,
    owner       BYTEA    NOT NULL,
    name        BYTEA    NOT NULL,
    traits      BYTEA    NOT NULL,
    f1          BIGINT,
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
-- The engine, too, keeps one place per pet. The few other places of bridged pets
-- have a small index of their own, so that a lookup by id costs one.
CREATE UNIQUE INDEX pet_here ON pet (id) WHERE here = 1;
CREATE INDEX pet_away ON pet (id) WHERE here = 0;
-- Pets that a realm has in custody: another realm that is read as a whole looks for them.
CREATE INDEX pet_custody ON pet (realm, id) WHERE presence = 1;

-- Names and traits that were imported, where contracts have none. The rows of pets
-- repeat them; a pet that is yet to be minted has only this.
CREATE TABLE pet_import (
    id     BIGINT PRIMARY KEY,
    name   BYTEA NOT NULL,
    traits BYTEA NOT NULL
);

-- The number of pets by realm and counted fields, and of each kind. n1 to n6 are the
-- values of those fields; the rest is 0. The transactions that write pets keep them.
CREATE TABLE pet_count (
    realm TEXT   NOT NULL,
    n1    BIGINT NOT NULL,
    n2    BIGINT NOT NULL,
    n3    BIGINT NOT NULL,
    n4    BIGINT NOT NULL,
    n5    BIGINT NOT NULL,
    n6    BIGINT NOT NULL,
    pets  BIGINT NOT NULL,
    PRIMARY KEY (realm, n1, n2, n3, n4, n5, n6)
);
CREATE TABLE pet_kind (
    n1   BIGINT NOT NULL,
    n2   BIGINT NOT NULL,
    n3   BIGINT NOT NULL,
    n4   BIGINT NOT NULL,
    n5   BIGINT NOT NULL,
    n6   BIGINT NOT NULL,
    pets BIGINT NOT NULL,
    PRIMARY KEY (n1, n2, n3, n4, n5, n6)
);

-- How far the indexing of a realm has come. version is that of the layout that all of
-- its pets were last read with. reindex is 1 where an operator asked for the realm to
-- be read from the start.
CREATE TABLE pet_realm (
    realm    TEXT   PRIMARY KEY,
    position TEXT   NOT NULL,
    version  BIGINT NOT NULL,
    reindex  BIGINT NOT NULL
);

-- Realms of which pets were imported, and the feed does not say so yet.
CREATE TABLE pet_unannounced (
    realm TEXT PRIMARY KEY
);

-- The last blocks of each realm's chain, with the ids that they touched.
CREATE TABLE pet_mark (
    realm      TEXT   NOT NULL,
    number     BIGINT NOT NULL,
    block_time BIGINT NOT NULL,
    hash       TEXT   NOT NULL,
    touched    TEXT   NOT NULL,
    PRIMARY KEY (realm, number)
);

-- Ids that a realm's indexer is asked to look at, from a time on.
CREATE TABLE pet_wanted (
    realm TEXT   NOT NULL,
    id    BIGINT NOT NULL,
    due   BIGINT NOT NULL,
    PRIMARY KEY (realm, id)
);
CREATE INDEX pet_wanted_due ON pet_wanted (realm, due, id);

-- Every change seen, in the order of the leader's transactions. Followers read on
-- from the last one they know. A change of kind 'reread' names a realm: its id is
-- 2^63 - 1, and was holds the version of the layout that the realm was read with before.
CREATE TABLE pet_change (
    seq        BIGINT PRIMARY KEY,
    id         BIGINT NOT NULL,
    block_time BIGINT NOT NULL,
    block      BIGINT NOT NULL,
    realm      TEXT   NOT NULL,
    kind       TEXT   NOT NULL,
    fields     TEXT   NOT NULL,
    was        BYTEA  NOT NULL -- the packed pet before the change; empty if there was none
);
CREATE INDEX pet_change_id ON pet_change (id, seq);
