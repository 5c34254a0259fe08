package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

func openServer(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*DB, error) {
	// The tables are created on connections of their own without the idle timeout. With the timeout,
	// a slow machine would never finish.
	creating, err := dialPostgres(url, 0)
	if err != nil {
		return nil, err
	}
	defer creating.Close()
	if err := creating.create(ctx, log); err != nil {
		return nil, err
	}
	return dialPostgres(url, lease)
}

func dialPostgres(url string, lease time.Duration) (*DB, error) {
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
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = 5 * time.Second
	}
	db, err := newDB("postgres", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", 16,
		func() (*sql.DB, error) { return sql.OpenDB(serverConnector{stdlib.GetConnector(*cfg)}), nil })
	if err != nil {
		return nil, err
	}
	db.SetConnMaxIdleTime(5 * time.Minute)
	return db, nil
}

// A serverConnector connects to PostgreSQL. Its errors have one line, even if a host name has many
// addresses.
type serverConnector struct{ driver.Connector }

func (c serverConnector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, oneLine{err}
	}
	return conn, nil
}

type oneLine struct{ error }

func (e oneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }
func (e oneLine) Unwrap() error { return e.error }
