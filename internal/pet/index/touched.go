package index

import (
	"cmp"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// touched has the pets that events named, and a mark for each block with such events.
type touched struct {
	pets   map[uint64]bool // by id
	spans  []pet.Span
	blocks map[uint64]*BlockMark
}

func newTouched() *touched {
	return &touched{pets: map[uint64]bool{}, blocks: map[uint64]*BlockMark{}}
}

// add adds the pets that appear in logs of a realm's contract. These may be pets of any realm.
// Neither the order of logs nor duplicates matter.
func (t *touched) add(kingdom *pet.Kingdom, realm pet.Realm, logs []evm.Log) {
	for _, l := range logs {
		ids, span := kingdom.Touched(realm, l)
		ids = slices.DeleteFunc(ids, func(id uint64) bool {
			_, native := pet.HomeRealm(kingdom.Realms, id)
			return !native
		})
		if len(ids) == 0 && span == nil {
			continue
		}
		m := t.mark(l.Block, l.Hash)
		for _, id := range ids {
			t.pets[id] = true
		}
		m.IDs = append(m.IDs, ids...)
		if span != nil {
			m.Spans = append(m.Spans, *span)
			t.spans = append(t.spans, *span)
		}
	}
}

// mark returns the mark of the block with that number. A new mark gets this hash.
func (t *touched) mark(number uint64, hash common.Hash) *BlockMark {
	m := t.blocks[number]
	if m == nil {
		m = &BlockMark{Block: evm.Block{Number: number, Hash: hash}}
		t.blocks[number] = m
	}
	return m
}

// follow marks a followed block. It returns false if an event at that height belongs to another
// block.
func (t *touched) follow(b evm.Block) bool {
	m := t.mark(b.Number, b.Hash)
	m.Time = b.Time
	return m.Hash == b.Hash
}

// marks returns the marks of the blocks with number keep or higher, in ascending order.
func (t *touched) marks(keep uint64) []BlockMark {
	var list []BlockMark
	for _, m := range t.blocks {
		if m.Number >= keep {
			slices.Sort(m.IDs)
			m.IDs = slices.Compact(m.IDs)
			list = append(list, *m)
		}
	}
	slices.SortFunc(list, func(a, b BlockMark) int { return cmp.Compare(a.Number, b.Number) })
	return list
}

// ids returns the ids of the pets, in ascending order.
func (t *touched) ids() []uint64 { return slices.Sorted(maps.Keys(t.pets)) }
