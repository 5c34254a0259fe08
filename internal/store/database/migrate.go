package database

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"slices"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// errNewer: a newer version of the program wrote the data.
var errNewer = errors.New("the data belongs to a newer version of petsupply; nothing was changed")

// errOtherSchema: no released version of the program has tables like these.
var errOtherSchema = errors.New("the tables were made by an unreleased version of petsupply, or by another program; " +
	"nothing was changed; use that version, or an empty store")

//go:embed migrations/*.sql
var files embed.FS

// A migration is one file of SQL that both engines understand.
type migration struct {
	text string

	// fingerprint is the hash of the text of this migration and all earlier ones. A store keeps the
	// fingerprint of its last migration.
	fingerprint string
}

// migrations are all files in the order of their names. The first is version 1.
var migrations = readMigrations()

func readMigrations() (list []migration) {
	entries, err := files.ReadDir("migrations")
	if err != nil {
		panic(err)
	}
	hash := sha256.New()
	for _, e := range entries {
		text, err := files.ReadFile("migrations/" + e.Name())
		if err != nil {
			panic(err)
		}
		hash.Write(text)
		list = append(list, migration{text: string(text), fingerprint: fmt.Sprintf("%x", hash.Sum(nil))})
	}
	return list
}

// NewestSchema returns the fingerprint of the tables that Open creates.
func NewestSchema() string { return migrations[len(migrations)-1].fingerprint }

// provider returns a goose provider with the migrations. On PostgreSQL they run under a session
// lock, so that several processes can start at once.
func (db *DB) provider() (*goose.Provider, error) {
	var steps []*goose.Migration
	for i, m := range migrations {
		steps = append(steps, goose.NewGoMigration(int64(i+1), &goose.GoFunc{RunTx: m.run}, nil))
	}
	dialect := goose.DialectSQLite3
	opts := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(steps...)}
	if db.Kind == "postgres" {
		// Another process's migration may take long, so wait for up to a day.
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 24*60*60))
		if err != nil {
			return nil, fmt.Errorf("preparing migrations: %w", err)
		}
		dialect, opts = goose.DialectPostgres, append(opts, goose.WithSessionLocker(locker))
	}
	p, err := goose.NewProvider(dialect, db.DB, nil, opts...)
	if err != nil {
		return nil, fmt.Errorf("preparing migrations: %w", err)
	}
	return p, nil
}

// run executes the statements and updates the store's fingerprint.
func (m migration) run(ctx context.Context, tx *sql.Tx) error {
	if _, err := tx.ExecContext(ctx, m.text); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM schema_fingerprint`); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `INSERT INTO schema_fingerprint (fingerprint) VALUES ($1)`, m.fingerprint)
	return err
}

// version returns a goose provider and the version of the store's tables, or 0 if there are none.
// The error is errNewer or errOtherSchema if the program does not know the tables.
func (db *DB) version(ctx context.Context) (p *goose.Provider, have int64, err error) {
	if p, err = db.provider(); err != nil {
		return nil, 0, err
	}
	known := false
	if have, err = p.GetDBVersion(ctx); err == nil {
		known, err = db.hasTable(ctx, "schema_fingerprint")
	}
	switch {
	case err != nil:
		return nil, 0, fmt.Errorf("reading the version of the store: %w", err)
	case have == 0:
		return p, 0, nil
	case !known:
		return nil, 0, errOtherSchema
	}
	var fingerprint string
	if err := db.QueryRowContext(ctx, `SELECT fingerprint FROM schema_fingerprint`).Scan(&fingerprint); err != nil {
		return nil, 0, fmt.Errorf("reading the schema of the store: %w", err)
	}
	if have > int64(len(migrations)) {
		return nil, 0, fmt.Errorf("the store has version %d, this program knows up to %d: %w", have, len(migrations),
			errNewer)
	}
	if want := migrations[have-1].fingerprint; fingerprint != want {
		return nil, 0, fmt.Errorf("the store has schema %.12s, this program knows %.12s: %w", fingerprint, want,
			errOtherSchema)
	}
	return p, have, nil
}

func (db *DB) hasTable(ctx context.Context, name string) (found bool, err error) {
	query := `SELECT to_regclass($1) IS NOT NULL`
	if db.Kind == "sqlite" {
		query = `SELECT count(*) > 0 FROM sqlite_master WHERE name = $1`
	}
	err = db.QueryRowContext(ctx, query, name).Scan(&found)
	return found, err
}

// Schema returns the fingerprint of the store's tables, or an error if they are not up to date.
func (db *DB) Schema(ctx context.Context) (string, error) {
	_, have, err := db.version(ctx)
	if err != nil {
		return "", err
	}
	if have < int64(len(migrations)) {
		return "", fmt.Errorf("the store has version %d and must be migrated to %d first; "+
			"petsupply serve migrates its store when it starts", have, len(migrations))
	}
	return NewestSchema(), nil
}

// migrate brings the tables to the newest version.
func (db *DB) migrate(ctx context.Context, log *slog.Logger) error {
	p, _, err := db.version(ctx)
	if err != nil {
		return err
	}
	done, err := p.Up(ctx)
	if err != nil {
		return fmt.Errorf("migrating the store: %w", err)
	}
	if len(done) > 0 && log != nil {
		log.Info("store migrated", "engine", db.Kind, "steps", len(done))
	}
	return nil
}

// migrateThrough creates the tables whose fingerprint is schema, calls fill, and migrates the
// tables to the newest version.
func (db *DB) migrateThrough(ctx context.Context, schema string, fill func(*DB) error) error {
	i := slices.IndexFunc(migrations, func(m migration) bool { return m.fingerprint == schema })
	if i < 0 {
		return fmt.Errorf("this program does not know the schema %.12s; another version of petsupply wrote it", schema)
	}
	p, err := db.provider()
	if err != nil {
		return err
	}
	if _, err := p.UpTo(ctx, int64(i+1)); err != nil {
		return fmt.Errorf("creating the tables: %w", err)
	}
	if err := fill(db); err != nil {
		return err
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("bringing the tables up to date: %w", err)
	}
	return nil
}
