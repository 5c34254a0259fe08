package proof_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"

	"petsupply/internal/supply/proof"
	"petsupply/testkit/process"
)

// encoded returns the RLP of a trie node.
func encoded(node ...any) []byte {
	out, err := rlp.EncodeToBytes(node)
	if err != nil {
		panic(err)
	}
	return out
}

// withRoot returns an Ethereum header with that state root.
func withRoot(t *testing.T, root []byte) (*ledgerNode, *proof.State) {
	n := newLedgerNode(t, "ethereum")
	n.root = root
	n.seal()
	s, err := proof.NewState(n.header, 1)
	if err != nil {
		t.Fatal(err)
	}
	return n, s
}

// Paths through a trie are short enough for a verifier.
func TestPathsAreBounded(t *testing.T) {
	t.Run("extensions by nothing", func(t *testing.T) {
		for _, key := range [][]byte{{0}, {}} {
			var nodes [][]byte
			next := crypto.Keccak256([]byte("the end"))
			for range 20_000 {
				nodes = append(nodes, encoded(key, next))
				next = crypto.Keccak256(nodes[len(nodes)-1])
			}
			_, s := withRoot(t, next)
			for _, node := range nodes {
				s.AddNode(node)
			}
			err := s.Known(proof.Key{Address: token})
			if !errors.Is(err, proof.ErrWrong) || !strings.Contains(err.Error(), "empty extension") {
				t.Errorf("key %x: %v", key, err)
			}
		}
	})
	t.Run("a branch with a long value, which every visit copies", func(t *testing.T) {
		branch := make([]any, 17)
		for i := range branch {
			branch[i] = []byte{}
		}
		branch[16] = make([]byte, 2<<10)
		node := encoded(branch...)
		_, s := withRoot(t, crypto.Keccak256(node))
		s.AddNode(node)
		err := s.Known(proof.Key{Address: token})
		if !errors.Is(err, proof.ErrNotProvable) || !strings.Contains(err.Error(), "2048 bytes") {
			t.Error(err)
		}
	})
	t.Run("nodes inside a node, which every visit decodes", func(t *testing.T) {
		inner := []any{[]any{[]byte{0x20}, []byte{}}, []any{[]byte{0x20}, []byte{}}}
		branch := slices.Repeat([]any{append(inner, slices.Repeat([]any{[]byte{}}, 15)...)}, 16)
		node := encoded(append(branch, []byte{})...)
		n, _ := withRoot(t, crypto.Keccak256(node))
		c := chainOf(n, nil, balance(token), balance(holder))
		c.Nodes = []hexutil.Bytes{node}
		checked, err := c.Check(proof.VisitsOf(16 * 3)) // fewer than there are in one node
		if err != nil {
			t.Fatal(err)
		}
		_, err = checked.Answer(balance(holder))
		if !errors.Is(err, proof.ErrNotProvable) || !strings.Contains(err.Error(), "too many paths") {
			t.Error(err)
		}
	})
	t.Run("every path as deep as can be", func(t *testing.T) {
		n, calls := deepNode(t, 2000)
		c := chainOf(n, nil, calls...)
		c.Nodes, c.Codes = nil, nil
		for _, node := range n.nodes {
			c.Nodes = append(c.Nodes, node)
		}
		checked, err := c.Check(proof.VisitsOf(50_000))
		if err != nil {
			t.Fatal(err)
		}
		_, err = checked.Answer(calls[len(calls)-1])
		if !errors.Is(err, proof.ErrNotProvable) || !strings.Contains(err.Error(), "too many paths") {
			t.Error(err)
		}
	})
}

// deepNode returns a node with a state in which the path of every account has 64 branches. Each
// branch has the same node below all its digits.
func deepNode(t *testing.T, accounts int) (*ledgerNode, []proof.Call) {
	var nodes [][]byte
	next := crypto.Keccak256([]byte("the end"))
	for range 64 {
		branch := make([]any, 17)
		for i := range branch[:16] {
			branch[i] = next
		}
		branch[16] = []byte{}
		nodes = append(nodes, encoded(branch...))
		next = crypto.Keccak256(nodes[len(nodes)-1])
	}
	n, _ := withRoot(t, next)
	n.nodes = nodes
	var calls []proof.Call
	for i := range accounts {
		held := balance(numbered(i))
		held.Return = common.Hash{}.Bytes()
		calls = append(calls, held)
	}
	return n, calls
}

// The paths of a document take little memory beside its own parts.
func TestPathsTakeLittleMemory(t *testing.T) {
	const accounts, depth = 55_000, 9 // as many paths of this length as a document may have
	var nodes []hexutil.Bytes
	next := []byte{} // the end of every path: there is no account
	for range depth {
		branch := slices.Repeat([]any{next}, 16)
		nodes = append(nodes, encoded(append(branch, make([]byte, 32))...))
		next = crypto.Keccak256(nodes[len(nodes)-1])
	}
	n, _ := withRoot(t, next)
	c := chainOf(n, nil)
	c.Nodes = nodes
	for i := range accounts {
		held := balance(numbered(i))
		held.Return = word(0)
		c.Calls = append(c.Calls, held)
	}
	peak := process.PeakHeap(func() {
		if !holds(c) {
			t.Error("the proof does not hold")
		}
	})
	if peak > 55<<20 {
		t.Errorf("%d MB", peak>>20)
	}
}

// Checking a proof document of any shape takes a bounded amount of memory.
func TestMemoryIsBounded(t *testing.T) {
	const most = 100 << 20
	chain := func(parts string) string {
		return `{"format":"petsupply-proof/1","snapshot":"a","entries":[],"chains":[` + parts + `]}`
	}
	many := func(part string, size int) string {
		return strings.TrimSuffix(strings.Repeat(part+",", size/(len(part)+1)), ",")
	}
	for name, text := range map[string]string{
		"many calls in many chains": chain(many(`{"chainId":1,"calls":[`+many("{}", 100_000)+`]}`, 7<<20)),
		"many nodes":                chain(`{"chainId":1,"calls":[{}],"nodes":[` + many(`"0x00"`, 7<<20) + `]}`),
		"long nodes": chain(`{"chainId":1,"calls":[{}],"nodes":[` +
			many(`"0x`+strings.Repeat("00", 500)+`"`, 7<<20) + `]}`),
		"one long code": chain(`{"chainId":1,"calls":[{}],"codes":["0x` + strings.Repeat("00", 3<<20) + `"]}`),
		"many entries":  `{"format":"petsupply-proof/1","entries":[` + many("{}", 7<<20) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			if peak := process.PeakHeap(func() { _, _ = proof.Parse(strings.NewReader(text)) }); peak > most {
				t.Errorf("%d MB", peak>>20)
			} else {
				t.Logf("%d MB", peak>>20)
			}
		})
	}
}
