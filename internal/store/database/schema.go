package database

import (
	"context"
	"crypto/sha256"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
)

// errOtherSchema: the store has other tables than this program.
var errOtherSchema = errors.New("its tables were made by another version of petsupply, or by another program; " +
	"nothing was changed; use that version, or an empty store")

// schema is the SQL that creates all tables. Both engines understand it.
//
//go:embed schema.sql
var schema string

// fingerprint identifies the schema. Each store keeps the fingerprint of its own tables.
var fingerprint = fmt.Sprintf("%x", sha256.Sum256([]byte(schema)))

// NewestSchema returns the fingerprint of the tables that Open creates.
func NewestSchema() string { return fingerprint }

// Schema returns the fingerprint of the store's tables, or "" if there are none. The error is
// errOtherSchema if they are not those of this program.
func (db *DB) Schema(ctx context.Context) (string, error) {
	// Another process may create all tables meanwhile, in one transaction. So this looks for the lease
	// first: if there is one, there must be a fingerprint too.
	ours, err := db.hasTable(ctx, "lease")
	if err != nil {
		return "", fmt.Errorf("reading the schema of the store: %w", err)
	}
	found, err := db.hasTable(ctx, "schema_fingerprint")
	switch {
	case err != nil:
		return "", fmt.Errorf("reading the schema of the store: %w", err)
	case !found && ours:
		return "", errOtherSchema
	case !found:
		return "", nil
	}
	var stored string
	if err := db.QueryRowContext(ctx, `SELECT fingerprint FROM schema_fingerprint`).Scan(&stored); err != nil {
		return "", fmt.Errorf("reading the schema of the store: %w", err)
	}
	if stored != fingerprint {
		return "", fmt.Errorf("the store has schema %.12s, this program has %.12s: %w", stored, fingerprint,
			errOtherSchema)
	}
	return stored, nil
}

func (db *DB) hasTable(ctx context.Context, name string) (found bool, err error) {
	query := `SELECT to_regclass($1) IS NOT NULL`
	if db.Kind == "sqlite" {
		query = `SELECT count(*) > 0 FROM sqlite_master WHERE name = $1`
	}
	err = db.QueryRowContext(ctx, query, name).Scan(&found)
	return found, err
}

// create creates the tables if there are none. Several processes can call it at once.
func (db *DB) create(ctx context.Context, log *slog.Logger) error {
	if have, err := db.Schema(ctx); err != nil || have != "" {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("creating the tables: %w", err)
	}
	defer tx.Rollback()
	if created, err := db.createTables(ctx, tx); err != nil || !created {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("creating the tables: %w", err)
	}
	if log != nil {
		log.Info("store created", "engine", db.Kind)
	}
	return nil
}

// schemaLock is the key of the advisory lock on PostgreSQL under which tables are created.
const schemaLock = 0x70657473

// createTables creates the tables in a transaction, and reports whether it did. It did not if another
// process created them meanwhile. On SQLite every writing transaction excludes all others.
func (db *DB) createTables(ctx context.Context, tx *sql.Tx) (bool, error) {
	if db.Kind == "postgres" {
		if _, err := tx.ExecContext(ctx, `SELECT pg_advisory_xact_lock($1)`, schemaLock); err != nil {
			return false, fmt.Errorf("waiting for the lock to create the tables: %w", err)
		}
	}
	if have, err := db.Schema(ctx); err != nil || have != "" {
		return false, err
	}
	_, err := tx.ExecContext(ctx, schema)
	if err == nil {
		_, err = tx.ExecContext(ctx, `INSERT INTO schema_fingerprint (fingerprint) VALUES ($1)`, fingerprint)
	}
	if err != nil {
		return false, fmt.Errorf("creating the tables: %w", err)
	}
	return true, nil
}
