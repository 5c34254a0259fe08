package index_test

import (
	"errors"
	"math/rand/v2"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"petsupply/internal/pet"
	"petsupply/internal/store"
	"petsupply/testkit/postgres"
)

// TestMoments plays a random game with bridges, renames and reorgs, and records every published
// pet. At random times PetAt must return the recorded pet, also after the store is opened again.
func TestMoments(t *testing.T) {
	rounds := 40
	if *soak {
		rounds = 2000
	}
	t.Run("sqlite", func(t *testing.T) { remember(t, "sqlite://"+filepath.Join(t.TempDir(), "pets.db"), rounds) })
	t.Run("postgres", func(t *testing.T) { remember(t, postgres.Start(t), rounds/2) })
}

// A keptChange is a change of a pet, and the pet after it.
type keptChange struct {
	pet.Change
	after *pet.Pet // nil: it did not exist, or another change followed at once
	known bool
}

func remember(t *testing.T, url string, rounds int) {
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	g := &game{T: t, kingdom: four(t, "latest"), dice: rand.New(rand.NewPCG(seed, 0)), at: map[uint64]int{},
		sent: map[uint64]bool{}}
	for i, l := range g.lands {
		if l.realm.Offset != nil {
			g.hatch(i, 10)
		}
		must(t, l.Mine(t.Context(), 25)) // enough blocks for reorgs
	}
	a := g.indexAt(t, url)
	a.catchUp(t)
	first := a.everyPet(t) // the pets when the realms were first read
	kept, since := map[uint64][]keptChange{}, uint64(0)
	for range rounds {
		g.round()
		if g.dice.IntN(8) == 0 {
			g.reorg()
		}
		a.catchUp(t)
		since = a.keep(t, kept, since)
	}
	again, err := store.Open(t.Context(), url, time.Minute, nil)
	must(t, err)
	defer again.Close()
	var times []time.Time
	for _, list := range kept {
		for _, c := range list {
			times = append(times, c.At.Add(time.Duration(g.dice.IntN(3)-1)*time.Second))
		}
	}
	asked := 0
	for range rounds {
		at := times[g.dice.IntN(len(times))]
		for id, list := range kept {
			for _, s := range []*store.Store{a.Store, again} {
				got, err := s.PetAt(t.Context(), id, at)
				if checkMoment(t, id, at, first[id], list, got, err) {
					asked++
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d blocks, %d reorgs, %d changes in %d pets, %d answers compared", g.blocks, g.reorgs, since, len(kept), asked)
}

// keep records new changes, with the pets as they are now.
func (a *archive) keep(t *testing.T, kept map[uint64][]keptChange, since uint64) uint64 {
	t.Helper()
	changes, err := a.ChangesSince(t.Context(), &since, 10_000)
	must(t, err)
	var ids []uint64
	for _, c := range changes {
		if since = c.Seq; c.ID == pet.NoID {
			continue
		}
		kept[c.ID] = append(kept[c.ID], keptChange{Change: c})
		ids = append(ids, c.ID)
	}
	now, err := a.PetsByID(t.Context(), ids)
	must(t, err)
	for _, id := range ids {
		last := &kept[id][len(kept[id])-1]
		if p, ok := now[id]; ok && !p.Burned {
			last.after = &p
		}
		last.known = true
	}
	return since
}

// checkMoment compares an answer with the recording: the pet after the last change up to that time.
// It returns false if that pet was not recorded.
func checkMoment(t *testing.T, id uint64, at time.Time, first pet.Pet, list []keptChange, got pet.Pet, err error) bool {
	t.Helper()
	var last *keptChange
	for i := range list {
		if !list[i].At.After(at) {
			last = &list[i]
		}
	}
	same := func(want pet.Pet) {
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(pet.Pet{}, "Block", "ChangedAt")); err != nil || diff != "" {
			t.Errorf("pet %d at %s: %v\n%s", id, at, err, diff)
		}
	}
	var early *pet.BeforeFirst
	switch {
	case last == nil && first.ID == 0:
		if !errors.As(err, &early) || !early.First.Equal(list[0].At) {
			t.Errorf("pet %d at %s, before it appeared: %v", id, at, err)
		}
	case last == nil && errors.As(err, &early): // the pet was first read later
		if !early.First.After(at) {
			t.Errorf("pet %d at %s: %v", id, at, err)
		}
	case last == nil:
		same(first)
	case !last.known:
		return false
	case last.after == nil:
		if !errors.Is(err, pet.ErrNotFound) {
			t.Errorf("pet %d at %s, when it was not there: %v, %v", id, at, got, err)
		}
	default:
		same(*last.after)
	}
	return true
}
