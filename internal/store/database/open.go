package database

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
)

// Open connects to the database that url names ("sqlite:///var/lib/p.db",
// "postgres://…"), and brings its tables up to date. Transactions that stay
// idle for longer than half of lease are ended by PostgreSQL itself, so that a
// stalled leader cannot hold its successor up.
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

// ErrNoStore: nothing has made a store at that address yet.
var ErrNoStore = errors.New("there is no store")

// OpenExisting is Open for a store that is there already. It makes no file and no
// table, and is ErrNoStore if there is none.
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

// exists is an error if there are no tables, or others than this program's.
func (db *DB) exists(ctx context.Context) error {
	found, err := db.hasTable(ctx, "goose_db_version")
	if err != nil {
		return err
	}
	if !found {
		return ErrNoStore
	}
	_, err = db.Schema(ctx)
	return err
}
