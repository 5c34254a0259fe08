-- +goose Up
-- How many pets there are of each kind, and of each creature; kept in the
-- transactions that write pets.
CREATE TABLE pet_kind (
    realm      TEXT     NOT NULL,
    egg        SMALLINT NOT NULL,
    rarity     SMALLINT NOT NULL,
    element    SMALLINT NOT NULL,
    shiny      SMALLINT NOT NULL,
    background SMALLINT NOT NULL,
    pets       BIGINT   NOT NULL,
    PRIMARY KEY (realm, egg, rarity, element, shiny, background)
);
INSERT INTO pet_kind SELECT realm, egg, rarity, element, shiny, background, COUNT(*) FROM pet WHERE here = 1
    GROUP BY realm, egg, rarity, element, shiny, background;
CREATE TABLE pet_creature (
    egg        SMALLINT NOT NULL,
    appearance INTEGER  NOT NULL,
    pets       BIGINT   NOT NULL,
    PRIMARY KEY (egg, appearance)
);
INSERT INTO pet_creature SELECT egg, appearance, COUNT(*) FROM pet WHERE here = 1 GROUP BY egg, appearance;
ALTER TABLE pet_realm DROP COLUMN pets; -- which said the same by realm

-- Ways to pets: by creature, by hunger, and by the name that a keeper gave.
CREATE INDEX pet_appearance ON pet (appearance, id) WHERE here = 1;
CREATE INDEX pet_hungry ON pet (hungry, id) WHERE here = 1 AND hungry > 0;
CREATE INDEX pet_name ON pet (substr(name, 1, 64), id) WHERE here = 1 AND length(name) > 0;
