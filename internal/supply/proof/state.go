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

// A Key identifies one thing that can be read from a state: an account, one of its slots, or its
// code.
type Key struct {
	Kind    keyKind
	Address common.Address
	Slot    common.Hash // the slot's key in the trie, before hashing
}

// A keyKind is the kind of a Key.
type keyKind uint8

const (
	AccountKey keyKind = iota
	SlotKey
	CodeKey
)

func (k Key) String() string {
	switch k.Kind {
	case SlotKey:
		return fmt.Sprintf("slot %s of %s", k.Slot, k.Address)
	case CodeKey:
		return fmt.Sprintf("the code of %s", k.Address)
	}
	return fmt.Sprintf("account %s", k.Address)
}

// A State is the state of one block, as far as its trie nodes and codes are known. Both are
// identified by their hashes, so it does not matter where they come from.
type State struct {
	*header
	chainID uint64
	nodes   map[common.Hash]*part
	codes   map[common.Hash]*part

	read      map[Key]reading // successful lookups
	jumpDests jumpDests       // by hash of the code; shared by all runs of calls
	budget    *Budget         // shared by all runs of calls
}

// A part is a trie node or a code.
type part struct{ bytes []byte }

// A Budget limits the work of a verifier for one proof document, which may be hostile.
type Budget struct {
	gas   uint64
	nodes int // remaining visits of trie nodes
	keys  int // remaining reads of accounts, slots and codes
}

// NewBudget returns the budget of one document.
func NewBudget() *Budget { return &Budget{gas: MaxGas, nodes: maxVisits, keys: MaxKeys} }

// A reading is the state's value of one key, with the nodes or the code that prove it.
type reading struct {
	account *types.StateAccount // nil if there is no such account
	value   common.Hash
	code    []byte
	parts   []*part // pointers take less memory than hashes, and a document can have many paths
}

// NewState returns the state of a block. Only its header, in RLP, is known so far.
func NewState(header []byte, chainID uint64) (*State, error) {
	h, err := decodeHeader(header)
	if err != nil {
		return nil, err
	}
	return newState(h, chainID, &Budget{gas: math.MaxUint64, nodes: math.MaxInt, keys: math.MaxInt}), nil
}

func newState(h *header, chainID uint64, b *Budget) *State {
	return &State{
		header: h, chainID: chainID, nodes: map[common.Hash]*part{}, codes: map[common.Hash]*part{},
		read: map[Key]reading{}, jumpDests: jumpDests{}, budget: b,
	}
}

// AddNode adds a trie node.
func (s *State) AddNode(node []byte) { add(s.nodes, node) }

// AddCode adds the code of a contract.
func (s *State) AddCode(code []byte) { add(s.codes, code) }

// add keeps a part that is known already, because readings have pointers to it.
func add(parts map[common.Hash]*part, bytes []byte) {
	hash := crypto.Keccak256Hash(bytes)
	if parts[hash] == nil {
		parts[hash] = &part{bytes}
	}
}

// Known returns nil if the state has the value of a key. Otherwise it returns the error of lookup.
func (s *State) Known(k Key) error {
	_, err := s.lookup(k)
	return err
}

// Code returns the code at an address, or nil if it is not known.
func (s *State) Code(address common.Address) []byte {
	r, _ := s.lookup(Key{Kind: CodeKey, Address: address})
	return r.code
}

// lookup reads one key. Its error is ErrMissing if a node or the code is missing, ErrNotProvable if
// the budget is used up or the value has an unknown form, and otherwise ErrWrong.
func (s *State) lookup(k Key) (reading, error) {
	if r, ok := s.read[k]; ok {
		return r, nil
	}
	if s.budget.keys == 0 {
		return reading{}, fmt.Errorf("the calls read more than %d accounts, slots and codes: %w",
			MaxKeys, ErrNotProvable)
	}
	s.budget.keys--
	r, err := s.resolve(k)
	if err != nil {
		return reading{}, fmt.Errorf("%s: %w", k, err)
	}
	s.read[k] = r
	return r, nil
}

func (s *State) resolve(k Key) (reading, error) {
	if k.Kind == AccountKey {
		leaf, nodes, err := s.leaf(s.root, k.Address[:])
		if err != nil || leaf == nil {
			return reading{parts: nodes}, err
		}
		a, err := s.family.account(leaf)
		if err != nil {
			// The trie has this leaf, so the account is in a form that this program does not know.
			return reading{}, fmt.Errorf("the account is not encoded in a form that is known for %s (%v): %w",
				s.family.name, err, ErrNotProvable)
		}
		return reading{account: a, parts: nodes}, nil
	}
	owner, err := s.lookup(Key{Kind: AccountKey, Address: k.Address})
	if err != nil || owner.account == nil {
		return reading{}, err
	}
	if k.Kind == CodeKey {
		hash := common.BytesToHash(owner.account.CodeHash)
		if hash == types.EmptyCodeHash {
			return reading{}, nil
		}
		code, ok := s.codes[hash]
		if !ok {
			return reading{}, fmt.Errorf("code %s %w", hash, ErrMissing)
		}
		return reading{code: code.bytes, parts: []*part{code}}, nil
	}
	leaf, nodes, err := s.leaf(owner.account.Root, k.Slot[:])
	if err != nil || leaf == nil {
		return reading{parts: nodes}, err
	}
	value, rest, err := rlp.SplitString(leaf)
	if err != nil || len(rest) > 0 || len(value) > 32 {
		return reading{}, fmt.Errorf("the slot has an unknown form: %w", ErrNotProvable)
	}
	return reading{value: common.BytesToHash(value), parts: nodes}, nil
}

