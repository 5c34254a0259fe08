package store

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// publishedTables are those that hold what is published. The others are the service's
// own: who leads, what is asked for, how far indexing has come.
var publishedTables = []string{"published", "ledger", "reading", "publication", "proof", "proof_use", "proof_part", "decision",
	"tlog", "tlog_leaf", "tlog_hash", "pet", "pet_layout", "pet_listing", "pet_word", "pet_count", "pet_kind", "pet_change"}

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
	feed, err := lastChange(ctx, tx)
	if err != nil {
		return err
	}
	if err := begin(DumpHead{Schema: schema, Feed: feed}); err != nil {
		return err
	}
	tables, err := database.Tables(ctx)
	if err != nil {
		return err
	}
	only := publishedOnly{}
	for _, name := range publishedTables {
		i := slices.IndexFunc(tables, func(t database.Table) bool { return t.Name == name })
		if err := only.dump(ctx, side{s.db, tx}, tables[i], row); err != nil {
			return fmt.Errorf("reading the table %s: %w", name, err)
		}
	}
	return nil
}

// dump reads what is published of a table. The columns are in the order of their names.
func (signed publishedOnly) dump(ctx context.Context, from side, t database.Table, row func(Row) error) error {
	t.Columns = slices.Sorted(slices.Values(t.Columns))
	for r, err := range from.rows(ctx, t) {
		published := false
		if err == nil {
			published, err = signed.reduce(&r)
		}
		if err == nil && published {
			err = row(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
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

// Restore makes a new store in a file out of the rows of a dump. Rows of an older
// schema are brought up to this one.
func Restore(ctx context.Context, path, schema string, rows iter.Seq2[Row, error]) error {
	checked := func(yield func(Row, error) bool) {
		for r, err := range rows {
			if err == nil {
				err = checkRow(r)
			}
			if !yield(r, err) {
				return
			}
		}
	}
	return database.CreateFile(ctx, path, schema, func(db *database.DB) error {
		return transact(ctx, db.DB, func(tx *sql.Tx) error { return side{db, tx}.insert(ctx, checked, func(int) {}) })
	})
}

// insertBatch is how many rows are inserted together.
const insertBatch = 512

// insert inserts rows until the first error. progress is called with the number of rows
// that were inserted since.
func (s side) insert(ctx context.Context, rows iter.Seq2[Row, error], progress func(int)) error {
	var batch []Row
	flush := func() error {
		if len(batch) > 0 {
			err := database.InsertRows(ctx, s.db, s.tx, batch[0].Table, batch[0].Columns, "", batch,
				func(args []any, r *Row) []any { return append(args, r.Values...) })
			if err != nil {
				return fmt.Errorf("filling the table %s: %w", batch[0].Table, err)
			}
		}
		progress(len(batch))
		batch = batch[:0]
		return nil
	}
	for r, err := range rows {
		if err == nil && (len(batch) == insertBatch || len(batch) > 0 && batch[0].Table != r.Table) {
			err = flush()
		}
		if err != nil {
			return err
		}
		batch = append(batch, r)
	}
	return flush()
}

// checkRow refuses names that are not of a table of ours: they become part of a
// statement.
func checkRow(r Row) error {
	known := slices.Contains(publishedTables, r.Table)
	bad := slices.ContainsFunc(r.Columns, func(c string) bool { return c == "" || strings.Trim(c, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" })
	if !known || bad || len(r.Columns) == 0 || len(r.Columns) != len(r.Values) {
		return fmt.Errorf("a row of %.40q with %d columns and %d values is none of a dump", r.Table, len(r.Columns), len(r.Values))
	}
	return nil
}
