// Package proof checks reads of a chain without a node. A proof has the header of the block, and
// every trie node and code that the reads touched, so that anyone can execute the reads again.
//
// Start with Chain (document.go), the proof of one chain. Chain.Check (check.go) is the verifier:
// header (header.go) → state root → accounts and slots by trie nodes (state.go, family.go) → the
// calls executed again (execute.go) → the same return. Package gather makes proofs.
//
// A proof is not trusted. Its header must have the hash of the block that the evidence names, its
// trie nodes and codes are found by their hashes, and its returns are compared with those of the
// executed calls.
package proof

import "errors"

var (
	// ErrNotProvable means that an answer depends on more than the block determines, or cannot be
	// executed here. The answer may still be right.
	ErrNotProvable = errors.New("not provable")
	// ErrMissing means that the proof lacks a trie node or a code.
	ErrMissing = errors.New("is missing")
	// ErrWrong means that something contradicts the block.
	ErrWrong = errors.New("wrong proof")
)
