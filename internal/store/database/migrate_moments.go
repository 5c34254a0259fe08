package database

import "github.com/pressly/goose/v3"

// blockOf are, on each engine, the blocks of a reading as rows, and a block's
// chain, number and hash.
var blockOf = map[string]struct{ rows, chain, number, hash string }{
	"sqlite": {"json_each(reading.blocks) AS b", "json_extract(b.value, '$.chainId')", "json_extract(b.value, '$.number')", "json_extract(b.value, '$.hash')"},
	"postgres": {"jsonb_array_elements(CAST(reading.blocks AS JSONB)) AS b", "CAST(b ->> 'chainId' AS BIGINT)",
		"CAST(b ->> 'number' AS BIGINT)", "(b ->> 'hash')"},
}

// keepMoments is a migration that wants other words on each engine: what was
// published is entered by its time and by its blocks, so that it is found by
// either however much there is; and changes of pets keep what they changed.
func (db *DB) keepMoments(version int64) *goose.Migration {
	b := blockOf[db.Kind]
	const least = `MIN(value) OVER (PARTITION BY token, clock ORDER BY number ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)`
	return goMigration(version, "placing what was published", `
		CREATE TABLE publication (
			token  TEXT   NOT NULL,
			clock  BIGINT NOT NULL, -- 0: the time, in milliseconds; else a chain's id: its blocks
			least  BIGINT NOT NULL, -- what this one, or a later one that went back, shows of it
			number BIGINT NOT NULL, -- of the reading
			hash   TEXT   NOT NULL  -- the first 16 digits of the block's
		)`, `
		INSERT INTO publication (token, clock, least, number, hash)
		SELECT token, clock, `+least+`, number, hash FROM (
			SELECT token, 0 AS clock, taken AS value, number, '' AS hash FROM reading WHERE kind = 'live'
			UNION ALL
			SELECT token, `+b.chain+`, `+b.number+`, number, SUBSTR(`+b.hash+`, 3, 16) FROM reading, `+b.rows+` WHERE kind = 'live'
		) AS found`,
		`CREATE UNIQUE INDEX publication_place ON publication (token, clock, least, number)`,
		`CREATE INDEX publication_hash ON publication (token, clock, hash, number) WHERE clock <> 0`,
		`CREATE INDEX reading_kept ON reading (token, taken) WHERE evidence IS NOT NULL AND kind = 'live'`,
		// What a pet was before a change; NULL where an earlier version did not
		// keep it, no bytes where there was none.
		`ALTER TABLE pet_change ADD COLUMN was BYTEA`)
}
