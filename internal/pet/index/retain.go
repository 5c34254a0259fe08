package index

import (
	"context"
	"log/slog"
	"time"
)

// changeStore has the changes of pets. *store.Store implements it.
type changeStore interface {
	// PruneChanges drops some changes before a time and returns how many: 0 if there are none left.
	PruneChanges(ctx context.Context, before time.Time) (int, error)
}

// The short pause lets others write between two calls of PruneChanges. The long one comes when
// there is nothing more to drop, or after an error.
const (
	pruneSoon  = 200 * time.Millisecond
	pruneLater = time.Minute
)

// Retain drops changes that are older than keep, a few at a time, until ctx ends. Only the leader
// may call it.
func Retain(ctx context.Context, store changeStore, keep time.Duration, log *slog.Logger) {
	total := 0
	for {
		n, err := store.PruneChanges(ctx, time.Now().Add(-keep))
		wait := pruneLater
		switch total += n; {
		case err != nil && ctx.Err() == nil:
			log.Warn("pets: old changes could not be dropped", "error", err)
		case n > 0:
			wait = pruneSoon
		case total > 0:
			log.Info("pets: old changes were dropped", "changes", total)
			total = 0
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}
