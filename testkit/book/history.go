package book

import (
	"sort"

	"petsupply/internal/world"
)

// A history has the changes of one value. For each branch of a chain, it has one entry for each block
// that changed the value.
type history[T any] map[int][]entry[T]

// An entry is a value and the number of the block from which it is valid.
type entry[T any] struct {
	number uint64
	value  T
}

// at returns the value at a block; zero if there was none yet.
func (h history[T]) at(c *world.Chain, at world.Block) (value T) {
	for number, branch := at.Number, at.Branch; h != nil; {
		entries := h[branch]
		if i := sort.Search(len(entries), func(i int) bool { return entries[i].number > number }); i > 0 {
			return entries[i-1].value
		}
		if branch == 0 || c.Reorgs[branch-1].From == 0 {
			break
		}
		number = c.Reorgs[branch-1].From - 1
		branch = ancestor(c, number, branch-1)
	}
	return value
}

// set changes the value from a block on.
func (h history[T]) set(at world.Block, value T) {
	entries := h[at.Branch]
	if n := len(entries); n > 0 && entries[n-1].number == at.Number {
		entries[n-1].value = value
		return
	}
	h[at.Branch] = append(entries, entry[T]{number: at.Number, value: value})
}

// ancestor returns the branch of the block with this number, in the chain that ends on the given
// branch.
func ancestor(c *world.Chain, number uint64, branch int) int {
	for branch > 0 && c.Reorgs[branch-1].From > number {
		branch--
	}
	return branch
}
