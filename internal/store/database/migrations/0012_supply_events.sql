-- +goose Up
-- What happened to a token's figures besides their publication: a figure was
-- held, a hold ended, one was corrected. seq is the notice's; all are kept.
CREATE TABLE supply_event (
    token  TEXT   NOT NULL,
    seq    BIGINT NOT NULL,
    notice TEXT   NOT NULL,
    PRIMARY KEY (token, seq)
);
