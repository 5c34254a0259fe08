// Package proof makes a read of a chain last: a proof carries the header of the
// block and every trie node and code that the reads touched, so that anyone can
// execute them again with no node at all.
//
// Start with Chain (document.go), which is what a proof says of one chain.
// Chain.Check (check.go) is the verifier: header (header.go) → state root →
// accounts and slots by trie nodes (state.go, family.go) → the calls executed
// again (execute.go) → the same return. A Gatherer (gather.go) makes one: it
// executes the calls on what it has, asks a node for what was missed, and does
// so again until nothing is.
//
// Nothing that a node or a document says is believed: nodes and codes are known
// by their hashes, the header by the hash of the block.
package proof

import "errors"

var (
	// ErrNotProvable: what was read depends on more than the block fixes, or
	// cannot be executed here. It says nothing of the figure.
	ErrNotProvable = errors.New("not provable")
	// ErrMissing: a trie node or a code that is needed is not there.
	ErrMissing = errors.New("is missing")
	// ErrWrong: something is there and contradicts the block.
	ErrWrong = errors.New("does not hold")
)
