package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// follow takes the realm's next events: it makes sure that the cursor's block
// still stands, searches a window of blocks for events, and reads what they
// touched at the window's last block.
func (x *Indexer) follow(ctx context.Context, work Work) error {
	c := *work.Position
	head, err := x.chain.Pin(ctx, time.Time{})
	if err != nil {
		return err
	}
	x.note(func(p *Progress) { p.Head = head.Number })
	if head.Number < c.Block.Number {
		return x.behind(ctx, work, head)
	}
	if stands, err := x.stands(ctx, c.Block, head); err != nil {
		return err
	} else if !stands {
		return x.rewind(ctx, work, head)
	}
	if c.Block.Number < c.Pin.Number { // rows may have been read at a later block than followed
		if head.Number < c.Pin.Number {
			return ErrCaughtUp
		}
		if stands, err := x.stands(ctx, c.Pin, head); err != nil {
			return err
		} else if !stands {
			return x.again(ctx, true, c.Block.Number)
		}
	}
	if head.Number == c.Block.Number {
		return x.take(ctx, work, newTouched(), c.Block, head)
	}
	from, to := c.Block.Number+1, head.Number
	far := to-from >= depth
	if far {
		to -= depth
	} else {
		to = min(to, from+dense-1)
	}
	logs, last, err := x.search(ctx, from, to)
	if err != nil {
		return err
	}
	t := newTouched()
	x.collect(t, logs)
	at, err := x.blocks(ctx, t, c.Block, last, head, far)
	if err != nil {
		return err
	}
	return x.take(ctx, work, t, at, head)
}

// stands reports whether b is part of the chain that ends in head.
func (x *Indexer) stands(ctx context.Context, b, head evm.Block) (bool, error) {
	switch head.Number {
	case b.Number:
		return head.Hash == b.Hash, nil
	case b.Number + 1:
		return head.Parent == b.Hash, nil
	}
	now, err := x.chain.Block(ctx, b.Number)
	return now.Hash == b.Hash, err
}

// behind decides what a head below the cursor means: nodes that lag, for which
// there is nothing to do but wait, or blocks that were taken back.
func (x *Indexer) behind(ctx context.Context, work Work, head evm.Block) error {
	for _, m := range slices.Backward(work.Marks) {
		if m.Number > head.Number {
			continue
		}
		stands, err := x.stands(ctx, evm.Block{Number: m.Number, Hash: m.Hash}, head)
		if err != nil {
			return err
		}
		if stands {
			return ErrCaughtUp
		}
		break
	}
	return x.rewind(ctx, work, head)
}

