package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
)

// published saves snapshots of one token. Each has its number as total, a time in seconds, a block
// of chain 7 and optionally one of chain 8.
func published(t testing.TB, s *Store, snapshots ...[3]int64) (list []*supply.Snapshot) {
	t.Helper()
	base := jewel(t, demo.Start)
	var changes []supply.Change
	for i, x := range snapshots {
		n := *base
		n.ID, n.AsOf, n.MeasuredAt = fmt.Sprintf("%016x", i+1), demo.Start.Add(time.Duration(x[0])*time.Second),
			demo.Start.Add(time.Hour+time.Duration(i)*time.Minute)
		n.Total, _ = ledger.ParseAmount(fmt.Sprint(i + 1))
		n.Blocks = []supply.Block{{Chain: "seven", ChainID: 7, Number: uint64(x[1]), Hash: blockHash(x[1]), Time: n.AsOf}}
		if x[2] > 0 {
			n.Blocks = append(n.Blocks, supply.Block{Chain: "eight", ChainID: 8, Number: uint64(x[2]),
				Hash: blockHash(-x[2]), Time: n.AsOf})
		}
		list = append(list, &n)
		changes = append(changes, supply.Change{Record: record(&n), Publishes: true})
	}
	saved(t, s, changes...)
	return list
}

func blockHash(n int64) common.Hash {
	return common.HexToHash(fmt.Sprintf("0x%016x%048x", uint64(n)*0x9e3779b97f4a7c15, n&0xffff))
}

// asDefined applies the definition literally: the last publication that is not after the moment.
func asDefined(list []*supply.Snapshot, m supply.Moment) (last *supply.Snapshot) {
	for _, n := range list {
		fits := !m.At.IsZero() && !n.AsOf.After(m.At)
		for _, b := range n.Blocks {
			if b.ChainID == m.ChainID {
				fits = m.Hash == nil && b.Number <= m.Number || m.Hash != nil && b.Hash == *m.Hash
			}
		}
		if fits {
			last = n
		}
	}
	return last
}

// Times repeat, chains come and go, and a replaced chain goes back.
func TestPublishedAtAnyMoment(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	var rows [][3]int64
	at, seven, eight := int64(100), int64(1000), int64(50)
	for i := range 120 {
		at, seven = at+rng.Int64N(3), seven+rng.Int64N(4)
		row := [3]int64{at, seven, 0}
		if i%40 > 10 {
			eight += rng.Int64N(3)
			row[2] = eight
		}
		if i == 70 {
			seven = 900 // another chain with the same id
		}
		rows = append(rows, row)
	}
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		list := published(t, s, rows...)
		// Add a back-filled row, which PublishedAt never returns.
		if err := s.AppendPast(t.Context(), jewel(t, demo.Start.Add(150*time.Second))); err != nil {
			t.Fatal(err)
		}
		for n := range int64(260) {
			hash7, hash8 := blockHash(890+n), blockHash(-n)
			for _, m := range []supply.Moment{
				{At: demo.Start.Add(time.Duration(n)*time.Second + 500*time.Millisecond)},
				{Chain: "seven", ChainID: 7, Number: uint64(890 + n)}, {Chain: "eight", ChainID: 8, Number: uint64(n)},
				{Chain: "seven", ChainID: 7, Hash: &hash7}, {Chain: "eight", ChainID: 8, Hash: &hash8},
			} {
				checkMoment(t, s, list, m)
			}
		}
	})
}

func checkMoment(t *testing.T, s *Store, list []*supply.Snapshot, m supply.Moment) {
	t.Helper()
	got, err := s.PublishedAt(t.Context(), "jewel", m)
	want := asDefined(list, m)
	var early *supply.BeforeFirst
	switch {
	case want != nil && err != nil:
		t.Errorf("%s: %v", m, err)
	case want != nil:
		same(t, m.String(), got, want.Point())
	case m.Hash != nil:
		if !errors.Is(err, supply.ErrNotFound) {
			t.Errorf("%s: got %v, %v, want not found", m, got, err)
		}
	case !errors.As(err, &early):
		t.Errorf("%s: got %v, %v, want an error with the first moment", m, got, err)
	default: // there is a publication at the named moment, and none before
		if p, err := s.PublishedAt(t.Context(), "jewel", early.First); err != nil ||
			asDefined(list, early.First).ID != p.Snapshot {
			t.Errorf("%s: the first is not of %s: %v", m, early.First, err)
		}
		before := early.First
		if before.At.IsZero() {
			before.Number--
		} else {
			before.At = before.At.Add(-time.Millisecond)
		}
		if asDefined(list, before) != nil {
			t.Errorf("%s: there is something before %s", m, early.First)
		}
	}
}

func TestNothingIsPublishedWhereThereIsNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		published(t, s, [3]int64{1, 1, 0})
		for token, m := range map[string]supply.Moment{"jade": {At: demo.End}, "jewel": {ChainID: 9, Number: 1}} {
			if _, err := s.PublishedAt(t.Context(), token, m); !errors.Is(err, supply.ErrNotFound) {
				t.Errorf("%s at %s: %v", token, m, err)
			}
		}
	})
}

func TestThinnedEvidenceNamesItsNeighbours(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		list := published(t, s, [3]int64{1, 1, 0}, [3]int64{2, 2, 0}, [3]int64{3, 3, 0}, [3]int64{4, 4, 0})
		if _, err := s.db.ExecContext(t.Context(), "UPDATE reading SET evidence = NULL WHERE number IN (2, 3)"); err != nil {
			t.Fatal(err)
		}
		if ev, err := s.EvidenceOf(t.Context(), "jewel", list[3].Point()); err != nil || ev == nil {
			t.Errorf("evidence that is kept: %v", err)
		}
		_, err := s.EvidenceOf(t.Context(), "jewel", list[1].Point())
		var thin *supply.Thinned
		if !errors.As(err, &thin) {
			t.Fatalf("evidence that is not kept: %v", err)
		}
		want := []supply.KeptAt{{AsOf: list[0].AsOf, Snapshot: list[0].ID}, {AsOf: list[3].AsOf, Snapshot: list[3].ID}}
		if diff := cmp.Diff(want, thin.Kept); diff != "" {
			t.Error(diff)
		}
		if _, err := s.ProofOf(t.Context(), "jewel", list[1].Point()); !errors.Is(err, supply.ErrNotFound) {
			t.Errorf("a proof that never was: %v", err)
		}
		for _, n := range []*supply.Snapshot{list[0], list[3]} {
			if err := s.SaveProof(t.Context(), "jewel", n.MeasuredAt.Add(time.Second),
				&proof.Document{Snapshot: n.ID}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.ProofOf(t.Context(), "jewel", list[3].Point()); n == list[0] && !errors.Is(err, supply.ErrNotFound) {
				t.Errorf("a proof that is not made yet: %v", err)
			}
		}
		if _, err = s.ProofOf(t.Context(), "jewel", list[1].Point()); !errors.As(err, &thin) || !cmp.Equal(want, thin.Kept) {
			t.Errorf("a proof that is not kept: %v", err)
		}
	})
}
