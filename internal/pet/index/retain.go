package index

import (
	"context"
	"log/slog"
	"time"
)

// changeStore keeps the changes that were seen in pets. *store.Store is one.
type changeStore interface {
	// PruneChanges drops some of the changes before a time, and returns how many:
	// 0 once there are none.
	PruneChanges(ctx context.Context, before time.Time) (int, error)
}

// Between two pieces others get their turn to write; once all is dropped there
// is time.
const (
	pruneSoon  = 200 * time.Millisecond
	pruneLater = time.Minute
)

// Retain drops changes that are older than keep, in small pieces, until ctx
// ends. Only the leader may.
func Retain(ctx context.Context, store changeStore, keep time.Duration, log *slog.Logger) {
	total := 0
	for {
		n, err := store.PruneChanges(ctx, time.Now().Add(-keep))
		wait := pruneLater
		switch total += n; {
		case err != nil && ctx.Err() == nil:
			log.Warn("pets: dropping old changes", "error", err)
		case n > 0:
			wait = pruneSoon
		case total > 0:
			log.Info("pets: old changes are dropped", "changes", total)
			total = 0
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
