package database

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

func openServer(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*DB, error) {
	// It migrates on connections of its own, on which a transaction may be idle for as
	// long as it has to: a slow machine would never get through.
	migrating, err := dialPostgres(url, 0)
	if err != nil {
		return nil, err
	}
	defer migrating.Close()
	if err := migrating.migrate(ctx, log); err != nil {
		return nil, err
	}
	return dialPostgres(url, lease)
}

// OpenReads connects to a replica of a PostgreSQL store, to read there. Nothing is asked of
// it yet: while it is away, or behind in bringing its tables up to date, reads of
// it fail and the caller goes on without.
func OpenReads(url string) (*DB, error) {
	return dialPostgres(url, 0, "default_transaction_read_only", "on")
}

func dialPostgres(url string, lease time.Duration, setting ...string) (*DB, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errors.New("store: not a usable postgres:// address") // err would repeat the password
	}
	if lease > 0 {
		ms := strconv.FormatInt(lease.Milliseconds()/2, 10)
		cfg.RuntimeParams["idle_in_transaction_session_timeout"] = ms
	}
	for i := 0; i < len(setting); i += 2 {
		cfg.RuntimeParams[setting[i]] = setting[i+1]
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
	}
	db, err := newDB("postgres", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", 16,
		func() (*sql.DB, error) { return stdlib.OpenDB(*cfg), nil })
	if err != nil {
		return nil, err
	}
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db, nil
}
