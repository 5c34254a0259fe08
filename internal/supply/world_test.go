package supply

import (
	"context"
	"encoding/binary"
	"errors"
	"math/big"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

// A world is a chain in memory. A test sets its answers.
type world struct {
	id   uint64
	mu   sync.Mutex
	head evm.Block
	says map[string][]byte
	pins []time.Time   // the limit of each Pin
	read [][]evm.Call  // the calls of each Read
	fail error         // error of Pin
	ends error         // error of Read
	last uint64        // Read fails for want of providers above this number, unless it is 0
	hang chan struct{} // Pin waits until it is closed

	onDemand bool
}

func newWorld(id uint64, number uint64, at time.Time) *world {
	w := &world{id: id, says: map[string][]byte{}}
	w.head = w.block(number, at)
	return w
}

// block invents the block with that number.
func (w *world) block(number uint64, at time.Time) evm.Block {
	name := func(n uint64) common.Hash {
		return crypto.Keccak256Hash(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, w.id), n))
	}
	return evm.Block{Number: number, Hash: name(number), Parent: name(number - 1), Time: at.UTC().Truncate(time.Second)}
}

func (w *world) ID() uint64     { return w.id }
func (w *world) OnDemand() bool { return w.onDemand }

// advance mines blocks, one each second.
func (w *world) advance(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.head = w.block(w.head.Number+uint64(n), w.head.Time.Add(time.Duration(n)*time.Second))
}

