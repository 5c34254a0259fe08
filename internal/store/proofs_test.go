package store

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
)

// proofDocument returns a proof with three shared nodes and one of its own. The parts are in the
// order of their hashes, as in every proof.
func proofDocument(n int) *proof.Document {
	own := hexutil.Bytes(fmt.Sprint("own ", n))
	return &proof.Document{
		Format: proof.Format, Snapshot: fmt.Sprint("snapshot", n),
		Chains: []proof.Chain{
			{ChainID: 7, Block: proof.BlockID{Number: uint64(n), Hash: common.Hash{1}}, Header: hexutil.Bytes{2},
				Calls: []proof.Call{{Balance: &common.Address{3}, Return: hexutil.Bytes{4}}},
				Nodes: []hexutil.Bytes{[]byte("shared")}, Codes: []hexutil.Bytes{own}},
			{ChainID: 1<<63 + 5, Header: hexutil.Bytes{9},
				Calls: []proof.Call{{To: &common.Address{3}, Data: hexutil.Bytes{1}, Return: hexutil.Bytes{4}}},
				Nodes: []hexutil.Bytes{[]byte("shared")}, Codes: []hexutil.Bytes{}},
		},
		Entries: []proof.Entry{{Label: "Minted", Known: proof.Proven}},
	}
}

func TestProofsComeBackAsTheyWere(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		at := time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
		want := proofDocument(1)
		for range 2 { // saving it again changes nothing
			if err := s.SaveProof(t.Context(), "coin", at, want); err != nil {
				t.Fatal(err)
			}
		}
		if len(want.Chains[0].Nodes) != 1 {
			t.Error("the caller's proof was changed")
		}
		got, err := s.Proof(t.Context(), "coin", want.Snapshot)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "the proof", got, want)
		for _, name := range [][2]string{{"coin", "other"}, {"other", want.Snapshot}} {
			if _, err := s.Proof(t.Context(), name[0], name[1]); !errors.Is(err, supply.ErrNotFound) {
				t.Errorf("%v: %v", name, err)
			}
		}
		bare := &proof.Document{Format: proof.Format, Snapshot: "bare",
			Entries: []proof.Entry{{Label: "Minted", Known: proof.Agreed(2, 3)}}}
		if err := s.SaveProof(t.Context(), "coin", at, bare); err != nil {
			t.Fatal(err)
		}
		got, err = s.Proof(t.Context(), "coin", "bare")
		if err != nil {
			t.Fatal(err)
		}
		same(t, "a proof of nothing", got, bare)
		saved(t, s, supply.Change{Record: supply.Record{Token: "coin"}, Dropped: bare.Snapshot})
		if _, err := s.Proof(t.Context(), "coin", bare.Snapshot); !errors.Is(err, supply.ErrNotFound) {
			t.Errorf("a proof that was dropped: %v", err)
		}
		if _, err := s.Proof(t.Context(), "coin", want.Snapshot); err != nil {
			t.Errorf("another proof: %v", err)
		}
	})
}

// The newest hundred proofs are kept, one an hour for a week, and one a day forever.
func TestProofsAreThinnedOut(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		const every = 4 * time.Hour / 5 // 48 minutes: 30 a day
		const count = 30 * 9
		var kept []time.Time
		for i := range count {
			if err := s.SaveProof(t.Context(), "coin", start.Add(time.Duration(i)*every),
				proofDocument(i)); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.SaveProof(t.Context(), "other", start, proofDocument(0)); err != nil {
			t.Fatal(err)
		}
		for i := range count {
			if _, err := s.Proof(t.Context(), "coin", fmt.Sprint("snapshot", i)); err == nil {
				kept = append(kept, start.Add(time.Duration(i)*every))
			} else if !errors.Is(err, supply.ErrNotFound) {
				t.Fatal(err)
			}
		}
		last := start.Add((count - 1) * every)
		want := 0
		hours, days := map[time.Time]bool{}, map[time.Time]bool{}
		for i := range count {
			at := start.Add(time.Duration(i) * every)
			hour, day := at.Truncate(time.Hour), at.Truncate(24*time.Hour)
			if i >= count-keepProofs || !days[day] || !hours[hour] && !at.Before(last.Add(-keepHourly)) {
				want++
			}
			hours[hour], days[day] = true, true
		}
		if len(kept) != want {
			t.Errorf("%d are kept, want %d: %v", len(kept), want, kept[:min(20, len(kept))])
		}
	})
}
