package index

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// follow handles the realm's next events. It checks that the position's block is still canonical,
// searches a window of blocks for events, and reads the touched pets once it has reached the head.
func (x *Indexer) follow(ctx context.Context, w Work) (*Batch, error) {
	p := *w.Position
	head, err := x.pin(ctx)
	if err != nil {
		return nil, err
	}
	x.setProgress(func(p *Progress) { p.Head = head.Number })
	if b, err := x.checkReorg(ctx, w, head); b != nil || err != nil {
		return b, err
	}
	t := newTouched()
	if head.Number == p.Block.Number {
		return x.take(ctx, w, t, p.Block, head)
	}
	from, to := p.Block.Number+1, head.Number
	// A step is far if it begins at least 2*depth blocks before the head. A far step marks only its
	// last block. It ends at least depth blocks before the head, because all blocks after that must
	// be marked. A step that begins there is not far, even if there are a few new blocks by then.
	far := to-from >= 2*depth
	if far {
		to -= depth
	} else {
		to = min(to, from+dense-1)
	}
	logs, last, err := x.search(ctx, from, to)
	if err != nil {
		return nil, err
	}
	t.add(x.kingdom, x.realm, logs)
	at, err := x.markBlocks(ctx, t, p.Block, last, head, far)
	if err != nil {
		return nil, err
	}
	return x.take(ctx, w, t, at, head)
}

// markBlocks adds the blocks from before.Number+1 to last to the marks of t, and returns the last
// block. If far is set, it adds only the last block. Otherwise it reads every header, and checks
// that each block is the child of the previous one and that the events belong to the blocks.
func (x *Indexer) markBlocks(ctx context.Context, t *touched, before evm.Block, last uint64, head evm.Block,
	far bool) (evm.Block, error) {
	first := before.Number + 1
	if far {
		first = last
	}
	var numbers []uint64
	for n := first; n <= min(last, head.Number-1); n++ {
		numbers = append(numbers, n)
	}
	var chain []evm.Block
	if len(numbers) > 0 {
		var err error
		if chain, err = x.chain.Blocks(ctx, numbers...); err != nil {
			return evm.Block{}, err
		}
	}
	if last == head.Number {
		chain = append(chain, head)
	}
	for _, b := range chain {
		if !far && b.Parent != before.Hash || !t.follow(b) {
			return evm.Block{},
				fmt.Errorf("following blocks %d to %d: block %d changed meanwhile: %w", first, last, b.Number,
					evm.ErrReorg)
		}
		before = b
	}
	return before, nil
}

// take reads at the head: the pets that events touched, the pets in Wanted and Owed, and a few old
// rows. Before the head is reached it reads nothing and leaves the touched pets to a later step,
// because nodes may have dropped older state. It also leaves them to later steps if one step cannot
// read so many.
func (x *Indexer) take(ctx context.Context, w Work, t *touched, at, head evm.Block) (*Batch, error) {
	p := *w.Position
	idle := at == p.Block
	if now := x.custody(); p.Custody != now {
		t.spans = append(t.spans, pet.Span{To: pet.MaxID}) // read all owners again
		p.Custody = now
	}
	p.Block, p.Owed = at, mergeSpans(append(p.Owed, t.spans...))
	b := &Batch{At: at, Touched: t.pets, Keep: at.Number - min(at.Number, depth-1)}
	b.Marks = t.marks(b.Keep)
	if at.Number < head.Number {
		b.Position, b.Want = p, dueNow(t.ids())
		return b, nil
	}
	ids := t.ids()
	if len(ids) > strayIDs {
		b.Want, ids = dueNow(ids), nil
	}
	b.Answered = w.Wanted[:min(len(w.Wanted), strayIDs-len(ids))]
	again, err := x.reread(ctx, &p)
	if len(again) == 0 && err == nil {
		again, err = x.owed(ctx, &p)
	}
	if err != nil {
		return nil, err
	}
	ids = slices.Concat(ids, b.Answered, again)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	sweep, err := x.sweep(ctx, &p, head, ids)
	if err != nil {
		return nil, err
	}
	more := len(b.Want) > 0 || len(b.Answered) < len(w.Wanted) || len(w.Wanted) == strayIDs || len(p.Owed) > 0 ||
		p.Reread != nil
	if idle && len(ids)+len(sweep)+len(w.Position.Owed) == 0 && p.Custody == w.Position.Custody &&
		w.Position.Reread == nil {
		return nil, ErrCaughtUp
	}
	seen, unreadable, err := x.observe(ctx, at, slices.Concat(ids, sweep))
	if err != nil {
		return nil, err
	}
	later := x.setAside(seen, unreadable)
	maps.Copy(later, b.Want)
	b.Position, b.Want = p, later
	for _, o := range seen {
		if slices.Contains(sweep, o.ID) {
			b.Swept = append(b.Swept, o)
		} else {
			b.Observations = append(b.Observations, o)
		}
	}
	if more {
		return b, nil
	}
	return b, ErrCaughtUp
}
