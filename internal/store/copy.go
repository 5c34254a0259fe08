package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"strings"

	"petsupply/internal/store/database"
)

// A side is one of the two stores of a copy, in a transaction.
type side struct {
	db *database.DB
	tx *sql.Tx
}

// copyRows copies all rows of the tables from one side to the other, and then compares
// both row by row. progress is called with the number of rows that were copied since.
func copyRows(ctx context.Context, tables []database.Table, from, to side, progress func(int)) error {
	for _, t := range tables {
		if err := copyTable(ctx, t, from, to, progress); err != nil {
			return fmt.Errorf("copying the table %s: %w", t.Name, err)
		}
	}
	for _, t := range tables {
		if err := compareTable(ctx, t, from, to); err != nil {
			return fmt.Errorf("comparing the table %s: %w", t.Name, err)
		}
	}
	return nil
}

func copyTable(ctx context.Context, t database.Table, from, to side, progress func(int)) error {
	rows, err := from.open(ctx, t)
	if err != nil {
		return err
	}
	defer rows.Close()
	for more := true; more; {
		var batch [][]any
		for len(batch) < restoreBatch {
			var values []any
			if values, more, err = rows.next(); err != nil {
				return err
			} else if !more {
				break
			}
			batch = append(batch, values)
		}
		err := database.InsertRows(ctx, to.db, to.tx, t.Name, t.Columns, "", batch,
			func(args []any, values *[]any) []any { return append(args, *values...) })
		if err != nil {
			return err
		}
		progress(len(batch))
	}
	return nil
}

// compareTable is an error if a table does not have the same rows on both sides.
func compareTable(ctx context.Context, t database.Table, a, b side) error {
	left, err := a.open(ctx, t)
	if err != nil {
		return err
	}
	defer left.Close()
	right, err := b.open(ctx, t)
	if err != nil {
		return err
	}
	defer right.Close()
	for n := 1; ; n++ {
		x, moreLeft, err := left.next()
		if err != nil {
			return err
		}
		y, moreRight, err := right.next()
		if err != nil {
			return err
		}
		if moreLeft != moreRight || !reflect.DeepEqual(x, y) {
			return fmt.Errorf("row %d of the copy is another one", n)
		}
		if !moreLeft {
			return nil
		}
	}
}

// A rowReader reads the rows of a table: for each column nil, an int64, a string or
// bytes, the same on both engines.
type rowReader struct {
	*sql.Rows
	columns int
}

func (s side) open(ctx context.Context, t database.Table) (rowReader, error) {
	rows, err := s.tx.QueryContext(ctx, s.db.Select(t))
	return rowReader{rows, len(t.Columns)}, err
}

// next returns the next row. more is false after the last one.
func (r rowReader) next() (values []any, more bool, err error) {
	if !r.Next() {
		return nil, false, r.Err()
	}
	values = make([]any, r.columns)
	targets := make([]any, r.columns)
	for i := range values {
		targets[i] = &values[i]
	}
	if err := r.Scan(targets...); err != nil {
		return nil, false, err
	}
	for i, v := range values {
		if b, ok := v.([]byte); ok && b == nil {
			values[i] = []byte{} // empty, which is not the same as NULL
		}
	}
	return values, true, nil
}

// Backup writes everything in the store, as of one moment, into a new SQLite file that
// only its owner can read. Nobody who writes waits for it. If it fails, there is no file.
func (s *Store) Backup(ctx context.Context, file string, progress func(int)) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s: %w", file, fs.ErrExist)
	}
	part := file + ".part"
	removeFile(part) // an earlier run was killed
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer removeFile(part) // does nothing after a rename
	if err := f.Close(); err != nil {
		return err
	}
	if err := s.backupInto(ctx, part, progress); err != nil {
		return err
	}
	if err := os.Link(part, file); errors.Is(err, fs.ErrExist) { // unlike Rename it never replaces a file
		return err
	} else if err != nil { // this file system has no links
		return os.Rename(part, file)
	}
	return nil
}

