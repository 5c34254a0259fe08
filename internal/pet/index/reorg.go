package index

import (
	"context"
	"slices"

	"petsupply/internal/evm"
)

// checkReorg checks that the blocks at which rows were read are part of the chain that ends in
// head. If they are not, it returns the step that undoes them. The error is errLagging if the nodes
// are behind.
func (x *Indexer) checkReorg(ctx context.Context, w Work, head evm.Block) (*Batch, error) {
	p := w.Position
	if p.Block.Number < p.Pin.Number { // the bootstrap read at a later block than the last followed one
		if head.Number < p.Pin.Number {
			return nil, errLagging
		}
		if inChain, err := x.inChain(ctx, p.Pin, head); err != nil {
			return nil, err
		} else if !inChain {
			return x.restart(ctx, true, p.Block.Number)
		}
	}
	last := p.Block
	if head.Number < last.Number {
		// The nodes may only be behind, and not on a fork. To find out, check the last marked block
		// that they have reached.
		marks, err := w.Marks(ctx)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(marks, func(m BlockMark) bool { return m.Number > head.Number })
		if i <= 0 {
			return nil, errLagging
		}
		last = marks[i-1].Block
	}
	switch inChain, err := x.inChain(ctx, last, head); {
	case err != nil:
		return nil, err
	case !inChain:
		return x.rewind(ctx, w, head)
	case head.Number < p.Block.Number:
		return nil, errLagging
	}
	return nil, nil
}

// inChain reports whether b is part of the chain that ends in head.
func (x *Indexer) inChain(ctx context.Context, b, head evm.Block) (bool, error) {
	switch head.Number {
	case b.Number:
		return head.Hash == b.Hash, nil
	case b.Number + 1:
		return head.Parent == b.Hash, nil
	}
	now, err := x.block(ctx, b.Number)
	return now.Hash == b.Hash, err
}

// rewind goes back to the last block that is still canonical. At this block it reads every pet that
// later blocks touched, some in each step. If no marked block is canonical, or if the nodes have
// dropped the state of that block, the realm is read from the start.
func (x *Indexer) rewind(ctx context.Context, w Work, head evm.Block) (*Batch, error) {
	p, t := *w.Position, newTouched()
	marks, err := w.Marks(ctx)
	if err != nil {
		return nil, err
	}
	var ancestor *evm.Block
	for _, m := range slices.Backward(marks) {
		if m.Number <= head.Number {
			b, err := x.block(ctx, m.Number)
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
		x.log.Warn("pets: none of the remembered blocks is canonical; reading the realm from the start", "position",
			p.Block.Number, "head", head.Number)
		return x.restart(ctx, true, deeper(p, marks))
	}
	ids := t.ids()
	if x.undoing.to != *ancestor {
		x.undoing = undoing{to: *ancestor}
		x.log.Info("pets: a reorg removed blocks; going back to the last common block", "from", p.Block.Number,
			"to", ancestor.Number, "pets", len(ids))
	}
	ids = ids[min(x.undoing.pets, len(ids)):]
	more := len(ids) > strayIDs
	ids = ids[:min(strayIDs, len(ids))]
	seen, unreadable, err := x.observe(ctx, *ancestor, ids)
	if err != nil {
		if x.stateGone(ctx, *ancestor, head) {
			return x.restart(ctx, true, ancestor.Number)
		}
		return nil, err
	}
	b := &Batch{Position: p, At: *ancestor, Observations: seen, Want: x.setAside(seen, unreadable), Undo: ancestor,
		UndoMore: more}
	if x.undoing.pets += len(ids); more {
		return b, ErrReorg
	}
	x.undoing = undoing{}
	b.Position.Block, b.Position.Pin, b.Position.Owed = *ancestor, *ancestor, mergeSpans(append(p.Owed, t.spans...))
	return b, ErrReorg
}

// undoing is the progress of a rewind in several steps. If the process dies, or the chain changes
// again, the rewind starts again.
type undoing struct {
	to   evm.Block // the block that the rewind goes back to
	pets int       // pets that were read so far
}

// deeper returns the block from which events are searched again if no mark is canonical. It is well
// below the oldest mark.
func deeper(p Position, marks []BlockMark) uint64 {
	oldest := p.Block.Number
	if len(marks) > 0 {
		oldest = marks[0].Number
	}
	return oldest - min(oldest, 8*depth)
}
