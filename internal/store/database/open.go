package database

import (
	"context"
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
