package database

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Open connects to the database at url ("sqlite:///var/lib/p.db", "postgres://…") and creates its
// tables if there are none. PostgreSQL ends transactions that are idle for longer than half of the
// lease's duration, so that a stalled leader cannot block its successor.
func Open(ctx context.Context, url string, lease time.Duration, log *slog.Logger) (*DB, error) {
	switch scheme, rest, _ := strings.Cut(url, "://"); scheme {
	case "sqlite":
		return openFile(ctx, rest, log)
	case "postgres", "postgresql":
		return openServer(ctx, url, lease, log)
	default:
		return nil, fmt.Errorf("store %q: want sqlite:///path/to/file.db or postgres://…", scheme+"://…")
	}
}

// ErrNoStore: no store was created at that address yet.
var ErrNoStore = errors.New("there is no store")

// OpenExisting is Open for an existing store. It creates nothing. It returns ErrNoStore if there is
// no store.
func OpenExisting(ctx context.Context, url string, lease time.Duration) (db *DB, err error) {
	scheme, path, _ := strings.Cut(url, "://")
	if scheme == "sqlite" {
		db, err = openExistingFile(ctx, path)
	} else if db, err = dialPostgres(url, lease); err == nil {
		err = db.exists(ctx)
	}
	if err != nil && db != nil {
		db.Close()
	}
	return db, err
}

// exists returns an error if the tables are missing or are not this program's.
func (db *DB) exists(ctx context.Context) error {
	schema, err := db.Schema(ctx)
	if err == nil && schema == "" {
		err = ErrNoStore
	}
	return err
}