// blocks returns the window's last block, and marks the window's blocks. Near
// the head it takes each header and makes sure that they form one chain from
// the cursor on, and that the events are of these blocks.
func (x *Indexer) blocks(ctx context.Context, t *touched, cursor evm.Block, last uint64, head evm.Block, far bool) (evm.Block, error) {
	first := cursor.Number + 1
	if far {
		first = last
	}
	chain := make([]evm.Block, last-first+1)
	group, gctx := errgroup.WithContext(ctx)
	group.SetLimit(reads)
	for i := range chain {
		if n := first + uint64(i); n == head.Number {
			chain[i] = head
		} else {
			group.Go(func() (err error) {
				chain[i], err = x.chain.Block(gctx, n)
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return evm.Block{}, err
	}
	before := cursor
	for _, b := range chain {
		if !far && b.Parent != before.Hash || !t.mark(b) {
			return evm.Block{}, fmt.Errorf("following blocks %d to %d: block %d changed meanwhile: %w", first, last, b.Number, evm.ErrReorg)
		}
		before = b
	}
	return before, nil
}

// take reads at one block what events touched, what is wanted and owed, and
// once caught up a few old rows, and writes it all with the cursor.
func (x *Indexer) take(ctx context.Context, work Work, t *touched, at, head evm.Block) error {
	c := *work.Position
	idle, caught := at == c.Block, at.Number == head.Number
	c.Block = at
	c.Owed = pet.MergeSpans(append(c.Owed, t.spans...))
	owed, err := x.owed(ctx, &c)
	if err != nil {
		return err
	}
	ids := slices.Concat(t.ids(), work.Wanted, owed)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	sweep, err := x.sweep(ctx, &c, ids, caught)
	if err != nil {
		return err
	}
	if idle && len(ids)+len(sweep) == 0 {
		return ErrCaughtUp
	}
	seen, odd, err := x.states(ctx, at, slices.Concat(ids, sweep))
	if err != nil {
		return err
	}
	swept := slices.DeleteFunc(slices.Clone(seen), func(s pet.Observation) bool { return !slices.Contains(sweep, s.ID) })
	seen = slices.DeleteFunc(seen, func(s pet.Observation) bool { return slices.Contains(sweep, s.ID) })
	keep := at.Number - min(at.Number, depth-1)
	err = x.write(ctx, Batch{
		Position: c, At: at, Observations: seen, Since: t.since, Swept: swept,
		Answered: work.Wanted, Retry: odd, Marks: t.marks(keep), Keep: keep,
	})
	if err == nil && caught && len(work.Wanted) < wantedIDs && len(c.Owed) == 0 {
		return ErrCaughtUp
	}
	return err
}

// owed returns the next ids of the spans that are to be read again, and takes
// them off the cursor.
func (x *Indexer) owed(ctx context.Context, c *Position) ([]uint64, error) {
	if len(c.Owed) == 0 {
		return nil, nil
	}
	ids, err := x.book.PetIDs(ctx, x.realm.Key, c.Owed[0], stepIDs)
	if err != nil {
		return nil, err
	}
	if len(ids) < stepIDs {
		c.Owed = c.Owed[1:]
	} else {
		c.Owed[0].From = ids[len(ids)-1] + 1
	}
	return ids, nil
}

// sweep returns a few ids that no event spoke of, the next ones in the order of
// ids, now and then.
func (x *Indexer) sweep(ctx context.Context, c *Position, besides []uint64, caught bool) ([]uint64, error) {
	if !caught || x.SweepEvery == 0 || time.Since(x.swept) < x.SweepEvery {
		return nil, nil
	}
	x.swept = time.Now()
	ids, err := x.book.PetIDs(ctx, x.realm.Key, pet.Span{From: c.Swept + 1, To: pet.MaxID}, x.SweepIDs)
	if err != nil {
		return nil, err
	}
	if c.Swept = 0; len(ids) == x.SweepIDs {
		c.Swept = ids[len(ids)-1]
	}
	return slices.DeleteFunc(ids, func(id uint64) bool {
		_, found := slices.BinarySearch(besides, id)
		return found
	}), nil
}

// rewind goes back to the last block that still stands and reads there every
// pet that the blocks above it touched. Without such a block the realm is read
// afresh.
func (x *Indexer) rewind(ctx context.Context, work Work, head evm.Block) error {
	t := newTouched()
	var ancestor *evm.Block
	for _, m := range slices.Backward(work.Marks) {
		if m.Number <= head.Number {
			b, err := x.chain.Block(ctx, m.Number)
			if err != nil {
				return err
			}
			if b.Hash == m.Hash {
				ancestor = &b
				break
			}
		}
		for _, id := range m.IDs {
			t.since[id] = m.Number
		}
		t.spans = append(t.spans, m.Spans...)
	}
	if ancestor == nil {
		x.log.Warn("pets: no block of those remembered still stands; reading the realm afresh", "cursor", work.Position.Block.Number, "head", head.Number)
		return x.again(ctx, true, 0)
	}
	x.log.Info("pets: blocks were taken back", "from", work.Position.Block.Number, "to", ancestor.Number, "pets", len(t.since))
	seen, odd, err := x.states(ctx, *ancestor, t.ids())
	if err != nil {
		if head.Number > ancestor.Number+depth/2 && ctx.Err() == nil { // too old for the nodes
			return x.again(ctx, true, ancestor.Number)
		}
		return err
	}
	c := *work.Position
	c.Block, c.Owed = *ancestor, pet.MergeSpans(append(c.Owed, t.spans...))
	if err := x.write(ctx, Batch{Position: c, At: *ancestor, Observations: seen, Retry: odd, Undo: ancestor}); err != nil {
		return err
	}
	return ErrReorg
}
