package supply

import (
	"context"
	"errors"
	"fmt"
	"time"

	"petsupply/internal/evm"
)

// An ArchiveChain is a chain whose nodes keep old states. *evm.Chain is one.
type ArchiveChain interface {
	Chain
	// BlockAt returns the last block that is not later than t.
	BlockAt(ctx context.Context, t time.Time) (evm.Block, error)
}

// HistoryStore is where measurements of the past go. *store.Store is one.
type HistoryStore interface {
	// Past returns the times of the token's past measurements from from to to.
	Past(ctx context.Context, token string, from, to time.Time) ([]time.Time, error)
	// AppendPast adds rows to the history, all at once; what is published stays
	// as it is, and rows that are there already too.
	AppendPast(ctx context.Context, snapshots ...*Snapshot) error
}

// A Backfill measures a token's past, one moment each Step from Since to Until.
// Moments are multiples of Step, so that a second run finds what the first did
// and goes on from there.
type Backfill struct {
	Token        Token
	Since, Until time.Time
	Step         time.Duration
	Chains       map[string]ArchiveChain
	Store        HistoryStore
	// Progress, if set, is called after each moment with its snapshot, or with
	// the reason why there is none.
	Progress func(done, total int, at time.Time, s *Snapshot, why error)
}

// Run measures the moments that are still missing. It stops at a chain that
// does not answer; a moment that has no valid figure (a contract that did not
// exist yet) is passed over.
func (b Backfill) Run(ctx context.Context) error {
	moments, err := b.missing(ctx)
	if err != nil {
		return err
	}
	surveyor := b.surveyor()
	for i, at := range moments {
		if err := ctx.Err(); err != nil {
			return err
		}
		s, err := b.measure(ctx, surveyor, at)
		if err != nil && !nothingThere(err) {
			return fmt.Errorf("back-filling %s: %w", stamp(at), err)
		}
		if err == nil {
			if err := b.Store.AppendPast(ctx, s); err != nil {
				return fmt.Errorf("back-filling %s: %w", stamp(at), err)
			}
		}
		if b.Progress != nil {
			b.Progress(i+1, len(moments), at, s, err)
		}
	}
	return nil
}

// nothingThere says whether err means that the past had no valid figure, and
// not that it could not be asked.
func nothingThere(err error) bool {
	return errors.Is(err, ErrRejected) || errors.Is(err, evm.ErrReverted) || errors.Is(err, evm.ErrAbsent) || errors.Is(err, errReturn)
}

func (b Backfill) missing(ctx context.Context) ([]time.Time, error) {
	if b.Step < time.Minute || b.Until.Sub(b.Since) > maxSpan {
		return nil, fmt.Errorf("back-filling %s: want steps of a minute or more over at most 100 years", b.Token.Path)
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
	first := b.Since.UTC().Truncate(b.Step)
	if first.Before(b.Since) {
		first = first.Add(b.Step)
	}
	for at := first; !at.After(b.Until); at = at.Add(b.Step) {
		if !done[at.UnixMilli()] {
			out = append(out, at)
		}
	}
	return out, nil
}

func (b Backfill) surveyor() *Measurer {
	chains := map[string]Chain{}
	for name, c := range b.Chains {
		chains[name] = c
	}
	return NewMeasurer([]Token{b.Token}, chains)
}

func (b Backfill) measure(ctx context.Context, s *Measurer, at time.Time) (*Snapshot, error) {
	// The block at a moment of the past is what the chain was then, however
	// long before the moment it was made: nothing has to be brought together.
	v := survey{Measurer: s, pin: func(ctx context.Context, chain string, _ time.Time) (evm.Block, error) {
		return b.Chains[chain].BlockAt(ctx, at)
	}}
	r := v.measure(ctx, at)[0]
	return r.Snapshot, r.Err
}
