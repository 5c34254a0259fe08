package store

import (
	"slices"
	"testing"
	"time"

	"petsupply/internal/pet/index"
)

var openRealms = []string{"second", "third", "arena"}

// compareAll writes that all open realms were just compared with their chains.
func compareAll(t *testing.T, s *Store) {
	t.Helper()
	for _, key := range openRealms {
		write(t, s, batch{Realm: realm(key), At: block(1), Compared: time.Now(),
			Position: index.Position{Phase: "follow", Block: block(1)}})
	}
}

// missing reports whether the store says that a pet does not exist.
func missing(t *testing.T, s *Store, id uint64) bool {
	t.Helper()
	none, err := s.MissingPets(t.Context(), realm("second"), openRealms, []uint64{id})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Contains(none, id)
}

// A pet does not exist only if the leader of this term has compared all realms with their chains
// within the last minute.
func TestOnlyTheLeaderOfThisTermSaysThatAPetDoesNotExist(t *testing.T) {
	id := second + 17
	expect := func(t *testing.T, when string, s *Store, want bool) {
		t.Helper()
		if got := missing(t, s, id); got != want {
			t.Errorf("%s: the pet is known to be missing: %t, want %t", when, got, want)
		}
	}
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		expect(t, "before any realm was read", s, false)
		compareAll(t, s)
		expect(t, "after the comparison", s, true)

		other := open(t, url)
		expect(t, "a process that saw no leader yet", other, false)
		if ok, err := s.Campaign(t.Context(), t.Name(), 2*time.Minute); err != nil || !ok {
			t.Fatalf("renewing the lease: %v, %v", ok, err)
		}
		expect(t, "a process that saw the leader", other, true)

		write(t, s, batch{Realm: realm("third"), At: block(1), Undo: true,
			Position: index.Position{Phase: "follow", Block: block(1)}})
		expect(t, "after a reorg", s, false)
		compareAll(t, s)
		expect(t, "after the next comparison", s, true)
		write(t, s, batch{Realm: realm("arena"), At: block(1), Begin: true,
			Position: index.Position{Phase: "natives", Block: block(1)}})
		expect(t, "while a realm is read from the start", s, false)
		compareAll(t, s)
		compareAll(t, s)
		write(t, s, batch{Realm: realm("arena"), At: block(2), Want: map[uint64]time.Time{id: time.Now()},
			Position: index.Position{Phase: "follow", Block: block(2)}})
		expect(t, "while the queue names the pet", s, false)
		write(t, s, batch{Realm: realm("arena"), At: block(2), Answered: []uint64{id},
			Position: index.Position{Phase: "follow", Block: block(2)}})
		expect(t, "after the pet was read", s, true)

		if err := s.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		expect(t, "without a leader", s, false)
		if ok, err := other.Campaign(t.Context(), "other", time.Minute); err != nil || !ok {
			t.Fatalf("taking the lease: %v, %v", ok, err)
		}
		expect(t, "just after a takeover", other, false)
		expect(t, "just after a takeover, in the old leader", s, false)
		compareAll(t, other)
		expect(t, "after a comparison by the new leader", s, true)
		old := time.Now().Add(-2 * time.Minute)
		for _, key := range openRealms {
			write(t, other, batch{Realm: realm(key), At: block(1), Compared: old,
				Position: index.Position{Phase: "follow", Block: block(1)}})
		}
		expect(t, "two minutes after the comparison", other, false)
	})
}

// A copy of a store has the time of a comparison, but perhaps not the pets since then.
func TestACopyOfAStoreDoesNotSayThatAPetDoesNotExist(t *testing.T) {
	dir := t.TempDir()
	s := leading(t, "sqlite://"+dir+"/pets.db")
	compareAll(t, s)
	if _, err := s.db.ExecContext(t.Context(), "VACUUM INTO '"+dir+"/copy.db'"); err != nil {
		t.Fatal(err)
	}
	copied := open(t, "sqlite://"+dir+"/copy.db")
	if missing(t, copied, second+17) {
		t.Error("the copy says that a pet does not exist")
	}
	why, err := copied.WhyUnread(t.Context(), openRealms)
	if err != nil || why == "" {
		t.Errorf("the reason is %q, %v", why, err)
	}
}
