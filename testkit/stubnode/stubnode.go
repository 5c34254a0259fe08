// Package stubnode is a node whose contracts answer from tables, without an EVM. It is a node of
// package world with faults and habits of real clients. Use anvil if a test needs an EVM.
package stubnode

import (
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/world"
)

// A Node has Head+1 blocks, one a second, and no logs. Set it up before its first
// request, or under Lock.
type Node struct {
	URL string
	sync.Mutex
	ID        uint64
	Version   string // its web3_clientVersion; "" means that it lacks this method
	Interval  bool   // a development node that makes blocks at intervals
	Head      uint64
	Newest    time.Time                    // the time of block Head
	KeepState uint64                       // how many blocks before Head still have their state; 0 means all
	NoFinal   bool                         // it has no final and no safe blocks
	FinalIs   func(head uint64) uint64     // its final block; nil means 10 before Head
	OldFirst  bool                         // the time of block 0 is the start of 1970
	TagFault  string                       // its error for final and safe blocks
	Reverted  string                       // its error for a call that reverts; "" means "execution reverted"
	Refuse    map[string]string            // methods that fail, with the message
	Contracts map[common.Address]*Contract // by address
	Balances  map[common.Address]*big.Int  // balances of the chain's gas token
}

// A Contract answers calls from a table. All other calls revert.
type Contract struct {
	First   uint64 // its first block
	answers map[string][]byte
}

// Answer sets the answer to a call with the words args as arguments.
func (c *Contract) Answer(signature string, answer []byte, args ...[]byte) {
	if c.answers == nil {
		c.answers = map[string][]byte{}
	}
	data := append(crypto.Keccak256([]byte(signature))[:4], slices.Concat(args...)...)
	c.answers[hexutil.Encode(data)] = answer
}

// Word returns a number as a contract returns it.
func Word(n uint64) []byte { return new(big.Int).SetUint64(n).FillBytes(make([]byte, 32)) }

// Address returns an address as a contract returns it.
func Address(a common.Address) []byte { return common.LeftPadBytes(a[:], 32) }

// Text returns a string as a contract returns it.
func Text(s string) []byte {
	padded := common.RightPadBytes([]byte(s), (len(s)+31)/32*32)
	return slices.Concat(Word(32), Word(uint64(len(s))), padded)
}

// Pet returns a pet as a contract returns it. The pet has the given number of fields and no name.
func Pet(id uint64, fields int) []byte {
	words := make([][]byte, fields)
	for i := range words {
		words[i] = Word(0)
	}
	words[0], words[2] = Word(id), Word(uint64(32*fields))
	return slices.Concat(Word(32), slices.Concat(words...), Word(0))
}

// Test returns a node that serves until the test ends: chain 5 with 1,000 blocks.
func Test(t *testing.T) *Node {
	n := &Node{ID: 5, Head: 1000, Newest: time.Now(), Refuse: map[string]string{},
		Contracts: map[common.Address]*Contract{}, Balances: map[common.Address]*big.Int{}}
	server := httptest.NewServer(n)
	t.Cleanup(server.Close)
	n.URL = server.URL
	return n
}

// ServeHTTP answers one request or a batch.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.Lock()
	defer n.Unlock()
	body, err := io.ReadAll(r.Body)
	if err != nil || !json.Valid(body) {
		http.Error(w, "want JSON", http.StatusBadRequest)
		return
	}
	blocks := schedule{Steady: world.Steady{Genesis: n.Newest.Add(-time.Duration(n.Head) * time.Second), Every: time.Second},
		oldFirst: n.OldFirst}
	final := n.Head - min(n.Head, 10)
	if n.FinalIs != nil {
		final = n.FinalIs(n.Head)
	}
	chain := &world.Chain{ID: n.ID, Blocks: blocks, Finality: n.Head - final, State: state{n}}
	model := &world.Node{Chain: chain}
	if n.KeepState > 0 {
		model.Keeps = n.KeepState + 1
	}
	view := world.View{Chain: chain, At: n.Newest}
	requests, batch := world.ReadRequests(body)
	replies := make([]map[string]any, len(requests))
	for i, q := range requests {
		replies[i] = map[string]any{"jsonrpc": "2.0", "id": q.ID}
		result, err := n.answer(model, view, q)
		if err != nil {
			replies[i]["error"] = err
		} else {
			replies[i]["result"] = result
		}
	}
	var answer any = replies
	if !batch {
		answer = replies[0]
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(answer)
}

// A fault is an error of JSON-RPC.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *fault) Error() string { return f.Message }

// answer answers one request as the model does, except for the faults and habits of n.
func (n *Node) answer(model *world.Node, view world.View, q world.Request) (any, error) {
	if message, ok := n.Refuse[q.Method]; ok {
		return nil, &fault{-32000, message}
	}
	switch q.Method {
	case "web3_clientVersion":
		if n.Version == "" {
			return nil, &fault{-32601, "the method " + q.Method + " does not exist"}
		}
		return n.Version, nil
	case "hardhat_getAutomine":
		return !n.Interval, nil
	case "eth_getBlockByNumber":
		tag := string(q.Params[0])
		final := tag == `"finalized"` || tag == `"safe"`
		if final && n.TagFault != "" {
			return nil, &fault{-32602, n.TagFault}
		}
		if final && n.NoFinal {
			return nil, nil
		}
	}
	result, err := model.Answer(view, q.Method, q.Params)
	if err != nil && err.Error() == "execution reverted" && n.Reverted != "" {
		err = &fault{-32000, n.Reverted}
	}
	return result, err
}

// A schedule makes a block a second. If oldFirst is set, the first one is from 1970.
type schedule struct {
	world.Steady
	oldFirst bool
}

func (s schedule) Time(number uint64) time.Time {
	if number == 0 && s.oldFirst {
		return time.Unix(0, 0)
	}
	return s.Steady.Time(number)
}

// A state is the state of a node's contracts and balances, which is the same in every block.
type state struct{ *Node }

func (s state) Call(_ world.Block, to common.Address, data []byte) ([]byte, bool) {
	answer, ok := s.Contracts[to].answers[hexutil.Encode(data)]
	return answer, ok
}

func (s state) Balance(_ world.Block, of common.Address) *big.Int {
	if balance := s.Balances[of]; balance != nil {
		return balance
	}
	return new(big.Int)
}

func (s state) HasCode(at world.Block, address common.Address) bool {
	c := s.Contracts[address]
	return c != nil && c.First <= at.Number
}

func (state) Logs(world.Block) []world.Log { return nil }
