// Package stubnode is a node that answers JSON-RPC from tables, without an EVM. It is for tests of
// single requests; use anvil if a test needs an EVM.
package stubnode

import (
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
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

type request struct {
	ID     json.RawMessage   `json:"id"`
	Method string            `json:"method"`
	Params []json.RawMessage `json:"params"`
}

// ServeHTTP answers one request or a batch.
func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.Lock()
	defer n.Unlock()
	var raw json.RawMessage
	if err := json.NewDecoder(r.Body).Decode(&raw); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	var batch []request
	if json.Unmarshal(raw, &batch) == nil {
		replies := make([]any, len(batch))
		for i, q := range batch {
			replies[i] = n.reply(q)
		}
		json.NewEncoder(w).Encode(replies)
		return
	}
	var one request
	if err := json.Unmarshal(raw, &one); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	json.NewEncoder(w).Encode(n.reply(one))
}

// A fault is an error of JSON-RPC.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (n *Node) reply(q request) any {
	out := map[string]any{"jsonrpc": "2.0", "id": q.ID}
	if message, ok := n.Refuse[q.Method]; ok {
		out["error"] = fault{-32000, message}
		return out
	}
	result, failed := n.answer(q)
	if failed != nil {
		out["error"] = failed
	} else {
		out["result"] = result
	}
	return out
}

func (n *Node) answer(q request) (any, *fault) {
	switch q.Method {
	case "web3_clientVersion":
		if n.Version != "" {
			return n.Version, nil
		}
	case "hardhat_getAutomine":
		return !n.Interval, nil
	case "eth_chainId":
		return hexutil.Uint64(n.ID), nil
	case "eth_getLogs":
		return []any{}, nil
	case "eth_syncing":
		return false, nil
	case "eth_getBlockByNumber", "eth_getBlockByHash":
		if tag := string(q.Params[0]); n.TagFault != "" && (tag == `"finalized"` || tag == `"safe"`) {
			return nil, &fault{-32602, n.TagFault}
		}
		number, ok := n.number(q.Params[0])
		if !ok {
			return nil, nil
		}
		made := n.Newest.Add(-time.Duration(n.Head-number) * time.Second).Unix()
		if number == 0 && n.OldFirst {
			made = 0
		}
		return map[string]any{"number": hexutil.Uint64(number), "hash": n.hash(number), "parentHash": n.hash(number - 1),
			"timestamp": hexutil.Uint64(made)}, nil
	case "eth_getCode", "eth_getBalance", "eth_call":
		return n.state(q)
	}
	return nil, &fault{-32601, "the method " + q.Method + " does not exist"}
}

// state answers requests that depend on the state of a block.
func (n *Node) state(q request) (any, *fault) {
	number, ok := n.number(q.Params[1])
	if !ok {
		return nil, &fault{-32000, "header not found"}
	}
	if n.KeepState > 0 && number+n.KeepState < n.Head {
		return nil, &fault{-32000, "missing trie node"}
	}
	var call struct {
		To    common.Address
		Data  hexutil.Bytes
		Input hexutil.Bytes
	}
	if q.Method == "eth_call" {
		if err := json.Unmarshal(q.Params[0], &call); err != nil {
			return nil, &fault{-32602, err.Error()}
		}
	} else if err := json.Unmarshal(q.Params[0], &call.To); err != nil {
		return nil, &fault{-32602, err.Error()}
	}
	if q.Method == "eth_getBalance" {
		balance := n.Balances[call.To]
		if balance == nil {
			balance = new(big.Int)
		}
		return (*hexutil.Big)(balance), nil
	}
	c, there := n.Contracts[call.To]
	there = there && c.First <= number
	switch {
	case q.Method == "eth_getCode" && there:
		return "0x00", nil
	case !there:
		return "0x", nil
	}
	answer, ok := c.answers[hexutil.Encode(append(call.Data, call.Input...))]
	if !ok {
		if n.Reverted != "" {
			return nil, &fault{-32000, n.Reverted}
		}
		return nil, &fault{3, "execution reverted"}
	}
	return hexutil.Bytes(answer), nil
}

// hash returns the hash of a block: the chain's id plus one, and then the block's number.
func (n *Node) hash(number uint64) common.Hash {
	return common.BytesToHash(slices.Concat(Word(n.ID + 1)[16:], Word(number)[16:]))
}

// number reads a tag, a number, a hash, or an object with a hash.
func (n *Node) number(raw json.RawMessage) (uint64, bool) {
	var object struct {
		BlockHash   string
		BlockNumber string
	}
	text := strings.Trim(string(raw), `"`)
	if json.Unmarshal(raw, &object) == nil {
		text = object.BlockHash + object.BlockNumber
	}
	switch {
	case text == "latest":
		return n.Head, true
	case (text == "finalized" || text == "safe") && n.FinalIs != nil:
		return n.FinalIs(n.Head), !n.NoFinal
	case text == "finalized" || text == "safe":
		return n.Head - min(n.Head, 10), !n.NoFinal
	case len(text) == 66:
		number := common.HexToHash(text).Big().Uint64()
		return number, n.hash(number).Hex() == text && number <= n.Head
	}
	number, err := hexutil.DecodeUint64(text)
	return number, err == nil && number <= n.Head
}
