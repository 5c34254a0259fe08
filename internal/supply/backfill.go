package supply

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

// historyStore stores measurements of the past. *store.Store implements it.
type historyStore interface {
	// Past returns the times of the token's back-filled measurements between from and to.
	Past(ctx context.Context, token string, from, to time.Time) ([]time.Time, error)
	// AppendPast adds rows to the history in one transaction. It changes no figures, but may drop
	// the evidence of older back-filled rows.
	AppendPast(ctx context.Context, snapshots ...*Snapshot) error
}

// A Backfill measures a token's past at moments from Since to Until. The moments are multiples of
// Step, so that a second run continues the first.
type Backfill struct {
	Token        ledger.Token
	Since, Until time.Time
	Step         time.Duration
	Chains       map[string]Chain // their nodes must be archive nodes
	Store        historyStore
	// Progress, if set, is called after each moment with its snapshot, or with the reason why there
	// is none.
	Progress func(done, total int, at time.Time, s *Snapshot, why error)
}

// Run measures the missing moments. It stops if a chain does not answer. It skips a moment without
// a valid figure, for example before a contract existed.
func (b Backfill) Run(ctx context.Context) error {
	measurer := NewMeasurer([]ledger.Token{b.Token}, b.Chains)
	moments, err := b.missing(ctx, measurer.reach)
	if err != nil {
		return err
	}
	for i, at := range moments {
		r := measurer.measurePast(ctx, at)[0]
		s, why := r.Snapshot, r.Err
		err := ctx.Err()
		if why == nil {
			s.name()
			err = b.Store.AppendPast(ctx, s)
		} else if !noFigure(why) {
			err = why
		}
		if err != nil {
			return fmt.Errorf("back-filling %s at %s: %w", b.Token.Path, formatTime(at), err)
		}
		if b.Progress != nil {
			b.Progress(i+1, len(moments), at, s, why)
		}
	}
	return nil
}

// noFigure reports whether err means that the token had no valid figure at the measured moment.
// Other errors mean that a chain could not be read.
func noFigure(err error) bool {
	return errors.Is(err, ErrRejected) || errors.Is(err, errReturn) ||
		errors.Is(err, evm.ErrReverted) || errors.Is(err, evm.ErrAbsent)
}

// missing returns the moments to measure. It leaves out moments that are stored already, and
// moments that are not yet final on every chain. reach returns the time before which every chain is
// final.
func (b Backfill) missing(ctx context.Context, reach func(context.Context) (time.Time, error)) ([]time.Time, error) {
	if b.Step < time.Minute || b.Until.Sub(b.Since) > ledger.MaxDuration {
		return nil, fmt.Errorf("back-filling %s: the step must be at least a minute, and the period at most 100 years",
			b.Token.Path)
	}
	have, err := b.Store.Past(ctx, b.Token.Path, b.Since, b.Until)
	if err != nil {
		return nil, fmt.Errorf("back-filling %s: %w", b.Token.Path, err)
	}
	done := map[int64]bool{}
	for _, t := range have {
		done[t.UnixMilli()] = true
	}
	var out []time.Time
	for at := b.Since.UTC().Truncate(b.Step); !at.After(b.Until); at = at.Add(b.Step) {
		if !at.Before(b.Since) && !done[at.UnixMilli()] {
			out = append(out, at)
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	passed, err := reach(ctx)
	if err != nil {
		return nil, fmt.Errorf("back-filling %s: %w", b.Token.Path, err)
	}
	return slices.DeleteFunc(out, func(at time.Time) bool { return !at.Before(passed) }), nil
}
