-- +goose Up
-- Pets that a realm has in custody: a realm that is read anew looks for them.
CREATE INDEX pet_custody ON pet (realm, id) WHERE hold = 1;
