-- +goose Up
-- Who may write. epoch grows with every new leader and is named by each of a
-- leader's transactions; expires is by this database's own clock.
CREATE TABLE lease (
    name    TEXT   PRIMARY KEY,
    holder  TEXT   NOT NULL,
    epoch   BIGINT NOT NULL,
    expires BIGINT NOT NULL
);
INSERT INTO lease (name, holder, epoch, expires) VALUES ('leader', '', 0, 0);
