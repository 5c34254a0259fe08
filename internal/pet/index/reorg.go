package index

import (
	"context"
	"slices"

	"petsupply/internal/evm"
)

// checkReorg makes sure that the blocks that the rows were read at are part of
// the chain that ends in head. If they are not, it returns how to go on.
func (x *Indexer) checkReorg(ctx context.Context, w Work, head evm.Block) (*Batch, error) {
	p := w.Position
	if p.Block.Number < p.Pin.Number { // the bootstrap read at a later block than is followed
		if head.Number < p.Pin.Number {
			return nil, errLagging
		}
		if stands, err := x.stands(ctx, p.Pin, head); err != nil {
			return nil, err
		} else if !stands {
			return x.restart(ctx, true, p.Block.Number)
		}
	}
	last := p.Block
	if head.Number < last.Number {
		// Nodes that are behind are waited for. Only another block at a height that
		// they have proves that blocks were taken back.
		i := slices.IndexFunc(w.Marks, func(m BlockMark) bool { return m.Number > head.Number })
		if i <= 0 {
			return nil, errLagging
		}
		last = w.Marks[i-1].Block
	}
	switch stands, err := x.stands(ctx, last, head); {
	case err != nil:
		return nil, err
	case !stands:
		return x.rewind(ctx, w, head)
	case head.Number < p.Block.Number:
		return nil, errLagging
	}
	return nil, nil
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

// rewind goes back to the last block that still stands and reads there every
// pet that the blocks above it touched. Without such a block the realm is read
// afresh.
func (x *Indexer) rewind(ctx context.Context, w Work, head evm.Block) (*Batch, error) {
	p, t := *w.Position, newTouched()
	var ancestor *evm.Block
	for _, m := range slices.Backward(w.Marks) {
		if m.Number <= head.Number {
			b, err := x.chain.Block(ctx, m.Number)
			if err != nil {
				return nil, err
			}
			if b.Hash == m.Hash {
				ancestor = &b
				break
			}
		}
		for _, id := range m.IDs {
			t.pets[id] = true
		}
		t.spans = append(t.spans, m.Spans...)
	}
	if ancestor == nil {
		x.log.Warn("pets: no block of those remembered still stands; reading the realm afresh", "position", p.Block.Number, "head", head.Number)
		return x.restart(ctx, true, deeper(w))
	}
	x.log.Info("pets: blocks were taken back", "from", p.Block.Number, "to", ancestor.Number, "pets", len(t.pets))
	seen, unreadable, err := x.observe(ctx, *ancestor, t.ids())
	if err != nil {
		if x.stateGone(ctx, *ancestor, head) {
			return x.restart(ctx, true, ancestor.Number)
		}
		return nil, err
	}
	p.Block, p.Pin, p.Owed = *ancestor, *ancestor, mergeSpans(append(p.Owed, t.spans...))
	return &Batch{Position: p, At: *ancestor, Observations: seen, Want: x.setAside(seen, unreadable), Undo: ancestor}, ErrReorg
}

// deeper returns the block from which events are searched again when no mark is on the
// chain any more. It is well below the oldest mark.
func deeper(w Work) uint64 {
	oldest := w.Position.Block.Number
	if len(w.Marks) > 0 {
		oldest = w.Marks[0].Number
	}
	return oldest - min(oldest, 8*depth)
}
