package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/proof"
)

// published saves snapshots of one token. Each has its number as total, and a time in seconds.
func published(t testing.TB, s *Store, times ...int64) (list []*supply.Snapshot) {
	t.Helper()
	base := jewel(t, demo.Start)
	var changes []supply.Change
	for i, at := range times {
		n := *base
		n.ID, n.AsOf, n.MeasuredAt = fmt.Sprintf("%016x", i+1), demo.Start.Add(time.Duration(at)*time.Second),
			demo.Start.Add(time.Hour+time.Duration(i)*time.Minute)
		n.Total, _ = ledger.ParseAmount(fmt.Sprint(i + 1))
		list = append(list, &n)
		changes = append(changes, supply.Change{Record: record(&n), Publishes: true})
	}
	saved(t, s, changes...)
	return list
}

// asDefined applies the definition literally: the last publication that is not after the time.
func asDefined(list []*supply.Snapshot, at time.Time) (last *supply.Snapshot) {
	for _, n := range list {
		if !n.AsOf.After(at) {
			last = n
		}
	}
	return last
}

// Times repeat, and go back once.
func TestPublishedAtAnyTime(t *testing.T) {
	rng := rand.New(rand.NewPCG(17, 1))
	var times []int64
	at := int64(100)
	for i := range 120 {
		at += rng.Int64N(3)
		if i == 70 {
			at -= 20
		}
		times = append(times, at)
	}
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		list := published(t, s, times...)
		for n := range int64(260) {
			checkTime(t, s, list, demo.Start.Add(time.Duration(n)*time.Second+500*time.Millisecond))
		}
		for _, n := range list {
			p, err := s.PublishedAt(t.Context(), "jewel", supply.Moment{Snapshot: n.ID})
			if err != nil {
				t.Errorf("snapshot %s: %v", n.ID, err)
			}
			same(t, n.ID, p, pointOf(n))
		}
	})
}

func checkTime(t *testing.T, s *Store, list []*supply.Snapshot, at time.Time) {
	t.Helper()
	got, err := s.PublishedAt(t.Context(), "jewel", supply.Moment{At: at})
	want := asDefined(list, at)
	var early *supply.BeforeFirst
	switch {
	case want != nil && err != nil:
		t.Errorf("%s: %v", at, err)
	case want != nil:
		same(t, at.String(), got, pointOf(want))
	case !errors.As(err, &early):
		t.Errorf("%s: got %v, %v, want an error with the first time", at, got, err)
	default: // there is a publication at the named time, and none before
		p, err := s.PublishedAt(t.Context(), "jewel", supply.Moment{At: early.First})
		if err != nil || asDefined(list, early.First).ID != p.ID {
			t.Errorf("%s: the first is not of %s: %v", at, early.First, err)
		}
		if asDefined(list, early.First.Add(-time.Millisecond)) != nil {
			t.Errorf("%s: there is something before %s", at, early.First)
		}
	}
}

func TestNothingIsPublishedWhereThereIsNothing(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		published(t, s, 1)
		for token, m := range map[string]supply.Moment{"jade": {At: demo.End}, "jewel": {Snapshot: "none"}} {
			if _, err := s.PublishedAt(t.Context(), token, m); !errors.Is(err, supply.ErrNotFound) {
				t.Errorf("%s at %s: %v", token, m, err)
			}
		}
	})
}

func TestThinnedEvidenceNamesItsNeighbours(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		list := published(t, s, 1, 2, 3, 4)
		if _, err := s.db.ExecContext(t.Context(),
			"UPDATE reading SET evidence = NULL WHERE number IN (2, 3)"); err != nil {
			t.Fatal(err)
		}
		if ev, err := s.EvidenceOf(t.Context(), list[3]); err != nil || ev == nil {
			t.Errorf("evidence that is kept: %v", err)
		}
		_, err := s.EvidenceOf(t.Context(), list[1])
		var thin *supply.Thinned
		if !errors.As(err, &thin) {
			t.Fatalf("evidence that is not kept: %v", err)
		}
		want := []supply.KeptAt{{AsOf: list[0].AsOf, Snapshot: list[0].ID}, {AsOf: list[3].AsOf, Snapshot: list[3].ID}}
		if diff := cmp.Diff(want, thin.Kept); diff != "" {
			t.Error(diff)
		}
		if _, err := s.ProofOf(t.Context(), list[1]); !errors.Is(err, supply.ErrNotFound) {
			t.Errorf("a proof that never was: %v", err)
		}
		for _, n := range []*supply.Snapshot{list[0], list[3]} {
			if err := s.SaveProof(t.Context(), "jewel", n.MeasuredAt.Add(time.Second),
				&proof.Document{Snapshot: n.ID}); err != nil {
				t.Fatal(err)
			}
			if _, err := s.ProofOf(t.Context(), list[3]); n == list[0] && !errors.Is(err, supply.ErrNotFound) {
				t.Errorf("a proof that is not made yet: %v", err)
			}
		}
		if _, err = s.ProofOf(t.Context(), list[1]); !errors.As(err, &thin) || !cmp.Equal(want, thin.Kept) {
			t.Errorf("a proof that is not kept: %v", err)
		}
	})
}
