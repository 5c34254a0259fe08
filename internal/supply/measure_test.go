package supply

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

func wantFigures(t *testing.T, s *Snapshot, total, circulating, burned, locked, reserved string) {
	t.Helper()
	for _, c := range []struct{ name, got, want string }{
		{"total", s.Total.String(), total}, {"circulating", s.Circulating.String(), circulating},
		{"burned", s.Burned.String(), burned}, {"locked", s.Locked.String(), locked},
		{"reserved", s.Reserved.String(), reserved},
	} {
		if c.got != c.want {
			t.Errorf("%s is %s, want %s", c.name, c.got, c.want)
		}
	}
}

func TestTotalIsCountedIssueMinusBurnedAndCirculatingIsTotalMinusLockedAndReserved(t *testing.T) {
	token, w := gem(t)
	s := measured(t, token, map[string]Chain{"first": w}, day)
	wantFigures(t, s, "900", "650", "100", "200", "50")
	if !s.AsOf.Equal(day) || len(s.Blocks) != 1 || s.Blocks[0].Number != 100 || s.Blocks[0].ChainID != 1 ||
		s.Blocks[0].Chain != "first" {
		t.Errorf("as of %s at %+v", s.AsOf, s.Blocks)
	}
}

func TestEntrySources(t *testing.T) {
	holder := addr("holder")
	word := strings.Repeat("0", 24) + strings.ToLower(holder[2:])
	for name, c := range map[string]struct {
		entry   ledger.Entry
		data    string
		balance bool
	}{
		"erc20 reads totalSupply":    {ledger.Entry{ERC20: addr("x")}, "18160ddd", false},
		"erc20 and holder balanceOf": {ledger.Entry{ERC20: addr("x"), Holder: holder}, "70a08231" + word, false},
		"native reads the gas token": {ledger.Entry{Native: addr("x")}, "", true},
		"call without args":          {ledger.Entry{Call: "totalLock()", To: addr("x")}, "3a1aae35", false},
		"call with an address": {ledger.Entry{Call: "lockOf(address)", To: addr("x"), Args: []string{holder}},
			"5a46d3b5" + word, false},
		"call with uint for uint256": {ledger.Entry{Call: "f(uint)", To: addr("x"), Args: []string{"1"}},
			"b3de648b" + strings.Repeat("0", 63) + "1", false},
		"call with a number in hex": {ledger.Entry{Call: "f(uint256)", To: addr("x"), Args: []string{"0x1"}},
			"b3de648b" + strings.Repeat("0", 63) + "1", false},
		"call with several args": {ledger.Entry{Call: "transfer(address,uint256)", To: addr("x"),
			Args: []string{holder, "255"}},
			"a9059cbb" + word + strings.Repeat("0", 62) + "ff", false},
	} {
		t.Run(name, func(t *testing.T) {
			call, ok, err := c.entry.ChainCall()
			if err != nil || !ok {
				t.Fatalf("the entry has no call: %v, %v", ok, err)
			}
			if hex.EncodeToString(call.Data) != c.data || call.Balance != c.balance || call.To.Hex() != addr("x") {
				t.Errorf("asks %s for %x (balance: %v), want %s", call.To, call.Data, call.Balance, c.data)
			}
		})
	}
	one := ledger.Whole(1, 0)
	if _, ok, err := (ledger.Entry{Amount: &one}).ChainCall(); ok || err != nil {
		t.Errorf("a declared amount asks a chain: %v, %v", ok, err)
	}
}

func TestDeclaredAmountNeedsNoChain(t *testing.T) {
	thousand := ledger.Whole(1000, 0)
	token := ledger.Token{Path: "a", Symbol: "A", Name: "A", Decimals: 18,
		Ledger: []ledger.Entry{{Label: "Declared", Bucket: ledger.Issued, Amount: &thousand}}}
	s := measured(t, token, nil, day)
	wantFigures(t, s, "1000", "1000", "0", "0", "0")
	if len(s.Blocks) != 0 {
		t.Errorf("it has blocks: %v", s.Blocks)
	}
}

func TestERC20IsScaledByItsContractsOwnDecimals(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSum) // remote has 6 decimals
	s := measured(t, token, map[string]Chain{"first": first, "second": second}, day)
	wantFigures(t, s, "1290", "1290", "0", "0", "0")
	if d := s.Evidence.Entries[1].Decimals; d != 6 {
		t.Errorf("evidence says %d decimals, want 6", d)
	}
}

func TestDecimalsAreReadInTheSameCallOncePerContract(t *testing.T) {
	token, w := gem(t)
	measured(t, token, map[string]Chain{"first": w}, day)
	if len(w.read) != 1 {
		t.Fatalf("%d reads, want 1", len(w.read))
	}
	n := 0
	for _, c := range w.read[0] {
		if hex.EncodeToString(c.Data) == "313ce567" {
			n++
		}
	}
	if n != 1 || len(w.read[0]) != 5 {
		t.Errorf("decimals() asked %d times in %d calls, want once in 5", n, len(w.read[0]))
	}
}

func TestCallDecimalsDefaultToTheTokens(t *testing.T) {
	token, w := gem(t)
	six := 6
	token.Ledger[2].Decimals = &six
	w.set(t, token.Ledger[2], "200", 6)
	s := measured(t, token, map[string]Chain{"first": w}, day)
	wantFigures(t, s, "900", "650", "100", "200", "50")
}

