package gather_test

import (
	"context"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/proof/gather"
	"petsupply/testkit/anvil"
	"petsupply/testkit/contracts"
	"petsupply/testkit/faultproxy"
)

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

const anvilChain = 31337

// call encodes a call of a compiled contract.
func call(t testing.TB, contract string, to common.Address, method string, args ...any) evm.Call {
	t.Helper()
	c := must[*contracts.Contract](t)(contracts.Load(contract))
	return evm.Call{To: to, Data: must[[]byte](t)(c.ABI.Pack(method, args...))}
}

// answered returns the calls with their answers, in the form of proofs.
func answered(calls []evm.Call, returns [][]byte) (list []proof.Call) {
	for i, c := range calls {
		p := proof.Call{To: &c.To, Data: c.Data, Return: returns[i]}
		if c.Balance {
			p = proof.Call{Balance: &c.To, Return: returns[i]}
		}
		list = append(list, p)
	}
	return list
}

// recheck checks a proof. Every call in it must hold.
func recheck(t testing.TB, c *proof.Chain) *proof.Checked {
	t.Helper()
	got := must[*proof.Checked](t)(c.Check(proof.NewBudget()))
	check(t, got.Holds())
	return got
}

func dial(t testing.TB, urls ...string) *evm.Chain {
	cfg := evm.Config{Name: "home", ID: anvilChain, Finality: "latest", Timeout: 20 * time.Second, Quorum: 1,
		MaxLag: time.Hour, Multicall: anvil.Multicall3}
	for i, u := range urls {
		cfg.Providers = append(cfg.Providers, evm.Provider{Name: string(rune('a' + i)), URL: u})
	}
	c := must[*evm.Chain](t)(evm.Dial(cfg, nil))
	t.Cleanup(c.Close)
	return c
}

// views are calls of Views with their expected results.
var views = []struct {
	name   string
	args   []any
	reason string // why it is not provable; "": it is provable
}{
	{"value", nil, ""},
	{"sum", []any{big.NewInt(30)}, ""},
	{"time", nil, ""},
	{"number", nil, ""},
	{"parent", nil, ""},
	{"chain", nil, ""},
	{"held", nil, ""},
	{"writes", nil, "changes the state"},
	{"creates", nil, "changes the state"},
	{"hashed", nil, ""},
	{"emptyOf", []any{common.HexToAddress("0x77")}, ""},
	{"coinbase", nil, ""},
	{"random", nil, ""},
	{"limit", nil, ""},
	{"own", []any{common.BytesToAddress([]byte{2})}, ""},
	{"oldBlock", nil, "the hash of block"},
	{"endless", nil, "(out of gas)"},
	{"gas", nil, "the gas that is left"},
	{"gasEnough", nil, "the gas that is left"},
	{"baseFee", nil, "BASEFEE"},
	{"baseFeeLow", nil, "BASEFEE"},
	{"blobFee", nil, "BLOBBASEFEE"},
	{"price", nil, "GASPRICE"},
	{"origin", nil, "ORIGIN"},
	{"caller", nil, "depends on its caller"},
	{"reverts", nil, "it reverts"},
	{"own", []any{common.HexToAddress("0x0200000000000000000000000000000000000001")}, "a precompile of the chain"},
	{"own", []any{common.HexToAddress("0x3fd")}, "a precompile of the chain"},
}

// Every kind of view is proven, also behind a proxy, or rejected with a reason.
func TestViewsOnANode(t *testing.T) {
	ctx := t.Context()
	node := anvil.Test(t, anvil.Options{Manual: true})
	address := must[common.Address](t)
	direct := address(node.Deploy(ctx, "Views"))
	proxy := address(node.Deploy(ctx, "Proxy", direct))
	for _, a := range []common.Address{direct, proxy} {
		check(t, node.Bind(a, "Views"))
		must[[]anvil.Receipt](t)(node.Do(ctx, anvil.Tx{To: a, Method: "fill", Args: []any{big.NewInt(30)}},
			anvil.Tx{To: a, Method: "set", Args: []any{big.NewInt(9)}}))
	}
	chain := dial(t, node.URL)
	at := must[evm.Block](t)(chain.Pin(ctx, time.Time{}))
	gatherer := gather.New(chain)
	for _, to := range []common.Address{direct, proxy} {
		var calls []evm.Call
		for _, v := range views {
			c := call(t, "Views", to, v.name, v.args...)
			c.MayRevert = true
			calls = append(calls, c)
		}
		for range 2 { // cold and warm
			proven := 0
			returns := make([][]byte, len(calls))
			for i, v := range views {
				if v.reason == "" {
					proven++
					returns[i] = must[[][]byte](t)(chain.Read(ctx, at, calls[i:i+1]))[0]
				}
			}
			c, faults := gatherer.Gather(ctx, at, answered(calls, returns), proof.MaxGas)
			for i, v := range views {
				switch err := faults[i]; {
				case v.reason == "" && err != nil:
					t.Errorf("%s: %v", v.name, err)
				case v.reason != "" &&
					(!errors.Is(err, proof.ErrNotProvable) || !strings.Contains(err.Error(), v.reason)):
					t.Errorf("%s: %v, want %q", v.name, err, v.reason)
				}
			}
			if len(c.Calls) != proven {
				t.Errorf("%d calls are proven, want %d", len(c.Calls), proven)
			}
			if checked := recheck(t, c); checked.Block != at {
				t.Errorf("block %+v, want %+v", checked.Block, at)
			}
		}
	}
}

