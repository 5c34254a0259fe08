// Package store keeps readings and pets in SQL. Open a Store on a file or on
// PostgreSQL; one text of SQL serves both. Writes that only the leader may
// make go through lead and take effect only while its lease holds.
package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
)

// ErrNewer: the data was written by a newer version of the program.
var ErrNewer = errors.New("the data belongs to a newer version of petsupply; nothing was changed")

//go:embed migrations/*.sql
var migrations embed.FS

// A Store is one database. It is safe for concurrent use.
type Store struct {
	db    *sql.DB
	clock string // the engine's expression for now, in milliseconds
	kind  string // "sqlite" or "postgres"

	// epoch is this process's own term as leader, 0 while it has none.
	epoch atomic.Int64
}

// Open connects to the database that url names ("sqlite:///var/lib/p.db",
// "postgres://…"), and brings its tables up to date. Transactions that stay
// idle for longer than half of lease are ended by PostgreSQL itself, so that a
// stalled leader cannot hold its successor up.
func Open(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*Store, error) {
	switch scheme, rest, _ := strings.Cut(url, "://"); scheme {
	case "sqlite":
		return openFile(ctx, rest, log)
	case "postgres", "postgresql":
		return openServer(ctx, url, lease, log)
	default:
		return nil, fmt.Errorf("store %q: want sqlite:///path/to/file.db or postgres://…", scheme+"://…")
	}
}

// Close ends every connection.
func (s *Store) Close() error { return s.db.Close() }

// Kind is "sqlite" or "postgres".
func (s *Store) Kind() string { return s.kind }

// Ping says whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.PingContext(ctx) }

func openServer(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*Store, error) {
	s, err := dialPostgres(url, lease)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx, log); err != nil {
		s.db.Close()
		return nil, err
	}
	return s, nil
}

func dialPostgres(url string, lease time.Duration) (*Store, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errors.New("store: not a usable postgres:// address") // err would repeat the password
	}
	if lease > 0 {
		ms := strconv.FormatInt(lease.Milliseconds()/2, 10)
		cfg.RuntimeParams["idle_in_transaction_session_timeout"] = ms
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
	}
	db := stdlib.OpenDB(*cfg)
	db.SetMaxOpenConns(16)
	db.SetMaxIdleConns(8)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return &Store{db: db, kind: "postgres", clock: "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)"}, nil
}

// provider knows the migrations. On PostgreSQL they run under a session lock,
// so that several processes may start at once.
func (s *Store) provider() (*goose.Provider, error) {
	dialect, opts := goose.DialectSQLite3, []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if s.kind == "postgres" {
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
	p, err := goose.NewProvider(dialect, s.db, files, opts...)
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

// migrate brings the tables up to this version.
func (s *Store) migrate(ctx context.Context, log *slog.Logger) error {
	p, err := s.provider()
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
		log.Info("store migrated", "engine", s.kind, "steps", len(done))
	}
	return nil
}

// upToDate is an error unless the tables are of this version.
func (s *Store) upToDate(ctx context.Context) error {
	p, err := s.provider()
	if err != nil {
		return err
	}
	have, newest, err := versions(ctx, p)
	if err == nil && have < newest {
		err = fmt.Errorf("store has version %d and must be brought up to %d first", have, newest)
	}
	return err
}

// write runs fn in one transaction that anyone may make.
func (s *Store) write(ctx context.Context, fn func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("beginning a transaction: %w", err)
	}
	defer tx.Rollback()
	if err := fn(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("committing: %w", err)
	}
	return nil
}
