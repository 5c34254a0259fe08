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
	// Migrations run on their own connections without the idle timeout. With the timeout, a slow
	// machine would never finish.
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

// OpenReads opens a replica of a PostgreSQL store for reading. It does not connect yet. While the
// replica is unreachable or its tables are not migrated, reads fail, and the caller must do without
// it.
func OpenReads(url string) (*DB, error) {
	return dialPostgres(url, 0, "default_transaction_read_only", "on")
}

func dialPostgres(url string, lease time.Duration, setting ...string) (*DB, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errors.New("store: not a usable postgres:// address") // err would quote the password
	}
	if lease > 0 {
		ms := strconv.FormatInt(lease.Milliseconds()/2, 10)
		cfg.RuntimeParams["idle_in_transaction_session_timeout"] = ms
	}
	// Listings read short pages. Starting workers would take longer than reading a page.
	cfg.RuntimeParams["max_parallel_workers_per_gather"] = "0"
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
