package store

import (
	"errors"
	"testing"

	"petsupply/internal/pet"
	"petsupply/testkit/traits"
)

func TestChangesAreKeptUntilTheyArePruned(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		const each = 30
		wrote := func(at uint64) {
			seen := make([]pet.Observation, each)
			for i := range seen {
				seen[i] = see(second+1+uint64(i), alice, traits.V2("season", at))
			}
			write(t, s, batch{Realm: realm("second"), At: block(at), Observations: seen})
		}
		for at := uint64(1); at <= 50; at++ { // more than one call prunes
			wrote(at)
		}
		since := func(n uint64) ([]pet.Change, error) { return s.ChangesSince(t.Context(), &n, 7) }
		if list, err := since(each); err != nil || len(list) != 7 || list[0].Seq != each+1 ||
			list[0].ID != second+1 || list[0].Fields[0].To != "2" {
			t.Fatalf("changes after the first %d: %+v, %v", each, list, err)
		}
		follower, err := s.LastPetChange(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []int{maxPrunedRows, 48*each - maxPrunedRows, 0} {
			if n, err := s.PruneChanges(t.Context(), block(49).Time); err != nil || n != want {
				t.Fatalf("pruned %d, want %d: %v", n, want, err)
			}
		}
		edge := pet.OutsideFeed{Oldest: 48*each + 1, Newest: 50 * each}
		for n, want := range map[uint64]error{0: edge, each: edge, edge.Oldest - 2: edge, edge.Oldest - 1: nil,
			edge.Newest: nil, edge.Newest + 1: edge, 1 << 63: edge} {
			if list, err := since(n); !errors.Is(err, want) || err == nil && (len(list) > 0) != (n < edge.Newest) {
				t.Errorf("changes after %d: %d, %v", n, len(list), err)
			}
		}
		if list, err := s.ChangesSince(t.Context(), nil, 1); err != nil || list[0].Seq != edge.Oldest {
			t.Errorf("from the oldest on: %+v, %v", list, err)
		}
		if _, err := s.PetChanges(t.Context(), follower, 10); err != nil {
			t.Errorf("a follower that was up to date: %v", err)
		}
		for n := 1; n > 0; {
			if n, err = s.PruneChanges(t.Context(), block(1000).Time); err != nil {
				t.Fatal(err)
			}
		}
		wrote(60)
		if list, err := since(edge.Newest); err != nil || len(list) != 7 || list[0].Seq != edge.Newest+1 {
			t.Errorf("after all but the newest were pruned: %+v, %v", list, err)
		}
	})
}
