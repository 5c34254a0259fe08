package book

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/internal/evm"
	"petsupply/internal/world"
	"petsupply/testkit/anvil"
)

var (
	alice = common.HexToAddress("0xa11ce")
	bob   = common.HexToAddress("0xb0b")
)

// A twin is the same short history on a real node and in the model.
type twin struct {
	real, model *rpc.Client
	urls        [2]string
	token       common.Address
	head        uint64
	old         [2]common.Hash // hashes of a block that a reorganisation replaced
}

// newTwin plays a history on anvil: a token is minted, moved and burned, the gas token is sent, and
// the last two blocks are replaced. Then it makes the same changes at the same blocks of the model.
func newTwin(t *testing.T) *twin {
	t.Helper()
	n := anvil.Test(t, anvil.Options{Chain: 53935, Manual: true})
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	token, err := n.Deploy(ctx, "Token", "Coin", "COIN", uint8(6), new(big.Int))
	must(err)
	do := func(txs ...anvil.Tx) uint64 {
		t.Helper()
		receipts, err := n.Do(ctx, txs...)
		must(err)
		return uint64(receipts[0].Block)
	}
	minted := do(anvil.Tx{To: token, Method: "mint", Args: []any{alice, big.NewInt(1000)}})
	moved := do(anvil.Tx{From: alice, To: token, Method: "transfer", Args: []any{bob, big.NewInt(300)}},
		anvil.Tx{To: bob, Value: big.NewInt(5)})
	burned := do(anvil.Tx{From: bob, To: token, Method: "burn", Args: []any{big.NewInt(100)}})
	must(n.Mine(ctx, 1))
	tw := &twin{real: n.RPC, token: token}
	replaced, err := n.Block(ctx, rpc.BlockNumber(burned))
	must(err)
	tw.old[0] = replaced.Hash
	must(n.Reorg(ctx, 2, anvil.Tx{To: token, Method: "mint", Args: []any{bob, big.NewInt(7)}}))
	must(n.Mine(ctx, 1))
	tw.head, err = n.Height(ctx)
	must(err)

	times := blockTimes(t, n, tw.head)
	chain := &world.Chain{Name: "model", ID: 53935, Blocks: times, Finality: 2, Multicall: anvil.Multicall3,
		Reorgs: []world.Reorg{{At: times[tw.head], From: burned}}}
	book := New(chain)
	book.AddToken(token, 6)
	zero := common.Address{}
	book.Move(world.Block{Number: minted}, token, zero, alice, big.NewInt(1000))
	book.Move(world.Block{Number: moved}, token, alice, bob, big.NewInt(300))
	book.Give(world.Block{Number: moved}, bob, big.NewInt(5))
	book.Move(world.Block{Number: burned}, token, bob, zero, big.NewInt(100))
	book.Move(world.Block{Number: burned, Branch: 1}, token, zero, bob, big.NewInt(7))
	tw.old[1] = chain.Hash(world.Block{Number: burned})

	tw.serve(t, n.URL, chain)
	return tw
}

// blockTimes returns when a node made its blocks.
func blockTimes(t *testing.T, n *anvil.Node, head uint64) world.OnDemand {
	t.Helper()
	times := make(world.OnDemand, head+1)
	for i := range times {
		b, err := n.Block(t.Context(), rpc.BlockNumber(i))
		if err != nil {
			t.Fatal(err)
		}
		times[i] = time.Unix(int64(b.Time), 0)
	}
	return times
}

// serve serves the model over HTTP.
func (tw *twin) serve(t *testing.T, real string, chain *world.Chain) {
	t.Helper()
	now := chain.Blocks.Time(tw.head)
	node := &world.Node{Chain: chain, Now: func() time.Time { return now }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer, err := node.RoundTrip(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.Copy(w, answer.Body)
	}))
	t.Cleanup(server.Close)
	var err error
	if tw.model, err = rpc.DialContext(t.Context(), server.URL); err != nil {
		t.Fatal(err)
	}
	tw.urls = [2]string{real, server.URL}
}

// TestAnswersEqualThoseOfANode compares the model's answers with those of a real node with the same
// history.
func TestAnswersEqualThoseOfANode(t *testing.T) {
	tw := newTwin(t)
	call := func(data []byte) map[string]any { return map[string]any{"to": tw.token, "data": hexutil.Bytes(data)} }
	blocks := []any{"latest", "safe", "finalized", "earliest", hexutil.Uint64(tw.head + 1), hexutil.Uint64(1 << 40)}
	for i := range tw.head + 1 {
		blocks = append(blocks, hexutil.Uint64(i))
	}
	for _, at := range blocks {
		t.Run(fmt.Sprintf("block %v", at), func(t *testing.T) {
			tw.same(t, []string{"number", "timestamp"}, "eth_getBlockByNumber", at, false)
			tw.same(t, nil, "eth_getBalance", bob, at)
			if n, ok := at.(hexutil.Uint64); ok && n < 3 || at == "earliest" {
				return // the model has its contracts from the genesis on
			}
			tw.same(t, nil, "eth_call", call(totalSupply[:]), at)
			tw.same(t, nil, "eth_call", call(decimals[:]), at)
			tw.same(t, nil, "eth_call", call([]byte(holding(alice))), at)
			tw.same(t, nil, "eth_call", call([]byte(holding(bob))), at)
			tw.same(t, nil, "eth_call", call([]byte{1, 2, 3, 4}), at)
		})
	}
	tw.same(t, nil, "eth_chainId")
	tw.same(t, nil, "eth_blockNumber")
	tw.same(t, nil, "eth_syncing")
	tw.same(t, nil, "eth_getCode", alice, "latest")
	tw.same(t, nil, "no_such_method")
	tw.same(t, []string{"address", "topics", "data", "blockNumber", "logIndex", "removed"}, "eth_getLogs",
		map[string]any{"fromBlock": "0x0", "toBlock": "latest", "address": tw.token,
			"topics": []any{crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))}})
	tw.byHash(t)
}

