package supply

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

func TestFigureOutOfBoundsRejects(t *testing.T) {
	most := ledger.Whole(950, 18)
	for name, c := range map[string]struct {
		entry int
		whole string
		max   *ledger.Amount
	}{
		"circulating 0":               {2, "850", nil},
		"circulating below 0":         {2, "850.000000000000000001", nil},
		"total 0":                     {1, "1000", nil},
		"total below 0":               {1, "1001", nil},
		"a balance above the total":   {3, "5000", nil},
		"total above the maximum":     {1, "49.999999999999999999", &most},
		"nothing issued":              {0, "0", nil},
		"a balance far above 2^255-1": {3, "57896044618658097711785492504343953926634992332820282019729", nil},
	} {
		t.Run(name, func(t *testing.T) {
			token, w := gem(t)
			token.MaxSupply = c.max
			w.set(t, token.Ledger[c.entry], c.whole, 18)
			if err := refused(t, token, map[string]Chain{"first": w}); !errors.Is(err, ErrRejected) {
				t.Errorf("the error is %v", err)
			}
		})
	}
	token, w := gem(t)
	token.MaxSupply = &most
	w.set(t, token.Ledger[1], "50", 18)
	measured(t, token, map[string]Chain{"first": w}, day) // total = maximum
}

func TestReturnThatIsNotExactly32BytesIsAnErrorNeverZero(t *testing.T) {
	for name, answer := range map[string][]byte{
		"0x": {}, "reverted": nil, "31 bytes": make([]byte, 31), "33 bytes": make([]byte, 33),
		"64 bytes": make([]byte, 64),
	} {
		t.Run(name, func(t *testing.T) {
			for i, label := range []string{"Minted", "Dead", "Vesting", "Treasury"} {
				token, w := gem(t)
				call, _, _ := token.Ledger[i].ChainCall()
				w.raw(call, answer)
				err := refused(t, token, map[string]Chain{"first": w})
				if !strings.Contains(err.Error(), `"`+label+`"`) {
					t.Errorf("%s: the error does not name the entry: %v", label, err)
				}
			}
			token, w := gem(t)
			call, _, _ := token.Ledger[0].ChainCall()
			w.raw(ledger.DecimalsCall(call.To), answer)
			if err := refused(t, token, map[string]Chain{"first": w}); !strings.Contains(err.Error(), "decimals()") {
				t.Errorf("decimals: %v", err)
			}
		})
	}
	token, w := gem(t)
	call, _, _ := token.Ledger[0].ChainCall()
	w.raw(ledger.DecimalsCall(call.To), word(big.NewInt(78)))
	if err := refused(t, token, map[string]Chain{"first": w}); !strings.Contains(err.Error(), "78") {
		t.Errorf("78 decimals: %v", err)
	}
}

// TestDustStopsNoFigure: a fraction of the smallest unit sent to a counted address changes no
// figure, and the evidence has the exact return.
func TestDustStopsNoFigure(t *testing.T) {
	for _, dust := range []int64{0, 1, 999_999_999_999} {
		t.Run(fmt.Sprint(dust), func(t *testing.T) {
			token, w := gem(t)
			token.Decimals = 6
			chains := map[string]Chain{"first": w}
			for i, whole := range []int64{1000, 100, 200, 50} {
				call, _, err := token.Ledger[i].ChainCall()
				if err != nil {
					t.Fatal(err)
				}
				units := ledger.Whole(whole, 18).Units
				w.raw(call, word(units.Add(units, big.NewInt(dust))))
			}
			// The contracts have 18 decimals. A call has the token's decimals by default.
			eighteen := 18
			token.Ledger[2].Decimals = &eighteen
			s := measured(t, token, chains, day)
			if s.Total.String() != "900" || s.Circulating.String() != "650" || s.Burned.String() != "100" {
				t.Errorf("total %s, circulating %s, burned %s", s.Total, s.Circulating, s.Burned)
			}
			if got := new(big.Int).SetBytes(s.Evidence.Entries[1].Return); got.Sub(got,
				ledger.Whole(100, 18).Units).Int64() != dust {
				t.Errorf("the evidence has 100 and %s", got)
			}
			if v := Verify(t.Context(), s.Evidence, Against{Nodes: map[uint64]ChainReader{1: w}}); !v.OK() {
				t.Errorf("the evidence is not accepted: %+v", v)
			}
		})
	}
}

