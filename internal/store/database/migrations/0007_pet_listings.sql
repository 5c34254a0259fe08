-- +goose Up
-- Listings walk the index of one condition, however few pets meet it.
CREATE INDEX pet_egg ON pet (egg, id) WHERE here = 1;
CREATE INDEX pet_rarity ON pet (rarity, id) WHERE here = 1;
CREATE INDEX pet_element ON pet (element, id) WHERE here = 1;
CREATE INDEX pet_background ON pet (background, id) WHERE here = 1;
CREATE INDEX pet_shiny ON pet (shiny, id) WHERE here = 1;
