package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/store/database"
)

// Copy copies the store, as of one moment, to a new store at an address. Others may write meanwhile.
// The first leader of the copy begins a new log, and sends webhooks from there on. If Copy fails, there
// is no new store. After each batch it calls progress with the number of rows in it.
func (s *Store) Copy(ctx context.Context, to string, progress func(int)) error {
	options := &sql.TxOptions{ReadOnly: true}
	if s.db.Kind == "postgres" {
		options.Isolation = sql.LevelRepeatableRead // a transaction of SQLite always sees one state
	}
	tx, err := s.db.BeginTx(ctx, options)
	if err != nil {
		return fmt.Errorf("beginning to read the store: %w", err)
	}
	defer tx.Rollback()
	return database.Fill(ctx, to, func(db *database.DB, into *sql.Tx) error {
		if err := copyRows(ctx, tx, db, into, progress); err != nil {
			return err
		}
		return markCopied(ctx, into)
	}, func() error { return nil })
}

// markCopied makes a leader of this store begin a new log, and send webhooks only about new events.
func markCopied(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE tlog SET copied = 1`)
	if err != nil {
		return err
	}
	for feed, newest := range newestOf {
		_, err := tx.ExecContext(ctx, `UPDATE webhook SET seq = (`+newest+`), refused = 0 WHERE feed = $1`, feed)
		if err != nil {
			return err
		}
	}
	return nil
}

// Moved is the error for a store that was moved.
type Moved struct {
	Address string // the new store, without user and password
	At      time.Time
}

func (e *Moved) Error() string {
	return fmt.Sprintf("the store was moved to %s at %s; change \"store\" in the configuration to that address",
		e.Address, e.At.Format(time.RFC3339))
}

// usable returns a *Moved error if the store was moved.
func usable(ctx context.Context, q querier) error {
	moved, err := first(ctx, q, func(scan scanFunc, m *Moved) error { return scan(&m.Address, millis{&m.At}) },
		`SELECT address, at FROM moved`)
	if err == nil && moved != nil {
		return moved
	}
	return err
}

// A Move describes the move of a store.
type Move struct {
	From, To string // addresses
	ToName   string // the new address without user and password
	// Carry moves data that belongs to the store but is outside it. The old store is marked as moved
	// then, and nobody can use the new one yet.
	Carry    func() error
	Progress func(rows int)
}

// Run moves the store, which no process may lead. If it fails before the old store is marked as moved,
// nothing has changed. After that the old store cannot be used, but keeps its rows: run the same move
// again.
func (m Move) Run(ctx context.Context) error {
	db, err := database.OpenExisting(ctx, m.From, 0)
	if err != nil {
		return err
	}
	s := newStore(db)
	defer s.Close()
	tx, err := db.Leader.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return fmt.Errorf("beginning to move the store: %w", err)
	}
	defer tx.Rollback()
	err = usable(ctx, tx)
	was, marked := errors.AsType[*Moved](err)
	if err == nil {
		err = s.leave(ctx, tx, m.ToName)
	} else if marked && was.Address == m.ToName {
		err = nil // an earlier run was interrupted, or has done everything
	}
	if err != nil {
		return err
	}
	err = database.Fill(ctx, m.To, func(db *database.DB, into *sql.Tx) error {
		return copyRows(ctx, tx, db, into, m.Progress)
	}, func() error {
		if err := tx.Commit(); err != nil {
			return err
		}
		marked = true
		return m.Carry()
	})
	if errors.Is(err, database.ErrExists) && was != nil {
		return was
	}
	if err != nil && marked {
		return fmt.Errorf(
			"the old store is marked as moved, but the new one is not complete; run the command again: %w", err)
	}
	return err
}

// errLed: a service leads the store.
var errLed = errors.New("a service leads the store; stop it and its followers, or wait until its lease has ended")

// leave ends the use of the store: it removes the lease if that is free, and says where the store
// went. Until the transaction ends, nobody can write, because each transaction that writes locks the
// lease.
func (s *Store) leave(ctx context.Context, tx *sql.Tx, to string) error {
	res, err := tx.ExecContext(ctx, `DELETE FROM lease WHERE expires <= `+s.clock())
	if err != nil {
		return fmt.Errorf("taking the lease: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(errLed, err)
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO moved (address, at) VALUES ($1, $2)`, to, s.now().UnixMilli())
	return err
}

