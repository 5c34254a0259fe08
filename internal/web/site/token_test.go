package site

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/supply"
)

func TestLedgerVersions(t *testing.T) {
	if ledgerVersions(supply.LedgerDocument{}) != nil {
		t.Error("a ledger that was never used has a past")
	}
	then := time.Unix(1700000000, 0)
	a, b := supply.Whole(5, 18), supply.Whole(6, 18)
	version := func(hash string, max *supply.Amount, entries ...supply.Entry) supply.Ledger {
		return supply.Ledger{Hash: hash, Since: &then, LedgerTerms: supply.LedgerTerms{Decimals: 18, MaxSupply: max, Entries: entries}}
	}
	minted := supply.Entry{Label: "Minted", Bucket: supply.Issued, ERC20: "0x1"}
	moved := minted
	moved.ERC20 = "0x2"
	declared := supply.Entry{Label: "Lost", Bucket: supply.Burned, Amount: &a}
	same, other := declared, declared
	equal := supply.Whole(5, 0)
	same.Amount, other.Amount = &equal, &b
	pending := version("p", &a, moved, other)
	got := ledgerVersions(supply.LedgerDocument{
		Ledger:  version("c", &a, minted, same, supply.Entry{Label: "Treasury"}),
		Pending: &pending,
		Earlier: []supply.Ledger{version("b", nil, minted, declared), version("a", nil, minted, supply.Entry{Label: "Old"})},
	})
	type brief struct {
		Hash                           string
		InUse, Pending, First          bool
		Added, Removed, Changed, Rules []string
	}
	var have []brief
	for _, r := range got {
		have = append(have, brief{r.Hash, r.InUse, r.Pending, r.First, r.Added, r.Removed, r.Changed, r.Rules})
	}
	want := []brief{
		{Hash: "p", Pending: true, Removed: []string{"Treasury"}, Changed: []string{"Minted", "Lost"}},
		{Hash: "c", InUse: true, Added: []string{"Treasury"}, Rules: []string{"maximum supply, from none to 5"}},
		{Hash: "b", Added: []string{"Lost"}, Removed: []string{"Old"}},
		{Hash: "a", First: true},
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

func TestHolds(t *testing.T) {
	token := &supply.Token{Path: "jewel", Symbol: "JEWEL"}
	snapshot := func(id string, n int64) *supply.Snapshot {
		return &supply.Snapshot{ID: id, Figures: supply.Figures{Total: supply.Whole(n, 0), Circulating: supply.Whole(n, 0)}}
	}
	since := time.Unix(1700000000, 0)
	publish := func(s *supply.Snapshot, candidate *supply.Snapshot, after time.Duration) *supply.Publication {
		st := supply.State{Token: token, Snapshot: s, Status: supply.Fresh}
		if candidate != nil {
			st.Status, st.Hold = supply.Held, &supply.Hold{Candidate: candidate, Reason: "it jumped", Since: since.Add(after)}
		}
		return &supply.Publication{At: since.Add(after + time.Minute), States: []supply.State{st}}
	}
	var h holds
	h.watch(publish(snapshot("a", 100), nil, 0))
	held := publish(snapshot("a", 100), snapshot("b", 200), 0)
	h.watch(held)
	if got := h.list(held.States); len(got) != 1 || got[0].Outcome != "waiting" || got[0].Reason != "it jumped" {
		t.Errorf("while it waits: %+v", got)
	}
	h.watch(publish(snapshot("c", 199), nil, 0))
	h.watch(publish(snapshot("c", 199), snapshot("d", 900), time.Hour))
	last := publish(snapshot("e", 198), nil, time.Hour)
	h.watch(last)
	got := h.list(last.States)
	if len(got) != 2 || got[1].Outcome != "confirmed and published" || got[0].Outcome == got[1].Outcome || got[0].Ended.IsZero() {
		t.Errorf("afterwards: %+v", got)
	}
	for i := range 3 * holdsKept {
		h.watch(publish(snapshot("e", 198), snapshot("x", 900), time.Duration(i+2)*time.Hour))
		h.watch(publish(snapshot("e", 198), nil, time.Duration(i+2)*time.Hour))
	}
	if got := h.list(nil); len(got) != holdsKept {
		t.Errorf("%d are remembered", len(got))
	}
}