// A countedSource counts requests for proofs, not requests on the wire, because a broken connection
// repeats some of those.
type countedSource struct {
	*evm.Chain
	rounds int
}

func (s *countedSource) Proofs(ctx context.Context, at evm.Block, q evm.ProofQuery,
	accept func(evm.ProofAnswer) error) error {
	s.rounds++
	return s.Chain.Proofs(ctx, at, q, accept)
}

// Gathering a proof takes two rounds if the calls read a slot for the first time, otherwise one.
func TestRoundsOnANode(t *testing.T) {
	ctx := t.Context()
	node := anvil.Test(t, anvil.Options{Manual: true})
	coin := must[common.Address](t)(node.Deploy(ctx, "Token", "Coin", "COIN", uint8(18), big.NewInt(0)))
	var calls []evm.Call
	var txs []anvil.Tx
	for i := range byte(10) {
		who := common.BytesToAddress([]byte{7, i, 1})
		txs = append(txs, anvil.Tx{To: coin, Method: "mint", Args: []any{who, big.NewInt(int64(i) + 1)}})
		calls = append(calls, call(t, "Token", coin, "balanceOf", who), evm.Call{To: who, Balance: true})
	}
	calls = append(calls, call(t, "Token", coin, "totalSupply"), call(t, "Token", coin, "decimals"))
	must[[]anvil.Receipt](t)(node.Do(ctx, txs...))
	chain := dial(t, node.URL)
	source := &countedSource{Chain: chain}
	gatherer := gather.New(source)
	gather := func(rounds int) {
		t.Helper()
		at := must[evm.Block](t)(chain.Pin(ctx, time.Time{}))
		returns := must[[][]byte](t)(chain.Read(ctx, at, calls))
		source.rounds = 0
		c, faults := gatherer.Gather(ctx, at, answered(calls, returns), proof.MaxGas)
		if source.rounds != rounds {
			t.Errorf("%d rounds, want %d", source.rounds, rounds)
		}
		if err := errors.Join(faults...); err != nil {
			t.Fatal(err)
		}
		recheck(t, c)
	}
	gather(2)
	must[[]anvil.Receipt](t)(node.Do(ctx, txs...))
	gather(1)
	calls = append(calls, call(t, "Token", coin, "balanceOf", common.BytesToAddress([]byte{9})))
	gather(2)
	must[[]anvil.Receipt](t)(node.Do(ctx, txs...))
	gather(1)
}

// A provider with wrong or no proofs is skipped, and the next one is asked. Alone it proves
// nothing.
func TestFaultyProvidersOnANode(t *testing.T) {
	ctx := t.Context()
	node := anvil.Test(t, anvil.Options{Manual: true})
	coin := must[common.Address](t)(node.Deploy(ctx, "Token", "Coin", "COIN", uint8(18), big.NewInt(0)))
	calls := []evm.Call{call(t, "Token", coin, "totalSupply"), {To: node.Accounts[1], Balance: true}}
	for _, fault := range []func() faultproxy.Fault{faultproxy.BadProofs, faultproxy.NoProofs, faultproxy.RPCError,
		faultproxy.Truncated} {
		t.Run(fault().Name, func(t *testing.T) {
			proxies := []*faultproxy.Proxy{faultproxy.Test(t, node.URL), faultproxy.Test(t, node.URL)}
			pair, alone := dial(t, proxies[0].URL, proxies[1].URL), dial(t, proxies[0].URL)
			reader := dial(t, node.URL)
			at := must[evm.Block](t)(reader.Pin(ctx, time.Time{}))
			returns := must[[][]byte](t)(reader.Read(ctx, at, calls))
			asked := 0
			for i, p := range proxies {
				p.Set(fault())
				p.Reset()
				c, faults := gather.New(pair).Gather(ctx, at, answered(calls, returns), proof.MaxGas)
				check(t, errors.Join(faults...))
				recheck(t, c)
				asked += p.Requests()
				if i == 0 {
					c, faults := gather.New(alone).Gather(ctx, at, answered(calls, returns), proof.MaxGas)
					if c != nil {
						t.Error("proven by a faulty provider alone")
					}
					t.Log(errors.Join(faults...))
				}
				p.Set(faultproxy.None())
			}
			if asked == 0 {
				t.Error("the faulty provider was never asked")
			}
			for _, h := range pair.Health() {
				if h.State != "ok" {
					t.Errorf("provider %s is %s: proofs must not disturb reading", h.Name, h.State)
				}
			}
		})
	}
}
