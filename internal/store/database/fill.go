package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
)

// ErrExists: there is a store at that address already.
var ErrExists = errors.New("there is something already; name a file that does not exist, or an empty database")

// Fill creates a store at address. It creates the tables, calls fill, which writes all rows in one
// transaction, and calls ready. Until ready has returned, nobody sees the store. If Fill fails or the
// process dies before, there is no store at address. Of a SQLite store the file address.part may be
// left, which the next Fill removes.
func Fill(ctx context.Context, address string, fill func(*DB, *sql.Tx) error, ready func() error) error {
	if path, file := strings.CutPrefix(address, "sqlite://"); file {
		return fillFile(ctx, path, fill, ready)
	}
	db, err := dialPostgres(address, 0)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.fill(ctx, fill, ready)
}

// fill calls ready right before it commits. A context that ends after ready does not end the
// transaction.
func (db *DB) fill(ctx context.Context, fill func(*DB, *sql.Tx) error, ready func() error) error {
	if have, err := db.Schema(ctx); err != nil {
		return err
	} else if have != "" {
		return ErrExists
	}
	tx, err := db.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	created, err := db.createTables(ctx, tx)
	if err != nil {
		return err
	}
	if !created {
		return ErrExists
	}
	if err := fill(db, tx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := ready(); err != nil {
		return err
	}
	return tx.Commit()
}

// fillFile fills the file path.part and gives it the name path.
func fillFile(ctx context.Context, path string, fill func(*DB, *sql.Tx) error, ready func() error) error {
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s: %w", path, ErrExists)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	part := path + ".part"
	os.Remove(part) // left by a process that was killed
	f, err := os.OpenFile(part, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer os.Remove(part)
	defer f.Close()
	// The file has no journal, because nobody uses it before it is complete.
	db, err := dialFile(part, url.Values{"mode": {"rw"}, "_pragma": {"journal_mode(OFF)", "synchronous(OFF)"}})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.fill(ctx, fill, func() error { return nil }); err != nil {
		return explain(part, err)
	}
	if err := errors.Join(db.CheckFile(), db.Close(), f.Sync()); err != nil {
		return err
	}
	if err := ready(); err != nil {
		return err
	}
	if err := os.Link(part, path); err == nil || errors.Is(err, fs.ErrExist) { // unlike Rename, Link replaces no file
		return err
	}
	return os.Rename(part, path) // this file system has no links
}

// tableNames finds the names of the tables in the schema.
var tableNames = regexp.MustCompile(`(?m)^CREATE TABLE (\w+)`)

// Tables returns the names of the tables with the data of a store, sorted. The other tables describe
// the store itself, and each copy has its own rows in them.
func Tables() (names []string) {
	for _, found := range tableNames.FindAllStringSubmatch(schema, -1) {
		if !slices.Contains([]string{"schema_fingerprint", "lease", "moved"}, found[1]) {
			names = append(names, found[1])
		}
	}
	slices.Sort(names)
	return names
}
