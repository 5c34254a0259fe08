package proof_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethdb/memorydb"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/ethereum/go-ethereum/trie"
	"github.com/ethereum/go-ethereum/triedb"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/proof/gather"
	"petsupply/testkit/contracts"
)

// A ledgerNode is a node of any family with an invented state. It is a gather.Source. Its tries are
// go-ethereum's.
type ledgerNode struct {
	t          testing.TB
	family     string // family of its headers
	layout     string // family of its accounts' form
	accounts   map[common.Address]*account
	difficulty string   // difficulty in its headers; "": 0
	oldForks   bool     // its headers have no optional fields
	root       []byte   // root of a state that is made by hand
	nodes      [][]byte // nodes of that state

	at       evm.Block
	block    json.RawMessage
	header   []byte
	main     *trie.Trie
	storages map[common.Address]*trie.Trie

	trips  int
	faulty func(*evm.ProofAnswer) // alters an answer
	noEOA  bool                   // like Kaia, it gives no proof for accounts without code
}

type account struct {
	balance int64
	code    []byte
	slots   map[common.Hash]common.Hash
	leaf    []byte // its form, if that is made by hand
}

func newLedgerNode(t testing.TB, family string) *ledgerNode {
	return &ledgerNode{t: t, family: family, layout: family, accounts: map[common.Address]*account{},
		noEOA: family == "kaia"}
}

// place puts a compiled contract with empty storage at an address.
func (n *ledgerNode) place(name string, at common.Address) *account {
	c, err := contracts.Load(name)
	if err != nil {
		n.t.Fatal(err)
	}
	n.accounts[at] = &account{code: c.Runtime, slots: map[common.Hash]common.Hash{}}
	return n.accounts[at]
}

func newTrie() *trie.Trie { return trie.NewEmpty(triedb.NewDatabase(rawdb.NewMemoryDatabase(), nil)) }

// seal makes a block from the accounts.
func (n *ledgerNode) seal() {
	n.main, n.storages = newTrie(), map[common.Address]*trie.Trie{}
	for address, a := range n.accounts {
		storage := newTrie()
		for slot, value := range a.slots {
			if n.layout == "coreth" {
				slot[0] &= 0xfe
			}
			leaf, _ := rlp.EncodeToBytes(common.TrimLeftZeroes(value[:]))
			storage.MustUpdate(crypto.Keccak256(slot[:]), leaf)
		}
		n.storages[address] = storage
		n.main.MustUpdate(crypto.Keccak256(address[:]), n.leaf(a, storage.Hash()))
	}
	fields := proof.ZeroHeader(n.family, n.oldForks)
	fields["number"], fields["timestamp"] = "0x64", "0x6af98dab"
	fields["stateRoot"] = n.main.Hash()
	if n.difficulty != "" {
		fields["difficulty"] = n.difficulty
	}
	if n.root != nil {
		fields["stateRoot"] = common.BytesToHash(n.root)
	}
	if n.family == "kaia" {
		extra, _ := rlp.EncodeToBytes([]any{[]common.Address{{1}}, []byte("seal"), [][]byte{[]byte("committed")}})
		fields["extraData"] = hexutil.Encode(append(make([]byte, 32), extra...))
	}
	delete(fields, "blockAccessListHash") // no known chain has this fork
	delete(fields, "slotNumber")
	n.block, _ = json.Marshal(fields)
	var ok bool
	if n.header, ok = proof.EncodeAs(n.family, n.block); !ok {
		n.t.Fatal("header cannot be encoded")
	}
	block, err := proof.BlockOf(n.header)
	if err != nil {
		n.t.Fatal(err)
	}
	n.at = block
}

func (n *ledgerNode) leaf(a *account, root common.Hash) []byte {
	if a.leaf != nil {
		return a.leaf
	}
	hash := crypto.Keccak256(a.code)
	balance := uint256.NewInt(uint64(a.balance))
	var out []byte
	switch n.layout {
	case "coreth":
		out, _ = rlp.EncodeToBytes([]any{uint64(1), balance, root, hash, false})
	case "kaia":
		common := []any{uint64(1), balance, false, uint8(3), []any{}}
		if len(a.code) == 0 {
			out, _ = rlp.EncodeToBytes(common)
			return append([]byte{1}, out...)
		}
		out, _ = rlp.EncodeToBytes([]any{common, root, hash, uint8(0x10)})
		return append([]byte{2}, out...)
	case "kaia, with EIP-7702": // a person with code
		out, _ = rlp.EncodeToBytes([]any{[]any{uint64(1), balance, false, uint8(3), []any{}}, root, hash, uint8(0x10)})
		return append([]byte{1}, out...)
	default:
		out, _ = rlp.EncodeToBytes(&types.StateAccount{Nonce: 1, Balance: balance, Root: root, CodeHash: hash})
	}
	return out
}

