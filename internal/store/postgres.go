package store

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

func openServer(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*Store, error) {
	s, err := dialPostgres(url, lease)
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx, log); err != nil {
		s.Close()
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
	s, err := newStore("postgres", "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)", 16,
		func() (*sql.DB, error) { return stdlib.OpenDB(*cfg), nil })
	if err != nil {
		return nil, err
	}
	s.db.SetConnMaxIdleTime(5 * time.Minute)
	return s, nil
}
