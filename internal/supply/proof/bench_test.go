package proof_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/proof/gather"
)

// holdersNode returns a node with a token of that many holders, in a state of as many accounts.
func holdersNode(t testing.TB, holders int) *ledgerNode {
	n := newLedgerNode(t, "subnet-evm")
	a := n.place("Token", token)
	a.slots[common.BytesToHash(word(5))] = common.BytesToHash(word(1 << 40))
	a.slots[common.BytesToHash(word(2))] = common.BytesToHash(word(18))
	for i := range holders {
		who := numbered(i)
		a.slots[balanceSlot(who)] = common.BytesToHash(word(int64(i) + 1))
		n.accounts[who] = &account{balance: 1}
	}
	n.seal()
	return n
}

func numbered(i int) common.Address {
	return common.BytesToAddress(crypto.Keccak256([]byte(fmt.Sprint("holder", i)))[:20])
}

// entries returns the calls of a ledger of n entries: the supply, decimals, and balances.
func entries(t testing.TB, n int) []proof.Call {
	calls := answered([]proof.Call{call(t, "Token", token, "totalSupply"), call(t, "Token", token, "decimals")},
		word(1<<40), word(18))
	for i := range n - 1 {
		held := call(t, "Token", token, "balanceOf", numbered(i))
		held.Return = word(int64(i) + 1)
		calls = append(calls, held)
	}
	return calls
}

// The layout of the trial: about as many holders as entries.
func BenchmarkCheck(b *testing.B) {
	for _, layout := range []struct{ entries, holders int }{{10, 200}, {100, 200}, {1000, 2000}, {100, 100_000}} {
		b.Run(fmt.Sprintf("%d-entries-of-%d", layout.entries, layout.holders), func(b *testing.B) {
			n := holdersNode(b, layout.holders)
			c := proveAll(b, n, entries(b, layout.entries))
			text, err := json.Marshal(c)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := c.Check(proof.NewBudget()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(text))/1000, "kB")
		})
	}
}

// A gathering with warm caches, without the node's own time.
func BenchmarkGather(b *testing.B) {
	for _, size := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("%d-entries", size), func(b *testing.B) {
			n := holdersNode(b, 2*size)
			calls := entries(b, size)
			g := gather.New(n)
			g.Gather(b.Context(), n.at, calls, proof.MaxGas)
			n.trips = 0
			gathered := 0
			for b.Loop() {
				if c, _ := g.Gather(b.Context(), n.at, calls, proof.MaxGas); len(c.Calls) != len(calls) {
					b.Fatalf("%d of %d calls are proven", len(c.Calls), len(calls))
				}
				gathered++
			}
			b.ReportMetric(float64(n.trips)/float64(gathered), "trips/op")
		})
	}
}