func (w *world) Pin(_ context.Context, limit time.Time) (evm.Block, error) {
	if w.hang != nil {
		<-w.hang
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.pins = append(w.pins, limit)
	if w.fail != nil {
		return evm.Block{}, w.fail
	}
	if limit.IsZero() || !w.head.Time.After(limit) {
		return w.head, nil
	}
	back := uint64((w.head.Time.Sub(limit) + time.Second - 1) / time.Second)
	return w.block(w.head.Number-back, w.head.Time.Add(-time.Duration(back)*time.Second)), nil
}

func (w *world) Block(_ context.Context, number uint64) (evm.Block, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if number > w.head.Number {
		return evm.Block{}, evm.ErrAbsent
	}
	return w.block(number, w.head.Time.Add(-time.Duration(w.head.Number-number)*time.Second)), nil
}

func (w *world) Read(_ context.Context, at evm.Block, calls []evm.Call) ([][]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.read = append(w.read, calls)
	if w.last > 0 && at.Number > w.last {
		return nil, evm.ErrUnavailable
	}
	if w.ends != nil {
		return nil, w.ends
	}
	out := make([][]byte, len(calls))
	for i, c := range calls {
		answer, ok := w.says[callKey(c)]
		switch {
		case ok:
			out[i] = answer
		case !c.MayRevert:
			return nil, evm.ErrReverted
		}
	}
	return out, nil
}

// word returns n as a node returns it.
func word(n *big.Int) []byte { return common.LeftPadBytes(n.Bytes(), 32) }

// set makes the entry amount to that many whole tokens at those decimals.
func (w *world) set(t testing.TB, e ledger.Entry, whole string, decimals int) {
	t.Helper()
	call, ok, err := e.ChainCall()
	if err != nil || !ok {
		t.Fatalf("entry %q has no call: %v", e.Label, err)
	}
	a, err := ledger.ParseAmount(whole)
	if err == nil {
		a, err = a.Rescale(decimals)
	}
	if err != nil {
		t.Fatal(err)
	}
	w.raw(call, word(a.Units))
	if e.Whole().ERC20 != "" {
		w.raw(ledger.DecimalsCall(call.To), word(big.NewInt(int64(decimals))))
	}
}

func (w *world) raw(c evm.Call, answer []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.says[callKey(c)] = answer
}

// addr invents an address.
func addr(name string) string {
	return common.BytesToAddress(crypto.Keccak256([]byte(name))[12:]).Hex()
}

var errTest = errors.New("out of order")

// day is the time of the tests' chains.
var day = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// gem returns a token on one chain: minted 1000, burned 100, locked 200, reserved 50.
func gem(t testing.TB) (ledger.Token, *world) {
	t.Helper()
	token := ledger.Token{
		Path: "gem", Symbol: "GEM", Name: "Gem", Decimals: 18,
		Ledger: []ledger.Entry{
			{Label: "Minted", Bucket: ledger.Issued, Chain: "first", ERC20: addr("gem")},
			{Label: "Dead", Bucket: ledger.Burned, Chain: "first", ERC20: addr("gem"), Holder: addr("dead")},
			{Label: "Vesting", Bucket: ledger.Locked, Chain: "first", Call: "totalLock()", To: addr("vesting")},
			{Label: "Treasury", Bucket: ledger.Reserved, Chain: "first", Native: addr("treasury")},
		},
	}
	w := newWorld(1, 100, day)
	w.set(t, token.Ledger[0], "1000", 18)
	w.set(t, token.Ledger[1], "100", 18)
	w.set(t, token.Ledger[2], "200", 18)
	w.set(t, token.Ledger[3], "50", 18)
	if faults := token.Validate([]string{"first"}); len(faults) > 0 {
		t.Fatalf("the token is not valid: %v", faults)
	}
	return token, w
}

// bridged returns a token with its source on first and its remote side on second: escrow 300,
// remote 290, slack 5. count is the rule of its bridge.
func bridged(t testing.TB, count ledger.Count) (ledger.Token, *world, *world) {
	t.Helper()
	slack := ledger.Whole(5, 18)
	token := ledger.Token{
		Path: "coin", Symbol: "COIN", Name: "Coin", Decimals: 18,
		Bridges: map[string]ledger.Bridge{"portal": {Count: count, Slack: &slack}},
		Ledger: []ledger.Entry{
			{Label: "Minted", Bucket: ledger.Issued, Chain: "first", ERC20: addr("coin")},
			{Label: "Remote", Bucket: ledger.Issued, Bridge: "portal", Chain: "second", ERC20: addr("coin there")},
		},
	}
	if count == ledger.CountSource {
		token.Ledger = append(token.Ledger,
			ledger.Entry{Label: "Escrow", Bucket: ledger.Escrowed, Bridge: "portal", Chain: "first",
				ERC20: addr("coin"), Holder: addr("portal")})
	}
	first, second := newWorld(1, 100, day), newWorld(2, 5000, day)
	first.set(t, token.Ledger[0], "1000", 18)
	second.set(t, token.Ledger[1], "290", 6)
	if count == ledger.CountSource {
		first.set(t, token.Ledger[2], "300", 18)
	}
	if faults := token.Validate([]string{"first", "second"}); len(faults) > 0 {
		t.Fatalf("the token is not valid: %v", faults)
	}
	return token, first, second
}

// measured measures one token, which must succeed.
func measured(t testing.TB, token ledger.Token, chains map[string]Chain, at time.Time) *Snapshot {
	t.Helper()
	r := Measure(context.Background(), []ledger.Token{token}, chains, at)[0]
	if r.Err != nil {
		t.Fatal(r.Err)
	}
	return r.Snapshot
}

// five are the rules of most tests: a hold lasts for five refreshes.
var five = Rules{Every: time.Minute, HoldFor: 5 * time.Minute}

// refused measures one token, which must fail.
func refused(t testing.TB, token ledger.Token, chains map[string]Chain) error {
	t.Helper()
	r := Measure(context.Background(), []ledger.Token{token}, chains, day)[0]
	if r.Err == nil {
		t.Fatalf("measured total %s, circulating %s; want an error", r.Snapshot.Total, r.Snapshot.Circulating)
	}
	if r.Snapshot != nil {
		t.Fatal("an error came with a snapshot")
	}
	return r.Err
}