func (n *ledgerNode) ID() uint64 { return 53935 }

// Proofs answers like a node.
func (n *ledgerNode) Proofs(ctx context.Context, at evm.Block, q evm.ProofQuery,
	accept func(evm.ProofAnswer) error) error {
	n.trips++
	if at.Hash != n.at.Hash {
		return fmt.Errorf("%w: unknown block", evm.ErrNoProof)
	}
	var a evm.ProofAnswer
	for _, method := range q.Headers {
		var block json.RawMessage
		if strings.HasPrefix(method, "eth_") == (n.family != "kaia") {
			block = n.block
		}
		a.Headers = append(a.Headers, block)
	}
	for _, want := range q.Accounts {
		var p evm.AccountProof
		account := n.accounts[want.Address]
		if n.noEOA && (account == nil || len(account.code) == 0) {
			p.Err = errors.New("there is no account corresponding to the given address")
			a.Accounts = append(a.Accounts, p)
			continue
		}
		p.Nodes = prove(n.main, want.Address[:])
		if account != nil {
			for _, slot := range want.Slots {
				p.Nodes = append(p.Nodes, prove(n.storages[want.Address], slot[:])...)
			}
			if want.Code {
				p.Code = account.code
			}
		}
		a.Accounts = append(a.Accounts, p)
	}
	if n.faulty != nil {
		n.faulty(&a)
	}
	if err := accept(a); err != nil {
		return fmt.Errorf("%w: %w", evm.ErrNoProof, err)
	}
	return nil
}

func prove(t *trie.Trie, key []byte) (nodes [][]byte) {
	db := memorydb.New()
	if err := t.Prove(crypto.Keccak256(key), db); err != nil {
		panic(err)
	}
	it := db.NewIterator(nil, nil)
	for it.Next() {
		nodes = append(nodes, common.CopyBytes(it.Value()))
	}
	return nodes
}

// call encodes a call of a compiled contract.
func call(t testing.TB, contract string, to common.Address, method string, args ...any) proof.Call {
	t.Helper()
	c, err := contracts.Load(contract)
	if err != nil {
		t.Fatal(err)
	}
	data, err := c.ABI.Pack(method, args...)
	if err != nil {
		t.Fatal(err)
	}
	return proof.Call{To: &to, Data: data}
}

func word(n int64) []byte { return common.BigToHash(big.NewInt(n)).Bytes() }

// balance returns a read of an account's balance.
func balance(of common.Address) proof.Call { return proof.Call{Balance: &of} }

// answered returns the calls with their answers.
func answered(calls []proof.Call, returns ...[]byte) []proof.Call {
	for i := range calls {
		calls[i].Return = returns[i]
	}
	return calls
}

// proveAll gathers a proof. All calls must be proven.
func proveAll(t testing.TB, n *ledgerNode, calls []proof.Call) *proof.Chain {
	t.Helper()
	c, faults := gather.New(n).Gather(t.Context(), n.at, calls, proof.MaxGas)
	for i, err := range faults {
		if err != nil {
			t.Fatalf("call %d is not proven: %v", i, err)
		}
	}
	return c
}

// chainOf returns a proof of calls made by hand. It has the codes and paths of the addresses; nil means
// all accounts.
func chainOf(n *ledgerNode, of []common.Address, calls ...proof.Call) *proof.Chain {
	c := &proof.Chain{ChainID: 1, Block: proof.BlockID{Number: n.at.Number, Hash: n.at.Hash}, Header: n.header,
		Calls: calls}
	if of == nil {
		of = slices.Collect(maps.Keys(n.accounts))
	}
	seen := map[string]bool{}
	for _, address := range of {
		if a := n.accounts[address]; a != nil {
			c.Codes = append(c.Codes, a.code)
		}
		for _, node := range prove(n.main, address[:]) {
			if !seen[string(node)] {
				seen[string(node)] = true
				c.Nodes = append(c.Nodes, node)
			}
		}
	}
	return c
}

// recheck checks a proof. Every call in it must hold.
func recheck(t testing.TB, c *proof.Chain) *proof.Checked {
	t.Helper()
	got, err := c.Check(proof.NewBudget())
	if err == nil {
		err = got.Holds()
	}
	if err != nil {
		t.Fatal(err)
	}
	return got
}

var (
	token  = common.HexToAddress("0x1000000000000000000000000000000000000001")
	holder = common.HexToAddress("0x2000000000000000000000000000000000000002")
)

// numbered returns one of many addresses.
func numbered(i int) common.Address {
	return common.BytesToAddress(crypto.Keccak256([]byte(fmt.Sprint("holder", i)))[:20])
}

// balanceSlot returns the slot of a holder's balance in Token.
func balanceSlot(who common.Address) common.Hash {
	return crypto.Keccak256Hash(common.LeftPadBytes(who[:], 32), word(7))
}
