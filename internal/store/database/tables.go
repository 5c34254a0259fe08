package database

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// A Table is one of the store's tables, as the schema creates it.
type Table struct {
	Name    string
	Columns []string
	text    []string // the columns with text
	order   []string // the columns that rows are sorted by
}

// ownTables describe the store itself and its leader. A copy of the store has its own rows in them.
var ownTables = []string{"schema_fingerprint", "lease"}

// Tables returns the tables that a complete copy of a store needs, sorted by name.
func Tables(ctx context.Context) ([]Table, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // each connection has its own database in memory
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, err
	}
	names, err := texts(ctx, db,
		`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	var out []Table
	for _, name := range names {
		if slices.Contains(ownTables, name) {
			continue
		}
		t := Table{Name: name}
		if t.Columns, err = texts(ctx, db, `SELECT name FROM pragma_table_info($1) ORDER BY cid`, name); err != nil {
			return nil, err
		}
		if t.text, err = texts(ctx, db, `SELECT name FROM pragma_table_info($1) WHERE type = 'TEXT'`, name); err != nil {
			return nil, err
		}
		t.order, err = texts(ctx, db, `SELECT name FROM pragma_table_info($1) WHERE pk > 0 ORDER BY pk`, name)
		if err != nil {
			return nil, err
		}
		if len(t.order) == 0 {
			t.order = t.Columns
		}
		out = append(out, t)
	}
	return out, nil
}

// texts returns the result of a query with one column.
func texts(ctx context.Context, db *sql.DB, query string, args ...any) (out []string, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	return out, rows.Err()
}

// Select returns the query for all rows of the table. Their order depends only on the rows and is
// the same on both engines.
func (db *DB) Select(t Table) string {
	order := slices.Clone(t.order)
	for i, column := range order {
		if db.Kind == "postgres" && slices.Contains(t.text, column) {
			order[i] = column + ` COLLATE "C"` // compares bytes, as SQLite does
		}
	}
	return fmt.Sprintf("SELECT %s FROM %s ORDER BY %s", strings.Join(t.Columns, ", "), t.Name, strings.Join(order, ", "))
}

// LockTables blocks other writers until the transaction ends. On SQLite every writing transaction
// does that.
func (db *DB) LockTables(ctx context.Context, tx *sql.Tx, tables []Table) error {
	if db.Kind != "postgres" {
		return nil
	}
	var names []string
	for _, t := range tables {
		names = append(names, t.Name)
	}
	_, err := tx.ExecContext(ctx, "LOCK TABLE "+strings.Join(names, ", ")+" IN EXCLUSIVE MODE")
	return err
}
