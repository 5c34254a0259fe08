package supply_test

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
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

// units returns n whole tokens in the smallest unit.
func units(n int64, decimals int) *big.Int { return ledger.Whole(n, decimals).Units }

// dial opens a chain whose providers are the given nodes. The nodes make blocks only on request.
func dial(t testing.TB, name string, id uint64, finality string, urls ...string) *evm.Chain {
	t.Helper()
	cfg := evm.Config{Name: name, ID: id, Finality: finality, Timeout: 20 * time.Second, Quorum: len(urls),
		MaxLag: 10 * time.Minute, Multicall: anvil.Multicall3, OnDemand: finality == "latest"}
	for i, u := range urls {
		cfg.Providers = append(cfg.Providers, evm.Provider{Name: fmt.Sprint("rpc", i+1), URL: u})
	}
	c := must[*evm.Chain](t)(evm.Dial(cfg, nil))
	t.Cleanup(c.Close)
	return c
}

// An isle is a token on two real chains: home with 18 decimals, away with 6. It has a lock-and-mint
// bridge, locks, a vesting contract and a furnace.
type isle struct {
	home, away  *anvil.Node
	coin, there common.Address
	token       ledger.Token
	chains      map[string]supply.Chain
}

var dead = common.HexToAddress("0x000000000000000000000000000000000000dEaD")

func newIsle(t testing.TB) *isle {
	t.Helper()
	ctx := t.Context()
	genesis := time.Now().Add(-time.Minute) // early enough that no block is in the future, at one block per second
	x := &isle{home: anvil.Test(t, anvil.Options{Chain: 101, Manual: true, Genesis: genesis}),
		away: anvil.Test(t, anvil.Options{Chain: 102, Manual: true, Genesis: genesis})}
	address := must[common.Address](t)
	x.coin = address(x.home.Deploy(ctx, "Token", "Coin", "COIN", uint8(18), units(5000, 18)))
	x.there = address(x.away.Deploy(ctx, "Token", "Coin", "COIN", uint8(6), units(5000, 6)))
	portal := address(x.home.Deploy(ctx, "Portal", x.coin, true))
	far := address(x.away.Deploy(ctx, "Portal", x.there, false))
	vesting := address(x.home.Deploy(ctx, "Vesting", x.coin, x.home.Accounts[3], big.NewInt(1<<40), big.NewInt(1000)))
	furnace := address(x.home.Deploy(ctx, "Furnace"))
	me := x.home.Accounts[0]
	must[[]anvil.Receipt](t)(x.home.Do(ctx,
		anvil.Tx{To: x.coin, Method: "mint", Args: []any{me, units(1000, 18)}},
		anvil.Tx{To: x.coin, Method: "transfer", Args: []any{dead, units(100, 18)}},
		anvil.Tx{To: x.coin, Method: "lock", Args: []any{x.home.Accounts[2], units(150, 18), big.NewInt(1 << 40)}},
		anvil.Tx{To: x.coin, Method: "approve", Args: []any{vesting, units(50, 18)}},
		anvil.Tx{To: vesting, Method: "fund", Args: []any{units(50, 18)}},
		anvil.Tx{To: x.coin, Method: "approve", Args: []any{portal, units(300, 18)}},
		anvil.Tx{To: portal, Method: "send", Args: []any{me, units(300, 18)}},
		anvil.Tx{To: furnace, Value: units(7, 18)},
	))
	must[[]anvil.Receipt](t)(x.away.Do(ctx,
		anvil.Tx{To: x.there, Method: "setMinter", Args: []any{far, true}},
		anvil.Tx{To: far, Method: "deliver", Args: []any{big.NewInt(0), me, units(290, 6)}}, // 10 are still in flight
	))
	slack := ledger.Whole(5, 18)
	maximum := ledger.Whole(5000, 18)
	x.token = ledger.Token{Path: "coin", Symbol: "COIN", Name: "Coin", Decimals: 18, MaxSupply: &maximum,
		Bridges: map[string]ledger.Bridge{"portal": {Count: ledger.CountSource, Slack: &slack}},
		Ledger: []ledger.Entry{
			{Label: "Minted", Bucket: ledger.Issued, Chain: "home", ERC20: x.coin.Hex()},
			{Label: "Escrow", Bucket: ledger.Escrowed, Bridge: "portal", Chain: "home", ERC20: x.coin.Hex(),
				Holder: portal.Hex()},
			{Label: "Away", Bucket: ledger.Issued, Bridge: "portal", Chain: "away", ERC20: x.there.Hex()},
			{Label: "Dead", Bucket: ledger.Burned, Chain: "home", ERC20: x.coin.Hex(), Holder: dead.Hex()},
			{Label: "Fees", Bucket: ledger.Burned, Chain: "home", Call: "totalBurn()", To: furnace.Hex()},
			{Label: "Time locks", Bucket: ledger.Locked, Chain: "home", Call: "lockOf(address)", To: x.coin.Hex(),
				Args: []string{x.home.Accounts[2].Hex()}},
			{Label: "Vesting", Bucket: ledger.Locked, Chain: "home", Call: "reservedToken()", To: vesting.Hex()},
			{Label: "Furnace", Bucket: ledger.Reserved, Chain: "home", Native: furnace.Hex()},
		}}
	if faults := x.token.Validate([]string{"home", "away"}); len(faults) > 0 {
		t.Fatalf("the token is not valid: %v", faults)
	}
	x.chains = map[string]supply.Chain{"home": dial(t, "home", 101, "latest", x.home.URL),
		"away": dial(t, "away", 102, "latest", x.away.URL)}
	return x
}

func (x *isle) measure(t testing.TB) *supply.Snapshot {
	t.Helper()
	r := supply.Measure(t.Context(), []ledger.Token{x.token}, x.chains, time.Now())[0]
	check(t, r.Err)
	return r.Snapshot
}

func TestMeasuredOnRealChains(t *testing.T) {
	x := newIsle(t)
	s := x.measure(t)
	want := "total 893 circulating 686 burned 107 locked 200 reserved 7"
	got := fmt.Sprintf("total %s circulating %s burned %s locked %s reserved %s", s.Total, s.Circulating, s.Burned,
		s.Locked, s.Reserved)
	if got != want {
		t.Errorf("measured %s, want %s", got, want)
	}
	for _, e := range s.Evidence.Entries {
		if e.Entry.Label == "Away" && (e.Amount.String() != "290" || e.Decimals != 6 || e.Counted) {
			t.Errorf("the far side is %s with %d decimals, counted: %v", e.Amount, e.Decimals, e.Counted)
		}
	}
	height := must[uint64](t)(x.home.Height(t.Context()))
	for _, b := range s.Blocks {
		if b.Chain == "home" && b.Number != height {
			t.Errorf("home was read at %d, want %d", b.Number, height)
		}
	}
	check(t, x.away.Send(t.Context(), x.there, "mint", x.away.Accounts[1], units(16, 6))) // 306 > 300 + 5
	r := supply.Measure(t.Context(), []ledger.Token{x.token}, x.chains, time.Now())[0]
	if !errors.Is(r.Err, supply.ErrRejected) || !strings.Contains(r.Err.Error(), "portal") {
		t.Errorf("a bridge that minted more than it holds: %v", r.Err)
	}
}
