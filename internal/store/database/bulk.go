package database

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// Inside a leader's transaction time is counted in round trips, for the lease
// runs on: so many rows go with one statement as the engine likes.

// InBatches calls fn with parts of list of at most size, which is a power of
// two, as are the lengths of the parts: the engines parse few different texts.
func InBatches[T any](list []T, size int, fn func(part []T) error) error {
	for len(list) > 0 {
		for size > len(list) {
			size /= 2
		}
		if err := fn(list[:size]); err != nil {
			return err
		}
		list = list[size:]
	}
	return nil
}

// placeholders are "($1,$2),($1,$3)" for two rows of two values, of which the first is
// shared by all rows. The embedded engine takes time by the square of parameters that
// have names, and numbers are names to it, so it gets "?", and can share none.
func (db *DB) placeholders(shared, rows, columns int) string {
	var b strings.Builder
	next := shared
	for i := range rows * columns {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%columns == 0:
			b.WriteString("),(")
		default:
			b.WriteByte(',')
		}
		if db.Kind != "postgres" {
			b.WriteByte('?')
			continue
		}
		n := i%columns + 1
		if n > shared {
			next++
			n = next
		}
		b.WriteString("$" + strconv.Itoa(n))
	}
	return b.String() + ")"
}

// values is the part of an INSERT that names the values of its rows.
func (db *DB) values(shared, rows, columns int) string {
	if db.Kind == "postgres" || shared == 0 {
		return "VALUES " + db.placeholders(shared, rows, columns)
	}
	return "SELECT " + strings.Repeat("?,", shared) + "* FROM (VALUES " + db.placeholders(0, rows, columns-shared) + ") WHERE true"
}

// InsertRows inserts rows into a table, many with one statement; args appends a
// row's values in the order of columns.
func InsertRows[T any](ctx context.Context, db *DB, tx *sql.Tx, table string, columns []string, conflict string, rows []T, args func([]any, *T) []any) error {
	return InsertSharing(ctx, db, tx, table, columns, nil, conflict, rows, args)
}

// InsertSharing is InsertRows for rows that have the same values in their first columns.
// These are sent once with each statement, and args leaves them out.
func InsertSharing[T any](ctx context.Context, db *DB, tx *sql.Tx, table string, columns []string, shared []any, conflict string, rows []T,
	args func([]any, *T) []any) error {
	values := 2048
	if db.Kind == "postgres" {
		values = 8192
	}
	most, own := 1, len(columns)-len(shared)
	for 2*most*own <= values {
		most *= 2
	}
	list := append(make([]any, 0, len(shared)+min(most, len(rows))*own), shared...)
	var put *sql.Stmt // for as many rows as the last part had
	size := 0
	err := InBatches(rows, most, func(part []T) (err error) {
		if len(part) != size {
			db.closeEarly(put)
			size = len(part)
			put, err = tx.PrepareContext(ctx, "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") "+
				db.values(len(shared), size, len(columns))+" "+conflict)
			if err != nil {
				return err
			}
		}
		list = list[:len(shared)]
		for i := range part {
			list = args(list, &part[i])
		}
		_, err = put.ExecContext(ctx, list...)
		return err
	})
	db.closeEarly(put)
	return err
}

// closeEarly frees a statement before its transaction ends: of many rows SQLite
// keeps hundreds of kilobytes. PostgreSQL keeps it for itself, and closing would be
// a round trip.
func (db *DB) closeEarly(put *sql.Stmt) {
	if put != nil && db.Kind != "postgres" {
		put.Close()
	}
}

// ExecEach runs a statement, "DELETE FROM t", on the rows of these ids in a realm.
func (db *DB) ExecEach(ctx context.Context, tx *sql.Tx, statement, realm string, ids []uint64) error {
	return InBatches(ids, 1024, func(part []uint64) error {
		args := make([]any, 0, len(part)+1)
		for _, id := range part {
			args = append(args, int64(id))
		}
		last := "?"
		if db.Kind == "postgres" {
			last = "$" + strconv.Itoa(len(part)+1)
		}
		_, err := tx.ExecContext(ctx, statement+" WHERE id IN "+db.placeholders(0, 1, len(part))+" AND realm = "+last, append(args, realm)...)
		return err
	})
}

// Empty deletes all rows of a table, in a time that does not depend on how many there
// are.
func (db *DB) Empty(ctx context.Context, tx *sql.Tx, table string) error {
	statement := "DELETE FROM " + table // SQLite frees the table as a whole
	if db.Kind == "postgres" {
		statement = "TRUNCATE TABLE " + table
	}
	_, err := tx.ExecContext(ctx, statement)
	return err
}