// copyRows copies all rows from one transaction to another. Then it reads the copy, and compares the
// number of rows and a hash of each table.
func copyRows(ctx context.Context, from *sql.Tx, db *database.DB, into *sql.Tx, progress func(int)) error {
	for _, table := range database.Tables() {
		read, err := copyTable(ctx, table, from, db, into, progress)
		if err != nil {
			return fmt.Errorf("copying the table %s: %w", table, err)
		}
		var written digest
		err = eachRow(ctx, into, table, func(_ []string, row []any) error { return written.add(row) })
		if err != nil {
			return fmt.Errorf("reading the copy of the table %s: %w", table, err)
		}
		if written != read {
			return fmt.Errorf("the copy of the table %s has other rows than the original", table)
		}
	}
	return nil
}

// Limits of one INSERT.
const (
	insertBatch = 512     // rows
	insertBytes = 8 << 20 // bytes after which no row is added
)

// copyTable copies the rows of one table, and returns their digest.
func copyTable(ctx context.Context, table string, from *sql.Tx, db *database.DB, into *sql.Tx, progress func(int),
) (read digest, err error) {
	var names []string
	var batch [][]any
	size := 0
	insert := func() error {
		err := database.InsertRows(ctx, db, into, table, names, "", batch,
			func(args []any, row *[]any) []any { return append(args, *row...) })
		progress(len(batch))
		clear(batch)
		batch = batch[:0]
		size = 0
		return err
	}
	err = eachRow(ctx, from, table, func(columns []string, row []any) error {
		names = columns
		batch = append(batch, row)
		for _, v := range row {
			switch v := v.(type) {
			case string:
				size += len(v)
			case []byte:
				size += len(v)
			}
		}
		if err := read.add(row); err != nil || len(batch) < insertBatch && size < insertBytes {
			return err
		}
		return insert()
	})
	if err == nil && len(batch) > 0 {
		err = insert()
	}
	return read, err
}

// eachRow calls fn for every row of a table. Each value is nil, an int64, a string or a []byte, and is
// the same on both engines.
func eachRow(ctx context.Context, tx *sql.Tx, table string, fn func(columns []string, row []any) error) error {
	rows, err := tx.QueryContext(ctx, `SELECT * FROM `+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		row := make([]any, len(columns))
		targets := make([]any, len(columns))
		for i := range row {
			targets[i] = &row[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return err
		}
		for i, v := range row {
			if b, ok := v.([]byte); ok && b == nil {
				row[i] = []byte{} // empty, not NULL
			}
		}
		if err := fn(columns, row); err != nil {
			return err
		}
	}
	return rows.Err()
}

// A digest is the number of rows and a hash of them that does not depend on their order: the sum of
// the hashes of all rows, in four parts.
type digest struct {
	rows int
	sum  [4]uint64
}

func (d *digest) add(row []any) error {
	var text []byte
	for _, v := range row {
		switch v := v.(type) {
		case nil:
			text = append(text, 'n')
		case int64:
			text = binary.BigEndian.AppendUint64(append(text, 'i'), uint64(v))
		case string:
			text = append(binary.AppendUvarint(append(text, 's'), uint64(len(v))), v...)
		case []byte:
			text = append(binary.AppendUvarint(append(text, 'b'), uint64(len(v))), v...)
		default:
			return fmt.Errorf("a column has the type %T", v)
		}
	}
	hash := sha256.Sum256(text)
	for i := range d.sum {
		d.sum[i] += binary.BigEndian.Uint64(hash[8*i:])
	}
	d.rows++
	return nil
}
