package index

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// touched are the pets that some events spoke of, by block.
type touched struct {
	since  map[uint64]uint64 // id to the first block that spoke of it
	spans  []pet.Span
	blocks map[uint64]*BlockMark
}

func newTouched() *touched {
	return &touched{since: map[uint64]uint64{}, blocks: map[uint64]*BlockMark{}}
}

// collect adds what logs say. Their order does not matter, nor whether one is
// there twice.
func (x *Indexer) collect(t *touched, logs []evm.Log) {
	for _, l := range logs {
		ids, span := x.realm.Touched(l)
		ids = slices.DeleteFunc(ids, func(id uint64) bool { return !x.inBand(id) })
		if len(ids) == 0 && span == nil {
			continue
		}
		m := t.blocks[l.Block]
		if m == nil {
			m = &BlockMark{Number: l.Block, Hash: l.Hash}
			t.blocks[l.Block] = m
		}
		for _, id := range ids {
			if first, ok := t.since[id]; !ok || l.Block < first {
				t.since[id] = l.Block
			}
		}
		m.IDs = append(m.IDs, ids...)
		if span != nil {
			m.Spans = append(m.Spans, *span)
			t.spans = append(t.spans, *span)
		}
	}
}

// mark notes that b was followed; false if an event of that number was of
// another block.
func (t *touched) mark(b evm.Block) bool {
	m := t.blocks[b.Number]
	if m == nil {
		m = &BlockMark{Number: b.Number, Hash: b.Hash}
		t.blocks[b.Number] = m
	}
	m.Time = b.Time
	return m.Hash == b.Hash
}

// marks returns the marks from block keep up, ascending.
func (t *touched) marks(keep uint64) []BlockMark {
	var list []BlockMark
	for _, m := range t.blocks {
		if m.Number < keep {
			continue
		}
		slices.Sort(m.IDs)
		m.IDs = slices.Compact(m.IDs)
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b BlockMark) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

// ids returns the pets, ascending.
func (t *touched) ids() []uint64 {
	ids := make([]uint64, 0, len(t.since))
	for id := range t.since {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

// search returns the contract's logs from a block up to last, which is at most
// to: as many blocks as the node lets one search have, and as give no more logs
// than are easily held. The width adapts.
func (x *Indexer) search(ctx context.Context, from, to uint64) (logs []evm.Log, last uint64, err error) {
	for {
		last = min(to, from+x.width.blocks-1)
		logs, err = x.chain.Logs(ctx, evm.LogQuery{From: from, To: last, Addresses: []common.Address{x.realm.Contract}})
		blocks := last - from + 1
		if errors.Is(err, evm.ErrRange) && blocks > 1 {
			x.width.refused(blocks, err)
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		x.width.served(blocks, len(logs))
		return logs, last, nil
	}
}

// A width is how many blocks one search for logs takes.
type width struct {
	blocks  uint64
	ceiling uint64 // as far as it may grow, since more was refused
	calm    int    // searches of full width since the ceiling was last tried
}

const patience = 64 // searches before a ceiling is tried again

// refused narrows to what the node suggests, if that is any narrower, or to
// half.
func (w *width) refused(blocks uint64, err error) {
	w.blocks, w.calm = max(1, blocks/2), 0
	var wide *evm.RangeError
	if errors.As(err, &wide) && wide.Blocks > 0 && wide.Blocks < blocks {
		w.blocks = wide.Blocks
		w.ceiling = w.blocks
		return
	}
	w.ceiling = max(1, blocks-1-blocks/8)
}

// served narrows where logs are many, and else grows back, up to the ceiling,
// and beyond it when it was long not tried.
func (w *width) served(blocks uint64, logs int) {
	switch {
	case logs > manyLogs:
		w.blocks = max(1, blocks/2)
	case blocks == w.blocks && logs < manyLogs/4:
		if w.calm++; w.calm > patience {
			w.ceiling, w.calm = min(maxWindow, 2*w.ceiling), 0
		}
		w.blocks = min(w.ceiling, w.blocks+w.blocks/4+1)
	}
}
