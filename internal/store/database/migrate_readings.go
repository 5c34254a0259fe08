package database

import "github.com/pressly/goose/v3"

// leastBlockTime is the time of the oldest of a row's blocks, in milliseconds,
// as each engine says it.
var leastBlockTime = map[string]string{
	"sqlite": `(SELECT MIN(unixepoch(json_extract(value, '$.time'))) * 1000 FROM json_each(blocks))`,
	"postgres": `(SELECT MIN(CAST(EXTRACT(EPOCH FROM CAST(b ->> 'time' AS TIMESTAMPTZ)) * 1000 AS BIGINT))
		FROM jsonb_array_elements(CAST(blocks AS JSONB)) AS b)`,
}

// numberReadings is a migration that wants other words on each engine. Rows of
// what was published get a number, by which they are kept from then on: two of
// them may be of the same moment. taken, which was when a row was measured,
// becomes the moment that it is of; when it was measured is kept beside it.
func (db *DB) numberReadings(version int64) *goose.Migration {
	return goMigration(version, "numbering what was published", `
		CREATE TABLE reading_numbered (
			token       TEXT   NOT NULL,
			kind        TEXT   NOT NULL,
			number      BIGINT NOT NULL, -- of the publication; of a row that was measured afterwards its moment
			taken       BIGINT NOT NULL, -- the moment that the figures are of
			measured    BIGINT NOT NULL, -- when that was read, by our clock
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
			PRIMARY KEY (token, kind, number))`, `
		INSERT INTO reading_numbered
		SELECT token, kind, CASE kind WHEN 'live' THEN ROW_NUMBER() OVER (PARTITION BY token, kind ORDER BY taken) ELSE taken END,
			CASE WHEN kind = 'live' AND least < taken THEN least ELSE taken END, taken,
			snapshot, ledger, total, circulating, burned, locked, reserved, blocks, daily, evidence
		FROM (SELECT reading.*, `+leastBlockTime[db.Kind]+` AS least FROM reading) AS found`,
		`DROP TABLE reading`,
		`ALTER TABLE reading_numbered RENAME TO reading`,
		`CREATE INDEX reading_moment ON reading (token, taken)`,
		`CREATE INDEX reading_evidence ON reading (token, taken) WHERE evidence IS NOT NULL AND daily = 0`,
		`CREATE INDEX reading_snapshot ON reading (token, snapshot)`,
		`ALTER TABLE released ADD COLUMN accept TEXT NOT NULL DEFAULT ''`)
}
