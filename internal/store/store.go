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
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	_ "modernc.org/sqlite" // the embedded engine
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
	s, err := dial(url, lease)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx, url, log); err != nil {
		s.db.Close()
		return nil, err
	}
	return s, nil
}

// Close ends every connection.
func (s *Store) Close() error { return s.db.Close() }

// Kind is "sqlite" or "postgres".
func (s *Store) Kind() string { return s.kind }

// Ping says whether the database answers.
func (s *Store) Ping(ctx context.Context) error { return s.db.PingContext(ctx) }

func dial(url string, lease time.Duration) (*Store, error) {
	switch scheme, rest, _ := strings.Cut(url, "://"); scheme {
	case "sqlite":
		return dialSQLite(rest)
	case "postgres", "postgresql":
		return dialPostgres(url, lease)
	default:
		return nil, fmt.Errorf("store %q: want sqlite:///path/to/file.db or postgres://…", scheme+"://…")
	}
}

func dialSQLite(path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("making the data directory: %w", err)
	}
	q := url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "mmap_size(268435456)",
	}}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+q.Encode())
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	db.SetMaxOpenConns(8)
	return &Store{db: db, kind: "sqlite", clock: "CAST(unixepoch('subsec') * 1000 AS INTEGER)"}, nil
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

// migrate brings the tables up to this version: under a session lock on
// PostgreSQL, under a file lock beside the SQLite file, so that several
// processes may start at once.
func (s *Store) migrate(ctx context.Context, url string, log *slog.Logger) error {
	dialect, opts := goose.DialectSQLite3, []goose.ProviderOption{goose.WithDisableGlobalRegistry(true)}
	if s.kind == "postgres" {
		locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 60))
		if err != nil {
			return fmt.Errorf("preparing migrations: %w", err)
		}
		dialect, opts = goose.DialectPostgres, append(opts, goose.WithSessionLocker(locker))
	} else {
		unlock, err := lockFile(ctx, strings.TrimPrefix(url, "sqlite://")+".lock")
		if err != nil {
			return err
		}
		defer unlock()
	}
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, s.db, files, opts...)
	if err != nil {
		return fmt.Errorf("preparing migrations: %w", err)
	}
	have, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("reading the version of the store: %w", err)
	}
	sources := p.ListSources()
	if newest := sources[len(sources)-1].Version; have > newest {
		return fmt.Errorf("store has version %d, this program knows up to %d: %w", have, newest, ErrNewer)
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
