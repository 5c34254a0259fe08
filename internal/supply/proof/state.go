package proof

import (
	"errors"
	"fmt"
	"math"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"
)

// A key is one thing that can be read of a state: an account, one of its slots,
// or its code.
type key struct {
	kind    keyKind
	address common.Address
	slot    common.Hash // as the trie has it
}

type keyKind uint8

const (
	accountKey keyKind = iota
	slotKey
	codeKey
)

func (k key) String() string {
	switch k.kind {
	case slotKey:
		return fmt.Sprintf("slot %s of %s", k.slot, k.address)
	case codeKey:
		return fmt.Sprintf("the code of %s", k.address)
	}
	return fmt.Sprintf("account %s", k.address)
}

// A world is the state of one block as far as its nodes and codes are known.
// Both are known by their hashes, so whoever brought them need not be believed.
type world struct {
	*header
	chainID uint64
	nodes   map[common.Hash][]byte
	codes   map[common.Hash][]byte

	read      map[key]reading // what was read with success
	jumpDests jumpDests       // of codes by hash, for all runs
	gasLeft   uint64          // for all runs together, where that is bounded
}

// A reading is what the state says of one key, and by which nodes.
type reading struct {
	account *types.StateAccount // nil: there is none
	value   common.Hash
	code    []byte
	nodes   []common.Hash
}

func newWorld(h *header, chainID uint64) *world {
	return &world{
		header: h, chainID: chainID, nodes: map[common.Hash][]byte{}, codes: map[common.Hash][]byte{},
		read: map[key]reading{}, jumpDests: jumpDests{}, gasLeft: math.MaxUint64,
	}
}

func (w *world) addNode(node []byte) common.Hash {
	hash := crypto.Keccak256Hash(node)
	w.nodes[hash] = node
	return hash
}

func (w *world) addCode(code []byte) common.Hash {
	hash := crypto.Keccak256Hash(code)
	w.codes[hash] = code
	return hash
}

// lookup reads one key. Its error is ErrMissing where a node or the code is not
// there, else ErrWrong.
func (w *world) lookup(k key) (reading, error) {
	if r, ok := w.read[k]; ok {
		return r, nil
	}
	r, err := w.resolve(k)
	if err != nil {
		return reading{}, fmt.Errorf("%s: %w", k, err)
	}
	w.read[k] = r
	return r, nil
}

func (w *world) resolve(k key) (reading, error) {
	if k.kind == accountKey {
		leaf, nodes, err := w.leaf(w.root, k.address[:])
		if err != nil || leaf == nil {
			return reading{nodes: nodes}, err
		}
		a, err := w.family.account(leaf)
		if err != nil {
			return reading{}, fmt.Errorf("not an account of %s (%v): %w", w.family.name, err, ErrWrong)
		}
		return reading{account: a, nodes: nodes}, nil
	}
	owner, err := w.lookup(key{accountKey, k.address, common.Hash{}})
	if err != nil || owner.account == nil {
		return reading{}, err
	}
	if k.kind == codeKey {
		hash := common.BytesToHash(owner.account.CodeHash)
		code, ok := w.codes[hash]
		if !ok && hash != types.EmptyCodeHash {
			return reading{}, fmt.Errorf("code %s %w", hash, ErrMissing)
		}
		return reading{code: code}, nil
	}
	leaf, nodes, err := w.leaf(owner.account.Root, k.slot[:])
	if err != nil || leaf == nil {
		return reading{nodes: nodes}, err
	}
	value, rest, err := rlp.SplitString(leaf)
	if err != nil || len(rest) > 0 || len(value) > 32 {
		return reading{}, fmt.Errorf("not a slot's value: %w", ErrWrong)
	}
	return reading{value: common.BytesToHash(value), nodes: nodes}, nil
}

// leaf is what a trie has under the hash of preimage, nil if nothing, and the
// nodes that say so.
func (w *world) leaf(root common.Hash, preimage []byte) ([]byte, []common.Hash, error) {
	if root == types.EmptyRootHash {
		return nil, nil, nil
	}
	path := nodePath{nodes: w.nodes}
	leaf, err := trie.VerifyProof(root, crypto.Keccak256(preimage), &path)
	switch {
	case path.missing != nil:
		return nil, nil, fmt.Errorf("trie node %s %w", *path.missing, ErrMissing)
	case err != nil:
		return nil, nil, fmt.Errorf("%v: %w", err, ErrWrong)
	}
	return leaf, path.used, nil
}

// A nodePath gives out nodes and remembers which: an ethdb.KeyValueReader.
type nodePath struct {
	nodes   map[common.Hash][]byte
	used    []common.Hash
	missing *common.Hash
}

func (p *nodePath) Get(hash []byte) ([]byte, error) {
	h := common.BytesToHash(hash)
	node, ok := p.nodes[h]
	if !ok {
		p.missing = &h
		return nil, ErrMissing
	}
	p.used = append(p.used, h)
	return node, nil
}

func (p *nodePath) Has(hash []byte) (bool, error) {
	_, ok := p.nodes[common.BytesToHash(hash)]
	return ok, nil
}

// A recorder answers one run of a call from a world, and remembers what it was
// asked: a state.Reader. What is missing reads as empty, so that the run goes on
// and finds what else it needs.
type recorder struct {
	*world
	touched map[key]bool
	missed  []key
	err     error // the first that is more than missing
}

func (r *recorder) get(k key) reading {
	got, err := r.lookup(k)
	r.touched[k] = true
	switch {
	case errors.Is(err, ErrMissing):
		r.missed = append(r.missed, k) // once: a StateDB asks for nothing twice
	case err != nil && r.err == nil:
		r.err = err
	}
	return got
}

func (r *recorder) Account(a common.Address) (*types.StateAccount, error) {
	got := r.get(key{accountKey, a, common.Hash{}})
	if got.account == nil {
		return nil, nil
	}
	return got.account.Copy(), nil
}

func (r *recorder) Storage(a common.Address, slot common.Hash) (common.Hash, error) {
	return r.get(key{slotKey, a, r.family.slotKey(slot)}).value, nil
}

func (r *recorder) Code(a common.Address, _ common.Hash) []byte {
	return r.get(key{codeKey, a, common.Hash{}}).code
}

func (r *recorder) CodeSize(a common.Address, hash common.Hash) int { return len(r.Code(a, hash)) }

func (r *recorder) Has(a common.Address, hash common.Hash) bool { return len(r.Code(a, hash)) > 0 }

// noDatabase is all that a StateDB needs to know of a database that is never
// written to.
type noDatabase struct{ state.Database }

func (noDatabase) Type() state.DatabaseType { return state.TypeMPT }

// jumpDests is a vm.JumpDestCache.
type jumpDests map[common.Hash]vm.BitVec

func (j jumpDests) Load(code common.Hash) (vm.BitVec, bool) { v, ok := j[code]; return v, ok }

func (j jumpDests) Store(code common.Hash, v vm.BitVec) { j[code] = v }
