-- +goose Up
-- What each realm last said of a pet: one row for every realm that ever had
-- it, of which exactly one is where the pet is (here = 1). Wide columns come
-- first, which saves padding. Unsigned 64-bit numbers keep their bits.
CREATE TABLE pet (
    id               BIGINT   NOT NULL,
    hungry           BIGINT   NOT NULL,
    equippable       BIGINT   NOT NULL,
    block            BIGINT   NOT NULL,
    changed          BIGINT   NOT NULL,
    since            BIGINT   NOT NULL,
    arrived          BIGINT   NOT NULL,
    appearance       INTEGER  NOT NULL,
    here             SMALLINT NOT NULL,
    hold             SMALLINT NOT NULL,
    transit          SMALLINT NOT NULL,
    egg              SMALLINT NOT NULL,
    rarity           SMALLINT NOT NULL,
    element          SMALLINT NOT NULL,
    shiny            SMALLINT NOT NULL,
    background       SMALLINT NOT NULL,
    origin           SMALLINT NOT NULL,
    season           SMALLINT NOT NULL,
    bonuses          SMALLINT NOT NULL,
    gathering        SMALLINT NOT NULL,
    gathering_scalar SMALLINT NOT NULL,
    crafting         SMALLINT NOT NULL,
    crafting_scalar  SMALLINT NOT NULL,
    combat           SMALLINT NOT NULL,
    combat_scalar    SMALLINT NOT NULL,
    food             SMALLINT NOT NULL,
    v1               SMALLINT NOT NULL,
    realm            TEXT     NOT NULL,
    owner            BYTEA    NOT NULL,
    name             BYTEA    NOT NULL,
    equipped         BYTEA    NOT NULL,
    fed_by           BYTEA    NOT NULL,
    PRIMARY KEY (realm, id)
);
-- One place per pet, kept by the engine too. The few other places of bridged
-- pets have their own small index, so that a lookup by id costs one.
CREATE UNIQUE INDEX pet_here ON pet (id) WHERE here = 1;
CREATE INDEX pet_away ON pet (id) WHERE here = 0;
-- Not only of those: a planner without statistics would take it for the way to
-- all that are here.
CREATE INDEX pet_owner ON pet (owner, id);

-- How far the indexing of a realm has come, and how many pets are there.
CREATE TABLE pet_realm (
    realm  TEXT   PRIMARY KEY,
    cursor TEXT   NOT NULL,
    pets   BIGINT NOT NULL
);

-- The last blocks of each realm's chain, with the ids that they touched.
CREATE TABLE pet_mark (
    realm   TEXT   NOT NULL,
    number  BIGINT NOT NULL,
    taken   BIGINT NOT NULL,
    hash    TEXT   NOT NULL,
    touched TEXT   NOT NULL,
    PRIMARY KEY (realm, number)
);

-- Ids that a realm's indexer is asked to look at.
CREATE TABLE pet_wanted (
    realm TEXT   NOT NULL,
    id    BIGINT NOT NULL,
    asked BIGINT NOT NULL,
    PRIMARY KEY (realm, id)
);

-- Every change seen, in the order of the leader's transactions; followers
-- read it from where they were.
CREATE TABLE pet_change (
    seq    BIGINT PRIMARY KEY,
    id     BIGINT NOT NULL,
    taken  BIGINT NOT NULL,
    block  BIGINT NOT NULL,
    realm  TEXT   NOT NULL,
    kind   TEXT   NOT NULL,
    fields TEXT   NOT NULL
);
CREATE INDEX pet_change_id ON pet_change (id, seq);