// byHash compares answers about blocks that are named by their hashes.
func (tw *twin) byHash(t *testing.T) {
	t.Helper()
	hashes := [][2]common.Hash{tw.old, {{1}, {1}}}
	for _, number := range []uint64{3, tw.head} {
		var pair [2]common.Hash
		for i, c := range []*rpc.Client{tw.real, tw.model} {
			var b struct{ Hash common.Hash }
			if err := c.CallContext(t.Context(), &b, "eth_getBlockByNumber", hexutil.Uint64(number), false); err != nil {
				t.Fatal(err)
			}
			pair[i] = b.Hash
		}
		hashes = append(hashes, pair)
	}
	for _, pair := range hashes {
		ask := func(method string, args func(common.Hash) []any, keys []string) {
			t.Helper()
			a, b := tw.ask(t, tw.real, keys, method, args(pair[0])...), tw.ask(t, tw.model, keys, method, args(pair[1])...)
			if a != b {
				t.Errorf("%s by hash %s: the node says %s, the model %s", method, pair[0], a, b)
			}
		}
		ask("eth_getBlockByHash", func(h common.Hash) []any { return []any{h, false} }, []string{"number", "timestamp"})
		ask("eth_call", func(h common.Hash) []any {
			return []any{map[string]any{"to": tw.token, "data": hexutil.Bytes(totalSupply[:])},
				map[string]any{"blockHash": h, "requireCanonical": true}}
		}, nil)
	}
}

// same asks both and compares their answers. Of objects it compares only these keys.
func (tw *twin) same(t *testing.T, keys []string, method string, args ...any) {
	t.Helper()
	a, b := tw.ask(t, tw.real, keys, method, args...), tw.ask(t, tw.model, keys, method, args...)
	if a != b {
		t.Errorf("%s %v: the node says %s, the model %s", method, args, a, b)
	}
}

// ask returns an answer as text. An object has only these keys in it. All errors are the same text,
// because clients word them differently.
func (tw *twin) ask(t *testing.T, c *rpc.Client, keys []string, method string, args ...any) string {
	t.Helper()
	var raw json.RawMessage
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := c.CallContext(ctx, &raw, method, args...); err != nil {
		return "an error"
	}
	if keys == nil || string(raw) == "null" {
		return string(raw)
	}
	var list []map[string]any
	if raw[0] != '[' {
		raw = slices.Concat([]byte("["), raw, []byte("]"))
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	for _, object := range list {
		for key := range object {
			if !slices.Contains(keys, key) {
				delete(object, key)
			}
		}
	}
	text, _ := json.Marshal(list)
	return string(text)
}

// TestReadsEqualThoseOfANode reads with the code of the service, with and without Multicall3.
func TestReadsEqualThoseOfANode(t *testing.T) {
	tw := newTwin(t)
	tw.sameReads(t, []evm.Call{{To: tw.token, Data: totalSupply[:]}, {To: tw.token, Data: []byte(holding(bob))},
		{To: bob, Balance: true}, {To: tw.token, Data: []byte{1, 2, 3, 4}, MayRevert: true}, {To: alice, Data: []byte{1}}})
}

// sameReads reads both at the newest block with the code of the service, with and without
// Multicall3.
func (tw *twin) sameReads(t *testing.T, calls []evm.Call) {
	t.Helper()
	for _, multicall := range []common.Address{{}, anvil.Multicall3} {
		t.Run("Multicall3 at "+multicall.Hex(), func(t *testing.T) {
			var got [2]string
			for i, url := range tw.urls {
				chain, err := evm.Dial(evm.Config{Name: "twin", ID: 53935, Quorum: 1, Finality: "latest", Timeout: 20 * time.Second,
					MaxLag: time.Hour, Multicall: multicall, Providers: []evm.Provider{{Name: "node", URL: url}}}, nil)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(chain.Close)
				at, err := chain.Pin(t.Context(), time.Time{})
				if err != nil {
					t.Fatal(err)
				}
				out, err := chain.Read(t.Context(), at, calls)
				got[i] = fmt.Sprint(at.Number, at.Time, out, err)
			}
			if got[0] != got[1] {
				t.Errorf("the node says\n%s\nthe model\n%s", got[0], got[1])
			}
		})
	}
}
