package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
	"petsupply/internal/supply"
	"petsupply/internal/supply/tlog"
)

// publishedTables contain everything that is published. The other tables are internal, such as
// those for the lease, requests and the progress of indexing.
var publishedTables = []string{"published", "ledger", "reading", "publication", "proof", "proof_use", "proof_part",
	"decision", "tlog", "tlog_leaf", "tlog_hash", "pet", "pet_layout", "pet_listing", "pet_word", "pet_count",
	"pet_kind", "pet_change"}

// A Row is a row of a table. Each value is nil, an int64, a string or a []byte, and is the same on
// both engines.
type Row struct {
	Table   string
	Columns []string
	Values  []any
}

// A DumpHead says which form the rows of a dump have, and how recent they are.
type DumpHead struct {
	Schema string       // fingerprint of the tables
	Feed   pet.FeedMark // last change in the feed of pets when the dump was taken
	// Unsigned is the number of leaves in the newest log that are not signed yet. They are not in
	// the dump.
	Unsigned int64
}

// Dump reads everything that is published, as of one moment. It first calls begin, then calls row
// with every row, in an order that depends only on the rows. It does not block writers.
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
	head := DumpHead{Schema: schema, Feed: feed}
	err = tx.QueryRowContext(ctx, `SELECT size - signed FROM tlog ORDER BY id DESC LIMIT 1`).Scan(&head.Unsigned)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if err := begin(head); err != nil {
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

// dump reads the published rows of a table. The columns are sorted by name.
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

// publishedOnly removes unpublished data from rows. It maps each log to its signed size. It gets
// this size from the log's row, which comes before the rows of the log's leaves and hashes.
type publishedOnly map[int64]int64

// reduce removes the unpublished part of a row. It returns false if nothing is left.
func (signed publishedOnly) reduce(r *Row) (bool, error) {
	column := func(name string) *any { return &r.Values[slices.Index(r.Columns, name)] }
	number := func(name string) int64 { n, _ := (*column(name)).(int64); return n }
	switch r.Table {
	case "published": // keep the snapshot and its correction; the rest changes without a publication
		var rec supply.Record
		if err := (asJSON{&rec}).Scan(*column("record")); err != nil {
			return false, err
		}
		if rec.Snapshot == nil { // no measurement was ever published
			return false, nil
		}
		kept := supply.Record{Token: rec.Token, Snapshot: rec.Snapshot, Correction: rec.Correction,
			Confirmed: rec.Snapshot.MeasuredAt}
		text, err := asJSON{kept}.Value()
		*column("record"), *column("seq") = text, int64(1)
		return true, err
	case "decision": // only granted decisions are in the log
		return number("granted") == 1, nil
	case "tlog": // keep the signed part; drop signatures of witnesses, who may sign at any time
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

// Restore makes a new store in a file from the rows of a dump. The rows must have this program's
// schema.
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
	if schema != database.NewestSchema() {
		return fmt.Errorf("this program does not know the schema %.12s; another version of petsupply wrote it", schema)
	}
	return database.CreateFile(ctx, path, func(db *database.DB) error {
		return transact(ctx, db.DB, func(tx *sql.Tx) error { return side{db, tx}.insert(ctx, checked, func(int) {}) })
	})
}

// Limits of one INSERT.
const (
	insertBatch = 512     // rows
	insertBytes = 8 << 20 // bytes after which no row is added
)

// insert inserts rows until the first error. After each batch it calls progress with the number of
// rows in it.
func (s side) insert(ctx context.Context, rows iter.Seq2[Row, error], progress func(int)) error {
	var batch []Row
	size := 0
	flush := func() error {
		if len(batch) > 0 {
			err := database.InsertRows(ctx, s.db, s.tx, batch[0].Table, batch[0].Columns, "", batch,
				func(args []any, r *Row) []any { return append(args, r.Values...) })
			if err != nil {
				return fmt.Errorf("filling the table %s: %w", batch[0].Table, err)
			}
		}
		progress(len(batch))
		clear(batch)
		batch, size = batch[:0], 0
		return nil
	}
	for r, err := range rows {
		if err == nil && (len(batch) == insertBatch || size > insertBytes || len(batch) > 0 && batch[0].Table != r.Table) {
			err = flush()
		}
		if err != nil {
			return err
		}
		batch = append(batch, r)
		for _, v := range r.Values {
			switch v := v.(type) {
			case string:
				size += len(v)
			case []byte:
				size += len(v)
			}
		}
	}
	return flush()
}

// checkRow rejects an unknown table, and column names that are not plain identifiers, because the
// names become part of a statement.
func checkRow(r Row) error {
	bad := slices.IndexFunc(r.Columns,
		func(c string) bool { return c == "" || strings.Trim(c, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" })
	switch {
	case !slices.Contains(publishedTables, r.Table):
		return fmt.Errorf("the dump has a row of the table %.40q, which does not belong in a dump", r.Table)
	case len(r.Columns) == 0 || len(r.Columns) != len(r.Values):
		return fmt.Errorf("a row of %s has %d columns and %d values", r.Table, len(r.Columns), len(r.Values))
	case bad >= 0:
		return fmt.Errorf("a row of %s has the column %.40q, which is not a plain name", r.Table, r.Columns[bad])
	}
	return nil
}