func TestBridgeCountSourceCountsTheSourceOnly(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSource)
	s := measured(t, token, map[string]Chain{"first": first, "second": second}, day)
	wantFigures(t, s, "1000", "1000", "0", "0", "0")
	for i, counted := range []bool{true, false, false} {
		if s.Evidence.Entries[i].Counted != counted {
			t.Errorf("%s: counted %v", s.Evidence.Entries[i].Entry.Label, !counted)
		}
	}
	if got := s.Evidence.Entries[2].Amount.String(); got != "300" {
		t.Errorf("escrow is shown as %s, want 300", got)
	}
}

func TestBridgeCountSumCountsEachSide(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSum)
	s := measured(t, token, map[string]Chain{"first": first, "second": second}, day)
	wantFigures(t, s, "1290", "1290", "0", "0", "0")
}

func TestRemoteSupplyAboveEscrowPlusSlackRejects(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSource)
	chains := map[string]Chain{"first": first, "second": second}
	second.set(t, token.Ledger[1], "305", 6) // escrow 300, slack 5
	measured(t, token, chains, day)
	second.set(t, token.Ledger[1], "305.000001", 6)
	if err := refused(t, token, chains); !errors.Is(err, ErrRejected) || !strings.Contains(err.Error(), "portal") {
		t.Errorf("the error is %v", err)
	}
}

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
		"0x": {}, "reverted": nil, "31 bytes": make([]byte, 31), "33 bytes": make([]byte, 33), "64 bytes": make([]byte, 64),
	} {
		t.Run(name, func(t *testing.T) {
			for i, label := range []string{"Minted", "Dead", "Vesting", "Treasury"} {
				token, w := gem(t)
				call, _, _ := token.Ledger[i].ChainCall()
				w.raw(call, answer)
				if err := refused(t, token, map[string]Chain{"first": w}); !strings.Contains(err.Error(), `"`+label+`"`) {
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

func TestMeasurementIsAllOrNothing(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSource)
	alone, _ := gem(t)
	for i, e := range alone.Ledger {
		first.set(t, e, []string{"1000", "100", "200", "50"}[i], 18)
	}
	chains := map[string]Chain{"first": first, "second": second}
	for name, breakIt := range map[string]func(){
		"a chain cannot be pinned": func() { second.fail = errTest },
		"a chain cannot be read":   func() { second.fail, second.ends = nil, errTest },
		"a chain is not there":     func() { delete(chains, "second") },
	} {
		t.Run(name, func(t *testing.T) {
			breakIt()
			results := Measure(context.Background(), []ledger.Token{token, alone}, chains, day)
			if results[0].Err == nil || results[0].Snapshot != nil {
				t.Errorf("coin was measured without its second chain: %+v", results[0].Snapshot)
			}
			if results[1].Err != nil {
				t.Errorf("gem, which needs the first chain alone: %v", results[1].Err)
			}
			chains["second"] = second
		})
	}
}

func TestAnEntryThatCannotBeAskedFailsItsTokenOnly(t *testing.T) {
	token, w := gem(t)
	broken := token
	broken.Path, broken.Ledger = "broken", slices.Clone(token.Ledger)
	broken.Ledger[2].Call = "totalLock("
	results := Measure(t.Context(), []ledger.Token{token, broken}, map[string]Chain{"first": w}, day)
	if results[0].Err != nil || results[1].Err == nil {
		t.Errorf("gem: %v; with a call that is none: %v", results[0].Err, results[1].Err)
	}
}

func TestOneTokensRevertDoesNotRejectAnother(t *testing.T) {
	token, w := gem(t)
	other := token
	other.Path = "other"
	other.Ledger = append([]ledger.Entry{{Label: "Gone", Bucket: ledger.Locked, Chain: "first", Call: "gone()",
		To: addr("gone")}}, token.Ledger...)
	results := Measure(context.Background(), []ledger.Token{other, token}, map[string]Chain{"first": w}, day)
	if !errors.Is(results[0].Err, evm.ErrReverted) || results[1].Err != nil {
		t.Errorf("other: %v, gem: %v; want a revert and no error", results[0].Err, results[1].Err)
	}
	if len(w.read) != 1 {
		t.Errorf("%d reads for two tokens, want 1", len(w.read))
	}
}

func TestRefreshCostsOnePinAndOneReadPerChain(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSource)
	var tokens []ledger.Token
	for i := range 20 {
		c := token
		c.Path = token.Path + string(rune('a'+i))
		tokens = append(tokens, c)
	}
	for _, r := range Measure(context.Background(), tokens, map[string]Chain{"first": first, "second": second}, day) {
		if r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	for _, w := range []*world{first, second} {
		if len(w.pins) != 1 || len(w.read) != 1 {
			t.Errorf("chain %d: %d pins and %d reads for 20 tokens, want 1 and 1", w.id, len(w.pins), len(w.read))
		}
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

// TestDustBreaksNoBridge: escrow on several addresses is compared with the remote supply before
// rounding.
func TestDustBreaksNoBridge(t *testing.T) {
	token, first, second := bridged(t, ledger.CountSource)
	token.Decimals, token.Bridges = 0, map[string]ledger.Bridge{"portal": {Count: ledger.CountSource}}
	other := token.Ledger[2]
	other.Label, other.Holder = "Escrow 2", addr("portal 2")
	token.Ledger = append(token.Ledger, other)
	first.set(t, token.Ledger[2], "289.5", 18)
	first.set(t, other, "0.5", 18)
	s := measured(t, token, map[string]Chain{"first": first, "second": second}, day)
	if s.Total.String() != "1000" {
		t.Errorf("total %s", s.Total)
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
				Token: addr("shares"), Holder: addr("treasury"), Of: ledger.Source{ERC20: addr("gem"), Holder: addr("shares")}}}
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
