package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// inTx runs fn in one transaction. Any process may call it.
func (s *Store) inTx(ctx context.Context, fn func(*sql.Tx) error) error {
	return transact(ctx, s.db.DB, fn)
}

// transact runs fn in one transaction on a connection of db.
func transact(ctx context.Context, db *sql.DB, fn func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing a transaction: %w", err)
	}
	return nil
}

// A querier is a *database.DB or a *sql.Tx.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// A scanFunc is the Scan of a *sql.Row or *sql.Rows.
type scanFunc = func(to ...any) error

// list returns the rows of a query, each scanned by read.
func list[T any](ctx context.Context, q querier, read func(scanFunc, *T) error, query string,
	args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		var v T
		if err := read(rows.Scan, &v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// first returns the first row of a query, or nil.
func first[T any](ctx context.Context, q querier, read func(scanFunc, *T) error, query string,
	args ...any) (*T, error) {
	rows, err := list(ctx, q, read, query, args...)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return &rows[0], nil
}

// ifNone replaces sql.ErrNoRows by the error none. It returns any other err as it is.
func ifNone(err, none error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return none
	}
	return err
}

// wrap puts what the function was doing, such as "reading the lease", before an error. Use it with
// defer.
func wrap(err *error, format string, args ...any) {
	if *err != nil {
		*err = fmt.Errorf(format+": %w", append(args, *err)...)
	}
}

func readColumn[T any](scan scanFunc, v *T) error { return scan(v) }

// asJSON is a value that a column stores as JSON. Use it as an argument of a query. An asJSON whose
// value is a pointer is also a scan target.
type asJSON struct{ value any }

func (j asJSON) Value() (driver.Value, error) {
	text, err := json.Marshal(j.value)
	return string(text), err
}

func (j asJSON) Scan(from any) error {
	switch text := from.(type) {
	case string:
		return json.Unmarshal([]byte(text), j.value)
	case []byte:
		return json.Unmarshal(text, j.value)
	}
	return fmt.Errorf("a column has the type %T, want JSON", from)
}

// millis is a scan target for a time that a column stores in milliseconds.
type millis struct{ at *time.Time }

func (m millis) Scan(from any) error {
	ms, ok := from.(int64)
	if !ok {
		return fmt.Errorf("a column has the type %T, want an integer", from)
	}
	*m.at = fromMillis(ms)
	return nil
}

func fromMillis(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

func toMillis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