// TestAShareOfAPool: a holder's share of a source is rounded down, read at one block, and verified
// with nodes and without.
func TestAShareOfAPool(t *testing.T) {
	for _, test := range []struct{ of, shares, total, want string }{
		{"300", "1", "3", "100"},
		{"100", "1", "3", "33.333333333333333333"},
		{"100", "2", "3", "66.666666666666666666"},
		{"100", "0", "3", "0"},
		{"100", "0", "0", "0"},
		{"100", "3", "3", "100"},
	} {
		t.Run(test.of+" × "+test.shares+" / "+test.total, func(t *testing.T) {
			token, w := gem(t)
			pool := ledger.Entry{Label: "Pool", Bucket: ledger.Reserved, Chain: "first", Share: &ledger.Share{
				Token: addr("shares"), Holder: addr("treasury"),
				Of: ledger.Source{ERC20: addr("gem"), Holder: addr("shares")}}}
			token.Ledger = append(token.Ledger, pool)
			if faults := token.Validate([]string{"first"}); len(faults) > 0 {
				t.Fatalf("the token is not valid: %v", faults)
			}
			w.set(t, pool, test.of, 18)
			shares, total, err := pool.ShareCalls()
			if err != nil {
				t.Fatal(err)
			}
			for call, text := range map[*evm.Call]string{&shares: test.shares, &total: test.total} {
				n, _ := new(big.Int).SetString(text, 10)
				w.raw(*call, word(n))
			}
			s := measured(t, token, map[string]Chain{"first": w}, day)
			x := s.Evidence.Entries[4]
			if x.Amount.String() != test.want || x.Formula != shareFormula || len(w.read) != 1 {
				t.Errorf("%s by %q in %d reads, want %s", x.Amount, x.Formula, len(w.read), test.want)
			}
			text, err := json.Marshal(s.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			ev, err := ParseEvidence(bytes.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			nodes := Against{Nodes: map[uint64]ChainReader{1: w}}
			for _, with := range []Against{{}, nodes} {
				if v := Verify(t.Context(), ev, with); !v.OK() {
					t.Errorf("the evidence is not accepted: %+v", v)
				}
			}
			ev.Entries[4].SharesTotalReturn = word(big.NewInt(7))
			if Verify(t.Context(), ev, nodes).OK() {
				t.Error("another number of shares is verified")
			}
		})
	}
}

// TestFigures: total is the counted issue less burned, circulating is total less locked and
// reserved. The last number is how many entries are counted.
func TestFigures(t *testing.T) {
	whole, w := gem(t)
	six := 6
	scaled, v := gem(t)
	scaled.Ledger[2].Decimals = &six
	v.set(t, scaled.Ledger[2], "200", 6)
	thousand := ledger.Whole(1000, 0)
	declared := ledger.Token{Path: "a", Symbol: "A", Name: "A", Decimals: 18,
		Ledger: []ledger.Entry{{Label: "Declared", Bucket: ledger.Issued, Amount: &thousand}}}
	source, first, second := bridged(t, ledger.CountSource) // the remote side has 6 decimals
	sum, third, fourth := bridged(t, ledger.CountSum)
	for name, c := range map[string]struct {
		token  ledger.Token
		chains map[string]Chain
		want   string
	}{
		"one chain":         {whole, map[string]Chain{"first": w}, "[900 650 100 200 50] 4"},
		"a call's decimals": {scaled, map[string]Chain{"first": v}, "[900 650 100 200 50] 4"},
		"a declared amount": {declared, nil, "[1000 1000 0 0 0] 1"},
		"count: source":     {source, map[string]Chain{"first": first, "second": second}, "[1000 1000 0 0 0] 1"},
		"count: sum":        {sum, map[string]Chain{"first": third, "second": fourth}, "[1290 1290 0 0 0] 2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := measured(t, c.token, c.chains, day)
			counted := 0
			for _, x := range s.Evidence.Entries {
				if x.Counted {
					counted++
				}
			}
			if got := fmt.Sprint(s.amounts(), " ", counted); got != c.want || len(s.Blocks) != len(c.chains) {
				t.Errorf("%s at %d blocks, want %s", got, len(s.Blocks), c.want)
			}
		})
	}
}

// TestOneRoundOfMeasuring: all tokens cost one pin and one read of each chain, in which each call is
// made once. A token that fails does not affect the others.
func TestOneRoundOfMeasuring(t *testing.T) {
	for name, c := range map[string]struct {
		broken func(coin *ledger.Token, second *world, chains map[string]Chain)
		reads  int // of the first chain
		want   error
	}{
		"nothing fails": {func(*ledger.Token, *world, map[string]Chain) {}, 1, nil},
		"a chain cannot be pinned": {func(_ *ledger.Token, second *world, _ map[string]Chain) { second.fail = errTest },
			1, errTest},
		"a chain cannot be read": {func(_ *ledger.Token, second *world, _ map[string]Chain) { second.ends = errTest },
			1, errTest},
		"a chain is not there": {func(_ *ledger.Token, _ *world, chains map[string]Chain) { delete(chains, "second") },
			1, nil},
		"a call reverts": {func(coin *ledger.Token, _ *world, _ map[string]Chain) {
			coin.Ledger = append(coin.Ledger, ledger.Entry{Label: "Gone", Bucket: ledger.Locked, Chain: "first",
				Call: "gone()", To: addr("gone")})
		}, 1, evm.ErrReverted},
		"a call is none": {func(coin *ledger.Token, _ *world, _ map[string]Chain) {
			coin.Ledger = append(coin.Ledger, ledger.Entry{Label: "None", Bucket: ledger.Locked, Chain: "first",
				Call: "none(", To: addr("none")})
		}, 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			coin, first, second := bridged(t, ledger.CountSource)
			alone, w := gem(t)
			for call, answer := range w.says {
				first.says[call] = answer
			}
			other := alone
			other.Path = "other"
			chains := map[string]Chain{"first": first, "second": second}
			c.broken(&coin, second, chains)
			results := Measure(t.Context(), []ledger.Token{coin, alone, other}, chains, day)
			if results[1].Err != nil || results[2].Err != nil {
				t.Errorf("the tokens of the first chain: %v, %v", results[1].Err, results[2].Err)
			}
			if fails := results[0].Err != nil; fails == (name == "nothing fails") || fails &&
				results[0].Snapshot != nil {
				t.Errorf("the token of both chains: %v", results[0].Err)
			}
			if c.want != nil && !errors.Is(results[0].Err, c.want) {
				t.Errorf("the error is %v, want %v", results[0].Err, c.want)
			}
			if len(first.pins) != 1 || len(first.read) != c.reads {
				t.Errorf("%d pins and %d reads of the first chain", len(first.pins), len(first.read))
			}
			seen := map[string]bool{}
			for _, call := range first.read[0] {
				if seen[callKey(call)] {
					t.Errorf("%x is asked twice", call.Data)
				}
				seen[callKey(call)] = true
			}
		})
	}
}

