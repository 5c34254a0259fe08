package index

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// changes has the times of changes and drops two at a time.
type changes struct {
	kept  []time.Time
	calls int
}

func (c *changes) PruneChanges(_ context.Context, before time.Time) (n int, _ error) {
	if c.calls++; c.calls == 2 {
		return 0, errors.New("the store is away")
	}
	for n < 2 && len(c.kept) > 1 && c.kept[0].Before(before) {
		c.kept, n = c.kept[1:], n+1
	}
	return n, nil
}

func TestOldChangesAreDroppedInPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := new(changes)
		for hour := range 10 {
			c.kept = append(c.kept, time.Now().Add(time.Duration(hour-10)*time.Hour))
		}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Hour+30*time.Minute)
		defer cancel()
		Retain(ctx, c, 4*time.Hour+30*time.Minute, slog.New(slog.NewTextHandler(io.Discard, nil)))
		if age := time.Since(c.kept[0]); len(c.kept) != 2 || age > 5*time.Hour {
			t.Errorf("%d changes are kept, the oldest for %s", len(c.kept), age)
		}
		if c.calls > 200 {
			t.Errorf("the store was asked %d times in two hours and a half", c.calls)
		}
	})
}
