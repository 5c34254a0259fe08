package faultproxy

import (
	"context"
	"encoding/json"
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/testkit/anvil"
)

// A stage is a token on a chain behind a proxy, and a second chain.
type stage struct {
	t           *testing.T
	node, other *anvil.Node
	proxy       *Proxy
	token       common.Address
	client      *rpc.Client
}

func newStage(t *testing.T) *stage {
	s := &stage{t: t, node: anvil.Test(t, anvil.Options{Manual: true}),
		other: anvil.Test(t, anvil.Options{Manual: true, Chain: 99})}
	s.proxy = Test(t, s.node.URL)
	var err error
	s.token, err = s.node.Deploy(t.Context(), "Token", "Coin", "COIN", uint8(18), new(big.Int))
	s.must(err)
	for range 3 {
		s.must(s.node.Send(t.Context(), s.token, "mint", s.node.Accounts[1], big.NewInt(1000)))
	}
	s.client, err = rpc.DialContext(t.Context(), s.proxy.URL)
	s.must(err)
	t.Cleanup(s.client.Close)
	return s
}

func (s *stage) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// read returns supply, balance, decimals and chain id from one multicall.
func (s *stage) read(at string) ([]*big.Int, error) {
	abi := multicall().ABI
	chain := abi.Methods["getChainId"].ID
	balance := append(balanceOf[:], common.LeftPadBytes(s.node.Accounts[1][:], 32)...)
	data, err := abi.Pack("aggregate3", []part{
		{s.token, false, totalSupply[:]}, {s.token, false, balance}, {s.token, false, decimals[:]},
		{anvil.Multicall3, false, chain},
	})
	s.must(err)
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Second)
	defer cancel()
	var out hexutil.Bytes
	if err := s.client.CallContext(ctx, &out, "eth_call", map[string]any{"to": anvil.Multicall3,
		"data": hexutil.Bytes(data)}, at); err != nil {
		return nil, err
	}
	results, err := abi.Unpack("aggregate3", out)
	if err != nil {
		return nil, err
	}
	var found []outcome
	s.must(abi.Methods["aggregate3"].Outputs.Copy(&found, results))
	values := make([]*big.Int, len(found))
	for i, f := range found {
		values[i] = new(big.Int).SetBytes(f.ReturnData)
	}
	return values, nil
}

func TestTransportFaults(t *testing.T) {
	s := newStage(t)
	for _, f := range []Fault{Refused(), Hang(), Drip(100 * time.Millisecond), CutOff(), TooMany(), Broken(), Truncated(),
		RPCError(), Empty(1)} {
		s.proxy.Set(f)
		if values, err := s.read("latest"); err == nil {
			t.Errorf("%s: read %v", f, values)
		}
		s.proxy.Set(None())
		values, err := s.read("latest")
		if err != nil || values[0].Int64() != 3000 {
			t.Errorf("after %s: read %v, %v", f, values, err)
		}
	}
}

func TestWrongID(t *testing.T) {
	s := newStage(t)
	s.proxy.Set(WrongID())
	response, err := http.Post(s.proxy.URL, "application/json",
		strings.NewReader(`{"jsonrpc":"2.0","id":7,"method":"eth_chainId"}`))
	s.must(err)
	defer response.Body.Close()
	var got reply
	s.must(json.NewDecoder(response.Body).Decode(&got))
	if string(got.ID) == "7" || string(got.Result) != `"0x7a69"` {
		t.Errorf("the reply is %s %s", got.ID, got.Result)
	}
}

func TestLies(t *testing.T) {
	s := newStage(t)
	past := new(big.Int).Lsh(big.NewInt(1), 240)
	for _, row := range []struct {
		fault Fault
		want  []string // supply, balance, decimals, chain
	}{
		{None(), []string{"3000", "3000", "18", "31337"}},
		{Digit(), []string{"3001", "3001", "18", "31337"}},
		{Decimals(6), []string{"3000", "3000", "6", "31337"}},
		{BalanceAboveTotal(), []string{"3000", past.Add(past, big.NewInt(3000)).String(), "18", "31337"}},
		{Scale(150), []string{"4500", "3000", "18", "31337"}},
		{Scale(50), []string{"1500", "3000", "18", "31337"}},
		{Times(0, Broken()), []string{"3000", "3000", "18", "31337"}},
	} {
		s.proxy.Set(row.fault)
		values, err := s.read("latest")
		s.must(err)
		for i, v := range values {
			if v.String() != row.want[i] {
				t.Errorf("%s: value %d is %s, want %s", row.fault, i, v, row.want[i])
			}
		}
	}
}

