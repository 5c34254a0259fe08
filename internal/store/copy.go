package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"iter"
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

// copyRows copies all rows of the tables from one side to the other and then compares both row by
// row. After each batch it calls progress with the number of rows in it.
func copyRows(ctx context.Context, tables []database.Table, from, to side, progress func(int)) error {
	for _, t := range tables {
		if err := to.insert(ctx, from.rows(ctx, t), progress); err != nil {
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

// compareTable returns an error if a table's rows differ between the sides.
func compareTable(ctx context.Context, t database.Table, a, b side) error {
	next, stop := iter.Pull2(b.rows(ctx, t))
	defer stop()
	n := 1
	for x, err := range a.rows(ctx, t) {
		y, errCopy, _ := next()
		if err := errors.Join(err, errCopy); err != nil {
			return err
		}
		if !reflect.DeepEqual(x, y) {
			return fmt.Errorf("row %d of the copy differs", n)
		}
		n++
	}
	if _, err, more := next(); more {
		return errors.Join(fmt.Errorf("row %d of the copy differs", n), err)
	}
	return nil
}

// rows yields the rows of a table. It ends after the first error.
func (s side) rows(ctx context.Context, t database.Table) iter.Seq2[tableRow, error] {
	return func(yield func(tableRow, error) bool) {
		rows, err := s.tx.QueryContext(ctx, s.db.Select(t))
		if err != nil {
			yield(tableRow{}, err)
			return
		}
		defer rows.Close()
		for rows.Next() {
			r := tableRow{Table: t.Name, Columns: t.Columns, Values: make([]any, len(t.Columns))}
			targets := make([]any, len(t.Columns))
			for i := range targets {
				targets[i] = &r.Values[i]
			}
			err := rows.Scan(targets...)
			for i, v := range r.Values {
				if b, ok := v.([]byte); ok && b == nil {
					r.Values[i] = []byte{} // empty, not NULL
				}
			}
			if !yield(r, err) || err != nil {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(tableRow{}, err)
		}
	}
}

// Backup writes the whole store, as of one moment, to a new SQLite file that only its owner can
// read. It does not block writers. If it fails, there is no file.
func (s *Store) Backup(ctx context.Context, file string, progress func(int)) error {
	if _, err := os.Lstat(file); err == nil {
		return fmt.Errorf("%s: %w", file, fs.ErrExist)
	}
	part := file + ".part"
	removeFile(part) // left by an earlier run that was killed
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
	if err := os.Link(part, file); errors.Is(err, fs.ErrExist) { // unlike Rename, Link never replaces a file
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
	return database.CreateFile(ctx, file, func(db *database.DB) error {
		return transact(ctx, db.DB, func(into *sql.Tx) error {
			return copyRows(ctx, tables, side{s.db, tx}, side{db, into}, progress)
		})
	})
}

// beginReading begins a transaction that sees one state of the store.
func (s *Store) beginReading(ctx context.Context) (*sql.Tx, error) {
	options := &sql.TxOptions{ReadOnly: true}
	if s.db.Kind == "postgres" {
		options.Isolation = sql.LevelRepeatableRead // a transaction of SQLite always sees one state
	}
	tx, err := s.db.BeginTx(ctx, options)
	if err != nil {
		return nil, fmt.Errorf("beginning to read the store: %w", err)
	}
	return tx, nil
}

// removeFile removes a SQLite file, the files that SQLite keeps beside it, and our lock file.
func removeFile(path string) {
	for _, suffix := range []string{"", "-wal", "-shm", "-journal", ".lock"} {
		os.Remove(path + suffix)
	}
}

// RestoreBackup fills the store at an address from a backup. It creates the store, or uses an empty
// one. If it fails, it leaves no store or an empty one.
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

// openTarget opens a store to fill, even one that a move began to fill. drop removes a file that
// openTarget created.
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

// errNotEmpty: the store to fill has rows, or is in use.
var errNotEmpty = errors.New("the store to fill must be empty and not in use")

// fill copies everything from the other side to this store in one transaction. source is the name
// of the store that a move copies from, or "" if there is no move. In a move the new store cannot
// be used until settle is called.
func (s *Store) fill(ctx context.Context, from side, source string, progress func(int)) error {
	if holder, err := s.Leader(ctx); err != nil {
		return err
	} else if holder != "" {
		return fmt.Errorf("%w: %s is its leader", errNotEmpty, holder)
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

// makeEmpty returns errNotEmpty if a table has rows. If clear is set, it deletes the rows instead,
// because they are from an interrupted move.
func makeEmpty(ctx context.Context, tx *sql.Tx, table string, clear bool) error {
	if clear {
		_, err := tx.ExecContext(ctx, `DELETE FROM `+table)
		return err
	}
	var found bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+table+`)`).Scan(&found)
	if err == nil && found {
		err = fmt.Errorf("%w: its table %s has rows", errNotEmpty, table)
	}
	return err
}

// A tableRow is a row of a table. Each value is nil, an int64, a string or a []byte, and is the same
// on both engines.
type tableRow struct {
	Table   string
	Columns []string
	Values  []any
}

// Limits of one INSERT.
const (
	insertBatch = 512     // rows
	insertBytes = 8 << 20 // bytes after which no row is added
)

// insert inserts rows until the first error. After each batch it calls progress with the number of
// rows in it.
func (s side) insert(ctx context.Context, rows iter.Seq2[tableRow, error], progress func(int)) error {
	var batch []tableRow
	size := 0
	flush := func() error {
		if len(batch) > 0 {
			err := database.InsertRows(ctx, s.db, s.tx, batch[0].Table, batch[0].Columns, "", batch,
				func(args []any, r *tableRow) []any { return append(args, r.Values...) })
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
