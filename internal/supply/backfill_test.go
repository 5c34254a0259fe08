package supply

import (
	"context"
	"errors"
	"testing"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

// pastWorld is a world that begins at a time and can become unreachable.
type pastWorld struct {
	*world
	born  time.Time
	fails int // it fails after this many questions; 0: never
	asked int
}

func (p *pastWorld) Pin(ctx context.Context, t time.Time) (evm.Block, error) {
	p.asked++
	if p.fails > 0 && p.asked >= p.fails {
		return evm.Block{}, evm.ErrUnavailable
	}
	if !t.IsZero() && t.Before(p.born) {
		return evm.Block{}, evm.ErrAbsent
	}
	return p.world.Pin(ctx, t)
}

func TestBackfillMeasuresThePastAndGoesOnWhereItStopped(t *testing.T) {
	token, w := gem(t)
	w.head = w.block(1_000_000, day)
	chain := &pastWorld{world: w, born: day.Add(-10 * 24 * time.Hour), fails: 9}
	store := newMemory()
	passed := 0
	b := Backfill{
		Token: token, Since: day.Add(-14 * 24 * time.Hour), Until: day, Step: 24 * time.Hour,
		Chains: map[string]Chain{"first": chain}, Store: store,
		Progress: func(_, _ int, _ time.Time, s *Snapshot, why error) {
			if s == nil && why != nil {
				passed++
			}
		},
	}
	if err := b.Run(t.Context()); !errors.Is(err, evm.ErrUnavailable) {
		t.Fatalf("a chain that goes away: %v", err)
	}
	first := len(store.rows)
	if first == 0 || passed == 0 {
		t.Fatalf("%d rows, %d moments passed over before it stopped", first, passed)
	}
	chain.fails = 0
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	// The run measures each midnight of the last 10.5 days, except the first, when the world had
	// not begun.
	if len(store.rows) != 10 {
		t.Errorf("%d rows, want 10", len(store.rows))
	}
	seen := map[time.Time]bool{}
	for _, s := range store.rows {
		if seen[s.AsOf] || !s.AsOf.Equal(s.AsOf.Truncate(24*time.Hour)) || s.Blocks[0].Time.After(s.AsOf) {
			t.Errorf("row of %s at block of %s", s.AsOf, s.Blocks[0].Time)
		}
		seen[s.AsOf] = true
	}
	if store.seq != 0 {
		t.Error("the past was published")
	}
	asked := chain.asked
	if err := b.Run(t.Context()); err != nil || len(store.rows) != 10 {
		t.Errorf("a third run: %v, %d rows", err, len(store.rows))
	}
	if chain.asked-asked > 5 {
		t.Errorf("a third run asked the chain %d times", chain.asked-asked)
	}
}

func TestBackfillReadsOldBlocksAsTheyAre(t *testing.T) {
	// A chain without a block for a day does not lag.
	token, first, second := bridged(t, ledger.CountSource)
	first.head, second.head = first.block(1_000_000, day.Add(time.Second)), second.block(5000, day.Add(time.Second))
	quiet := &quietWorld{second, second.block(4000, day.Add(-24*time.Hour))}
	store := newMemory()
	b := Backfill{Token: token, Since: day.Add(-time.Hour), Until: day, Step: time.Hour,
		Chains: map[string]Chain{"first": &pastWorld{world: first}, "second": quiet}, Store: store}
	if err := b.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := store.rows[len(store.rows)-1].Blocks[0].Time; !got.Equal(day) {
		t.Errorf("the other chain was read at %s, want %s", got, day)
	}
}

// quietWorld has one block for all moments.
type quietWorld struct {
	*world
	only evm.Block
}

func (q *quietWorld) Pin(_ context.Context, limit time.Time) (evm.Block, error) {
	if limit.IsZero() {
		return q.head, nil
	}
	return q.only, nil
}

// TestBackfillLeavesOutMomentsThatTheChainsHaveNotPassed: until a chain has a final block after a
// moment, its last block before the moment is unknown.
func TestBackfillLeavesOutMomentsThatTheChainsHaveNotPassed(t *testing.T) {
	token, w := gem(t)
	chain, store := &pastWorld{world: w}, newMemory()
	b := Backfill{Token: token, Since: day.Add(-3 * time.Hour), Until: day, Step: time.Hour,
		Chains: map[string]Chain{"first": chain}, Store: store}
	for _, test := range []struct {
		head time.Time
		rows int
	}{
		{day.Add(-10 * time.Minute), 3}, // the chain has not passed the last hour
		{day, 3},                        // not passed either, because the next block may have the same time
		{day.Add(time.Second), 4},
	} {
		w.head = w.block(1_000_000, test.head)
		if err := b.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if len(store.rows) != test.rows {
			t.Errorf("with a head of %s there are %d rows, not %d", test.head, len(store.rows), test.rows)
		}
	}
}

func TestBackfillRefusesTinySteps(t *testing.T) {
	if err := (Backfill{Since: day, Until: day, Step: time.Second, Store: newMemory()}).Run(t.Context()); err == nil {
		t.Error("steps of a second were accepted")
	}
}