func TestBlocks(t *testing.T) {
	s := newStage(t)
	height, err := s.node.Height(t.Context())
	s.must(err)
	before := hexutil.EncodeUint64(height - 2)
	for _, row := range []struct {
		fault Fault
		at    string
		want  int64 // 0 means an error
	}{
		{None(), before, 1000},
		{TagOlder(0), before, 3000},
		{TagOlder(1), "latest", 2000},
		{Behind(height - 1), "latest", 2000},
		{Behind(height - 1), "finalized", 2000},
		{Behind(height - 1), hexutil.EncodeUint64(height), 0},
		{NoFinalized(), "finalized", 0},
		{NoFinalized(), "latest", 3000},
		{OtherChain(s.other.URL), "latest", 0},
		{OtherReads(s.other.URL), "latest", 0},
	} {
		s.proxy.Set(row.fault)
		values, err := s.read(row.at)
		switch {
		case row.want == 0 && err == nil && values[3].Int64() == 31337:
			t.Errorf("%s at %s: read %v", row.fault, row.at, values)
		case row.want != 0 && (err != nil || values[0].Int64() != row.want):
			t.Errorf("%s at %s: read %v, %v, want %d", row.fault, row.at, values, err, row.want)
		}
	}
}

// A node that stopped does not know a later block by its hash either.
func TestBehindByHash(t *testing.T) {
	s := newStage(t)
	head, err := s.node.Block(t.Context(), rpc.LatestBlockNumber)
	s.must(err)
	for stopped, known := range map[uint64]bool{uint64(head.Number) - 1: false, uint64(head.Number): true} {
		s.proxy.Set(Behind(stopped))
		var got *anvil.Block
		s.must(s.client.CallContext(t.Context(), &got, "eth_getBlockByHash", head.Hash, false))
		var height hexutil.Uint64
		s.must(s.client.CallContext(t.Context(), &height, "eth_blockNumber"))
		if (got != nil) != known || uint64(height) != stopped {
			t.Errorf("stopped at %d: height %d, knows block %d: %t", stopped, height, head.Number, got != nil)
		}
	}
}

func TestReorgBetweenPinAndRead(t *testing.T) {
	s := newStage(t)
	fork := s.node.TestCopy(t)
	s.must(s.node.Send(t.Context(), s.token, "mint", s.node.Accounts[1], big.NewInt(1)))
	s.must(fork.Mine(t.Context(), 1))
	height, err := s.node.Height(t.Context())
	s.must(err)
	at := hexutil.EncodeUint64(height)
	s.proxy.Set(Switch(fork.URL))
	var pinned, after anvil.Block
	s.must(s.client.CallContext(t.Context(), &pinned, "eth_getBlockByNumber", at, false))
	values, err := s.read(at)
	s.must(err)
	s.must(s.client.CallContext(t.Context(), &after, "eth_getBlockByNumber", at, false))
	if pinned.Hash == after.Hash || values[0].Int64() != 3000 {
		t.Errorf("block %s became %s and the supply %s", pinned.Hash, after.Hash, values[0])
	}
}

func TestCountsAndTimes(t *testing.T) {
	s := newStage(t)
	s.proxy.Set(Times(2, Broken()))
	batch := func() error {
		calls := []rpc.BatchElem{{Method: "eth_chainId", Result: new(string)},
			{Method: "eth_blockNumber", Result: new(string)}, {Method: "eth_chainId", Result: new(string)}}
		return s.client.BatchCallContext(t.Context(), calls)
	}
	s.proxy.Reset()
	for range 2 {
		if batch() == nil {
			t.Error("a broken node answered")
		}
	}
	s.must(batch())
	if got := s.proxy.Requests(); got != 3 {
		t.Errorf("counted %d requests", got)
	}
}
