package database

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// ErrNewer: the data was written by a newer version of the program.
var ErrNewer = errors.New("the data belongs to a newer version of petsupply; nothing was changed")

//go:embed migrations/*.sql
var migrations embed.FS

// provider knows the migrations. On PostgreSQL they run under a session lock,
// so that several processes may start at once.
func (db *DB) provider() (*goose.Provider, error) {
	dialect, opts := goose.DialectSQLite3, []goose.ProviderOption{
		goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(db.numberReadings(4), db.keepMoments(10))}
	if db.Kind == "postgres" {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
		if err != nil {
			return nil, fmt.Errorf("preparing migrations: %w", err)
		}
		dialect, opts = goose.DialectPostgres, append(opts, goose.WithSessionLocker(locker))
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	p, err := goose.NewProvider(dialect, db.DB, files, opts...)
	if err != nil {
		return nil, fmt.Errorf("preparing migrations: %w", err)
	}
	return p, nil
}

// versions returns the store's version and the newest that this program knows.
// A store that is newer than the program is ErrNewer.
func versions(ctx context.Context, p *goose.Provider) (have, newest int64, err error) {
	if have, err = p.GetDBVersion(ctx); err != nil {
		return 0, 0, fmt.Errorf("reading the version of the store: %w", err)
	}
	sources := p.ListSources()
	if newest = sources[len(sources)-1].Version; have > newest {
		return have, newest, fmt.Errorf("store has version %d, this program knows up to %d: %w", have, newest, ErrNewer)
	}
	return have, newest, nil
}

// Versions are the tables' version and the newest that this program knows; ErrNewer if theirs is above it.
func (db *DB) Versions(ctx context.Context) (have, newest int64, err error) {
	p, err := db.provider()
	if err != nil {
		return 0, 0, err
	}
	return versions(ctx, p)
}

// migrate brings the tables up to this version.
func (db *DB) migrate(ctx context.Context, log *slog.Logger) error {
	p, err := db.provider()
	if err != nil {
		return err
	}
	if _, _, err := versions(ctx, p); err != nil {
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

// upToDate is an error unless the tables are of this version.
func (db *DB) upToDate(ctx context.Context) error {
	have, newest, err := db.Versions(ctx)
	if err == nil && have < newest {
		err = fmt.Errorf("store has version %d and must be brought up to %d first", have, newest)
	}
	return err
}
