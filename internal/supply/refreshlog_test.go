package supply

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"
)

// An awayStore never answers.
type awayStore struct{ leaderStore }

func (awayStore) Records(context.Context) ([]Record, error) {
	return nil, errors.New("the store is away")
}

func TestAStoreThatIsAwayIsLoggedOnceAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		r := NewRefresher(nil, nil, awayStore{}, Rules{Every: 20 * time.Second},
			slog.New(slog.NewTextHandler(&out, nil)))
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		defer cancel()
		if err := r.Run(ctx); err != nil {
			t.Fatal(err)
		}
		if n := bytes.Count(out.Bytes(), []byte("the store is away")); n < 9 || n > 11 {
			t.Errorf("%d lines in ten minutes", n)
		}
	})
}