func (s *Store) backupInto(ctx context.Context, file string, progress func(int)) error {
	tables, err := database.Tables(ctx)
	if err != nil {
		return err
	}
	tx, err := s.beginReading(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return database.CreateFile(ctx, file, database.NewestSchema(), func(db *database.DB) error {
		return transact(ctx, db.DB, func(into *sql.Tx) error {
			return copyRows(ctx, tables, side{s.db, tx}, side{db, into}, progress)
		})
	})
}

// beginReading begins a transaction that sees one state of the store.
func (s *Store) beginReading(ctx context.Context) (*sql.Tx, error) {
	options := &sql.TxOptions{ReadOnly: true}
	if s.db.Kind == "postgres" {
		options.Isolation = sql.LevelRepeatableRead // SQLite always reads one state
	}
	tx, err := s.db.BeginTx(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("beginning to read everything: %w", err)
	}
	return tx, nil
}

// removeFile removes a SQLite file and those that SQLite has beside it.
func removeFile(path string) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		os.Remove(path + suffix)
	}
}

// RestoreBackup fills the store at an address with everything in a backup. It makes
// the store, or takes an empty one. If it fails, it leaves no store, or an empty one.
func RestoreBackup(ctx context.Context, backup, address string, progress func(int)) error {
	from, err := OpenExisting(ctx, "sqlite://"+backup, 0)
	if err != nil {
		return err
	}
	defer from.Close()
	tx, err := from.beginReading(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	to, drop, err := openTarget(ctx, address)
	if err != nil {
		return err
	}
	err = to.fill(ctx, side{from.db, tx}, "", progress)
	to.Close()
	if err != nil {
		drop()
	}
	return err
}

// openTarget opens a store to fill it, also one that a move began to fill. drop removes
// a file that it made.
func openTarget(ctx context.Context, address string) (to *Store, drop func(), err error) {
	drop = func() {}
	if path, file := strings.CutPrefix(address, "sqlite://"); file {
		if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
			drop = func() { removeFile(path) }
		}
	}
	db, err := database.Open(ctx, address, 0, nil)
	if err != nil {
		drop()
		return nil, nil, err
	}
	return newStore(db), drop, nil
}

// ErrNotEmpty: a store that is to be filled has something in it, or is in use.
var ErrNotEmpty = errors.New("the store to fill is not empty")

// fill copies everything to this store in one transaction. If source is not empty, the
// store cannot be used until settle is called.
func (s *Store) fill(ctx context.Context, from side, source string, progress func(int)) error {
	if holder, err := s.Leader(ctx); err != nil {
		return err
	} else if holder != "" {
		return fmt.Errorf("%w: %s leads it", ErrNotEmpty, holder)
	}
	tables, err := database.Tables(ctx)
	if err != nil {
		return err
	}
	return transact(ctx, s.db.Leader, func(tx *sql.Tx) error {
		was, err := readMoved(ctx, tx)
		if err != nil {
			return err
		}
		if was != nil && !was.Arriving {
			return was
		}
		name := leaseOfLeader
		if source != "" {
			name = leaseArriving
		}
		if err := s.setLease(ctx, tx, name, source); err != nil {
			return err
		}
		if err := s.db.LockTables(ctx, tx, tables); err != nil {
			return err
		}
		for _, t := range tables {
			if err := makeEmpty(ctx, tx, t.Name, was != nil); err != nil {
				return err
			}
		}
		return copyRows(ctx, tables, from, side{s.db, tx}, progress)
	})
}

// makeEmpty is ErrNotEmpty if a table has rows, unless clear allows to delete them: a
// move that was interrupted put them there.
func makeEmpty(ctx context.Context, tx *sql.Tx, table string, clear bool) error {
	if clear {
		_, err := tx.ExecContext(ctx, `DELETE FROM `+table)
		return err
	}
	var found bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+`)`).Scan(&found)
	if err == nil && found {
		err = fmt.Errorf("%w: its table %s has rows", ErrNotEmpty, table)
	}
	return err
}