// leaf returns the value that a trie has under the hash of preimage, or nil if it has none. It also
// returns the nodes that prove this.
func (s *State) leaf(root common.Hash, preimage []byte) ([]byte, []*part, error) {
	if root == types.EmptyRootHash {
		return nil, nil, nil
	}
	path := nodePath{nodes: s.nodes, budget: s.budget}
	leaf, err := trie.VerifyProof(root, crypto.Keccak256(preimage), &path)
	switch {
	case path.err != nil:
		return nil, nil, path.err
	case err != nil:
		return nil, nil, fmt.Errorf("%v: %w", err, ErrWrong)
	}
	return leaf, path.used, nil
}

const (
	// maxPath is the number of nodes on the longest path: one for each of a key's 64 digits, and a
	// leaf.
	maxPath = 65
	// maxNode limits a trie node, in bytes. A branch has 532. Kaia's accounts with the most keys
	// have some 1,300.
	maxNode = 2 << 10
	// maxVisits limits the visits of trie nodes for one document. Each path visits all of its nodes,
	// also those that another path has visited, and those that are embedded in another node. Ten
	// thousand slots among millions take 100,000 visits.
	maxVisits = 500_000
	// MaxKeys limits the accounts, slots and codes that all calls of a document may read.
	MaxKeys = 100_000
)

// A nodePath gives trie.VerifyProof the nodes of one path and records them. It is an
// ethdb.KeyValueReader.
type nodePath struct {
	nodes  map[common.Hash]*part
	used   []*part
	budget *Budget
	err    error
}

func (p *nodePath) Get(hash []byte) ([]byte, error) {
	h := common.BytesToHash(hash)
	node, ok := p.nodes[h]
	switch {
	case !ok:
		p.err = fmt.Errorf("trie node %s %w", h, ErrMissing)
	case len(p.used) == maxPath:
		p.err = fmt.Errorf("the path has more than %d trie nodes: %w", maxPath, ErrWrong)
	case len(node.bytes) > maxNode: // every visit copies the node
		p.err = fmt.Errorf("trie node %s has more than %d bytes: %w", h, maxNode, ErrNotProvable)
	case emptyExtension(node.bytes):
		p.err = fmt.Errorf("trie node %s is an empty extension: %w", h, ErrWrong)
	case p.budget.nodes <= 0:
		p.err = fmt.Errorf("the proof has too many paths: %w", ErrNotProvable)
	}
	if p.err != nil {
		return nil, p.err
	}
	p.budget.nodes -= max(1, lists(node.bytes))
	p.used = append(p.used, node)
	return node.bytes, nil
}

// lists counts the lists in RLP, at any depth. A trie node is a list. So is each node inside it.
func lists(items []byte) (n int) {
	for len(items) > 0 {
		kind, content, rest, err := rlp.Split(items)
		if err != nil {
			break
		}
		if kind == rlp.List {
			n += 1 + lists(content)
		}
		items = rest
	}
	return n
}

// emptyExtension reports whether a node leads to another without consuming a digit of the key. No
// valid trie has such nodes, and a path of them could have any length.
func emptyExtension(node []byte) bool {
	items, _, err := rlp.SplitList(node)
	if err != nil {
		return false // trie.VerifyProof detects this
	}
	key, rest, err := rlp.SplitString(items)
	if err != nil || len(key) > 1 || len(key) == 1 && key[0] != 0 {
		return false
	}
	n, err := rlp.CountValues(rest)
	return err == nil && n == 1
}

func (p *nodePath) Has(hash []byte) (bool, error) {
	_, ok := p.nodes[common.BytesToHash(hash)]
	return ok, nil
}

// A recorder answers one run of a call from a State and records the keys that were read. It is a
// state.Reader. Missing parts read as empty, so that the run goes on and finds what else it needs.
type recorder struct {
	*State
	touched map[Key]bool
	missed  []Key
	err     error  // the first error other than a missing part
	cancel  func() // ends the run; nil if nothing runs
}

func (r *recorder) get(k Key) reading {
	got, err := r.lookup(k)
	r.touched[k] = true
	switch {
	case errors.Is(err, ErrMissing):
		r.missed = append(r.missed, k) // no duplicates: a StateDB reads each key once
	case err != nil && r.err == nil:
		r.err = err
		if r.cancel != nil {
			r.cancel()
		}
	}
	return got
}

func (r *recorder) Account(a common.Address) (*types.StateAccount, error) {
	got := r.get(Key{Kind: AccountKey, Address: a})
	if got.account == nil {
		return nil, nil
	}
	return got.account.Copy(), nil
}

func (r *recorder) Storage(a common.Address, slot common.Hash) (common.Hash, error) {
	return r.get(Key{Kind: SlotKey, Address: a, Slot: r.family.slotKey(slot)}).value, nil
}

func (r *recorder) Code(a common.Address, _ common.Hash) []byte {
	return r.get(Key{Kind: CodeKey, Address: a}).code
}

func (r *recorder) CodeSize(a common.Address, hash common.Hash) int { return len(r.Code(a, hash)) }

func (r *recorder) Has(a common.Address, hash common.Hash) bool { return len(r.Code(a, hash)) > 0 }

// noDatabase is the database of a StateDB that never writes.
type noDatabase struct{ state.Database }

func (noDatabase) Type() state.DatabaseType { return state.TypeMPT }

// jumpDests is a vm.JumpDestCache.
type jumpDests map[common.Hash]vm.BitVec

func (j jumpDests) Load(code common.Hash) (vm.BitVec, bool) { v, ok := j[code]; return v, ok }

func (j jumpDests) Store(code common.Hash, v vm.BitVec) { j[code] = v }