// A quiet chain made the block before its head an hour earlier.
type quiet struct{ *world }

func (q quiet) Pin(ctx context.Context, limit time.Time) (evm.Block, error) {
	b, err := q.world.Pin(ctx, limit)
	if !limit.IsZero() {
		b.Time = b.Time.Add(-time.Hour)
	}
	return b, err
}

// TestABlockThatTooFewProvidersCanRead: within the same round, the chain is read at an earlier block.
// Chains that a bridge joins with it are then read as of the same moment. A token without the chain
// keeps its figures.
func TestABlockThatTooFewProvidersCanRead(t *testing.T) {
	back := func(seconds int) time.Time { return day.Add(-time.Duration(seconds) * time.Second) }
	for name, c := range map[string]struct {
		bridged, onDemand bool
		last              uint64 // block of the first chain that enough providers can read
		asOf              time.Time
		want              error
	}{
		"the newest":                     {false, false, 99, back(1), nil},
		"the newest two":                 {false, false, 98, time.Time{}, evm.ErrUnavailable}, // tried once more only
		"of a chain with quiet hours":    {false, true, 99, back(1), nil},
		"of a chain that a bridge joins": {true, false, 99, back(1), nil},
	} {
		t.Run(name, func(t *testing.T) {
			token, first := gem(t)
			chains := map[string]Chain{"first": first, "second": newWorld(2, 5000, day)}
			if c.bridged {
				var second *world
				token, first, second = bridged(t, ledger.CountSource)
				chains = map[string]Chain{"first": first, "second": second}
			}
			first.last = c.last
			if c.onDemand {
				first.onDemand = true
				chains["first"] = quiet{first}
			}
			other := ledger.Token{Path: "other", Symbol: "O", Name: "O", Decimals: 18, Ledger: []ledger.Entry{
				{Label: "Minted", Bucket: ledger.Issued, Chain: "second", ERC20: addr("other")}}}
			chains["second"].(*world).set(t, other.Ledger[0], "1", 18)
			results := Measure(t.Context(), []ledger.Token{token, other}, chains, day.Add(time.Minute))
			if s := results[1].Snapshot; s == nil || !s.AsOf.Equal(day) {
				t.Errorf("the token of the other chain: %+v", results[1])
			}
			if !errors.Is(results[0].Err, c.want) || len(first.read) != 2 {
				t.Fatalf("after %d reads the error is %v, want %v", len(first.read), results[0].Err, c.want)
			}
			elsewhere := func(b Block) bool { return !b.Time.Equal(c.asOf) && !b.OnDemand }
			if s := results[0].Snapshot; c.want == nil &&
				(!s.AsOf.Equal(c.asOf) || slices.ContainsFunc(s.Blocks, elsewhere)) {
				t.Errorf("as of %s at %+v, want %s", s.AsOf, s.Blocks, c.asOf)
			}
		})
	}
}

// TestEscrow: a lock-and-mint bridge may have minted its escrow plus its slack. Amounts on several
// addresses are added before they are rounded.
func TestEscrow(t *testing.T) {
	for remote, fails := range map[string]bool{"305": false, "305.000001": true} {
		token, first, second := bridged(t, ledger.CountSource) // escrow 300, slack 5
		second.set(t, token.Ledger[1], remote, 6)
		chains := map[string]Chain{"first": first, "second": second}
		r := Measure(t.Context(), []ledger.Token{token}, chains, day)[0]
		if errors.Is(r.Err, ErrRejected) != fails || fails && !strings.Contains(r.Err.Error(), "portal") {
			t.Errorf("%s: %v", remote, r.Err)
		}
	}
	token, first, second := bridged(t, ledger.CountSource)
	token.Decimals, token.Bridges = 0, map[string]ledger.Bridge{"portal": {Count: ledger.CountSource}}
	other := token.Ledger[2]
	other.Label, other.Holder = "Escrow 2", addr("portal 2")
	token.Ledger = append(token.Ledger, other)
	first.set(t, token.Ledger[2], "289.5", 18)
	first.set(t, other, "0.5", 18)
	measured(t, token, map[string]Chain{"first": first, "second": second}, day)
}
