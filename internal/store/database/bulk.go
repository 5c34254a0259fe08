package database

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// A leader's transactions must not take long, because the lease may expire meanwhile. Few statements
// with many rows take less time than many statements with few rows.

// InBatches calls fn with consecutive parts of list, of at most size elements. size must be a power
// of two. The length of each part is a power of two as well, so that the engines parse few
// different statements.
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

// placeholders returns "($1,$2),($3,$4)" for two rows of two values. SQLite needs quadratic time for
// numbered parameters, so it gets "?".
func (db *DB) placeholders(rows, columns int) string {
	var b strings.Builder
	for i := range rows * columns {
		switch {
		case i == 0:
			b.WriteByte('(')
		case i%columns == 0:
			b.WriteString("),(")
		default:
			b.WriteByte(',')
		}
		if db.Kind == "postgres" {
			b.WriteString("$" + strconv.Itoa(i+1))
		} else {
			b.WriteByte('?')
		}
	}
	return b.String() + ")"
}

// InsertRows inserts rows into a table, many in each statement. conflict is an ON CONFLICT clause,
// or "". args appends a row's values in the order of columns.
func InsertRows[T any](ctx context.Context, db *DB, tx *sql.Tx, table string, columns []string, conflict string,
	rows []T, args func([]any, *T) []any) error {
	values := 2048
	if db.Kind == "postgres" {
		values = 8192
	}
	most := 1
	for 2*most*len(columns) <= values {
		most *= 2
	}
	list := make([]any, 0, min(most, len(rows))*len(columns))
	var put *sql.Stmt // inserts size rows
	size := 0
	err := InBatches(rows, most, func(part []T) (err error) {
		if len(part) != size {
			db.closeEarly(put)
			size = len(part)
			put, err = tx.PrepareContext(ctx, "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES "+
				db.placeholders(size, len(columns))+" "+conflict)
			if err != nil {
				return err
			}
		}
		list = list[:0]
		for i := range part {
			list = args(list, &part[i])
		}
		_, err = put.ExecContext(ctx, list...)
		return err
	})
	db.closeEarly(put)
	return err
}

// closeEarly frees a statement before its transaction ends. SQLite keeps hundreds of kilobytes for
// a statement with many rows. On PostgreSQL closeEarly does nothing, because closing the statement
// would cost a round trip.
func (db *DB) closeEarly(put *sql.Stmt) {
	if put != nil && db.Kind != "postgres" {
		put.Close()
	}
}

// ExecEach runs a statement such as "DELETE FROM t WHERE id" on the rows of these ids in a realm.
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
		_, err := tx.ExecContext(ctx, statement+" IN "+db.placeholders(1, len(part))+" AND realm = "+last,
			append(args, realm)...)
		return err
	})
}

// Empty deletes all rows of a table without visiting each of them.
func (db *DB) Empty(ctx context.Context, tx *sql.Tx, table string) error {
	statement := "DELETE FROM " + table // without WHERE, SQLite frees whole pages
	if db.Kind == "postgres" {
		statement = "TRUNCATE TABLE " + table
	}
	_, err := tx.ExecContext(ctx, statement)
	return err
}
