-- +goose Up
-- What others are told of figures, in the transactions that publish; the newest
-- are kept. Changes of pets are a feed already.
CREATE TABLE supply_notice (
    seq    BIGINT PRIMARY KEY,
    notice TEXT   NOT NULL
);

-- The last event of a feed that a webhook is done with; delivered is when it
-- last took one, in milliseconds, 0 if never.
CREATE TABLE webhook (
    name      TEXT   NOT NULL,
    feed      TEXT   NOT NULL,
    seq       BIGINT NOT NULL,
    delivered BIGINT NOT NULL,
    PRIMARY KEY (name, feed)
);
