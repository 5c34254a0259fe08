package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// publishedTables are those that hold what is published, with what orders their
// rows; TEXT follows columns of text. The others are the service's own: who
// leads, what is asked for, how far indexing has come.
var publishedTables = []struct{ name, order string }{
	{"published", "token TEXT"},
	{"ledger", "token TEXT, hash TEXT"},
	{"reading", "token TEXT, kind TEXT, number"},
	{"publication", "token TEXT, clock, least, number"},
	{"proof", "token TEXT, snapshot TEXT"},
	{"proof_use", "token TEXT, snapshot TEXT, chain, kind TEXT, hash"},
	{"proof_part", "hash"},
	{"decision", "id TEXT"},
	{"tlog", "id"},
	{"tlog_leaf", "log, number"},
	{"tlog_hash", "log, level, number"},
	{"pet", "realm TEXT, id"},
	{"pet_layout", "version"},
	{"pet_listing", "fields TEXT"},
	{"pet_word", "field TEXT, number"},
	{"pet_count", "realm TEXT, n1, n2, n3, n4, n5, n6"},
	{"pet_kind", "n1, n2, n3, n4, n5, n6"},
	{"pet_change", "seq"},
}

// A Row is a row of a table of what is published: for each column nil, an int64, a
// string or bytes, the same on both engines.
type Row struct {
	Table   string
	Columns []string
	Values  []any
}

// A DumpHead says of which moment a dump is, and what form its rows have.
type DumpHead struct {
	Schema string       // of the tables: their fingerprint
	Feed   pet.FeedMark // the last change of a pet that is in it
}

// Dump reads everything that is published, as it stood at one moment: begin is
// called with that moment first, and row then with every row, in an order that
// only the rows decide. Nobody who writes waits for it.
func (s *Store) Dump(ctx context.Context, begin func(DumpHead) error, row func(Row) error) error {
	schema, err := s.db.Schema(ctx)
	if err != nil {
		return err
	}
	tx, err := s.beginReading(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	feed, err := list(ctx, tx, scanFeedMark, lastPetChange)
	if err != nil {
		return fmt.Errorf("reading the latest change of pets: %w", err)
	}
	head := DumpHead{Schema: schema}
	if len(feed) > 0 {
		head.Feed = feed[0]
	}
	if err := begin(head); err != nil {
		return err
	}
	only := publishedOnly{}
	byBytes := "" // as SQLite compares
	if s.db.Kind == "postgres" {
		byBytes = ` COLLATE "C"` // whatever language the database was made for
	}
	for _, t := range publishedTables {
		if err := dumpTable(ctx, tx, t.name, strings.ReplaceAll(t.order, " TEXT", byBytes), only, row); err != nil {
			return fmt.Errorf("reading the table %s: %w", t.name, err)
		}
	}
	return nil
}

func dumpTable(ctx context.Context, tx *sql.Tx, table, order string, only publishedOnly, row func(Row) error) error {
	rows, err := tx.QueryContext(ctx, "SELECT * FROM "+table+" ORDER BY "+order)
	if err != nil {
		return err
	}
	defer rows.Close()
	r := Row{Table: table}
	if r.Columns, err = rows.Columns(); err != nil {
		return err
	}
	names := slices.Sorted(slices.Values(r.Columns)) // engines list them as they were added
	targets := make([]any, len(r.Columns))
	at := make([]int, len(r.Columns))
	for i, c := range r.Columns {
		at[i] = slices.Index(names, c)
	}
	r.Columns = names
	for rows.Next() {
		r.Values = make([]any, len(names))
		for i := range targets {
			targets[i] = &r.Values[at[i]]
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		for i, v := range r.Values {
			if b, ok := v.([]byte); ok && b == nil {
				r.Values[i] = []byte{} // no bytes are something else than nothing
			}
		}
		if ok, err := only.reduce(&r); err != nil || !ok {
			if err != nil {
				return err
			}
			continue
		}
		if err := row(r); err != nil {
			return err
		}
	}
	return rows.Err()
}

// publishedOnly takes out of rows what nobody was shown. It knows how far each log
// is signed, whose row comes before its leaves and hashes.
type publishedOnly map[int64]int64

// reduce changes a row to what of it is published; false: nothing is.
func (signed publishedOnly) reduce(r *Row) (bool, error) {
	column := func(name string) *any { return &r.Values[slices.Index(r.Columns, name)] }
	number := func(name string) int64 { n, _ := (*column(name)).(int64); return n }
	switch r.Table {
	case "published": // without what the next measurement is judged by, which changes though nothing is published
		var rec supply.Record
		if err := (asJSON{&rec}).Scan(*column("record")); err != nil {
			return false, err
		}
		if rec.Snapshot == nil { // all its measurements were rejected
			return false, nil
		}
		kept := supply.Record{Token: rec.Token, Snapshot: rec.Snapshot, Confirmed: rec.Snapshot.MeasuredAt}
		text, err := asJSON{kept}.Value()
		*column("record"), *column("seq") = text, int64(1)
		return true, err
	case "decision": // only what was granted is in the log
		return number("granted") == 1, nil
	case "tlog": // as far as it is signed, by nobody but us: others may sign any time
		n := number("signed")
		signed[number("id")], *column("size") = n, n
		text, _ := (*column("checkpoint")).(string)
		origin, _ := (*column("origin")).(string)
		*column("checkpoint") = tlog.OwnSignature(text, origin)
	case "tlog_leaf":
		return number("number") < signed[number("log")], nil
	case "tlog_hash":
		return (number("number")+1)<<number("level") <= signed[number("log")], nil
	}
	return true, nil
}

// Restore makes a new store in a file out of the rows of a dump, which next
// returns one after the other; ok is false after the last. Rows
// of an older schema are brought up to this one.
func Restore(ctx context.Context, path, schema string, next func() (r Row, ok bool, err error)) error {
	return database.CreateFile(ctx, path, schema, func(db *database.DB) error {
		return transact(ctx, db.DB, func(tx *sql.Tx) error { return restoreRows(ctx, db, tx, next) })
	})
}

// restoreBatch is how many rows are inserted together.
const restoreBatch = 512

func restoreRows(ctx context.Context, db *database.DB, tx *sql.Tx, next func() (Row, bool, error)) error {
	var batch []Row
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		first := batch[0]
		err := database.InsertRows(ctx, db, tx, first.Table, first.Columns, "", batch, func(args []any, r *Row) []any { return append(args, r.Values...) })
		if err != nil {
			return fmt.Errorf("filling the table %s: %w", first.Table, err)
		}
		batch = batch[:0]
		return nil
	}
	for {
		r, ok, err := next()
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		if err := checkRow(r); err != nil {
			return err
		}
		if len(batch) == restoreBatch || len(batch) > 0 && batch[0].Table != r.Table {
			if err := flush(); err != nil {
				return err
			}
		}
		batch = append(batch, r)
	}
	return flush()
}

// checkRow refuses names that are not of a table of ours: they become part of a
// statement.
func checkRow(r Row) error {
	known := slices.ContainsFunc(publishedTables, func(t struct{ name, order string }) bool { return t.name == r.Table })
	bad := slices.ContainsFunc(r.Columns, func(c string) bool { return c == "" || strings.Trim(c, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" })
	if !known || bad || len(r.Columns) == 0 || len(r.Columns) != len(r.Values) {
		return fmt.Errorf("a row of %.40q with %d columns and %d values is none of a dump", r.Table, len(r.Columns), len(r.Values))
	}
	return nil
}
