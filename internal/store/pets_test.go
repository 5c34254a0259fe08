package store

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/index"
	"petsupply/testkit/traits"
)

var (
	zero, second, third = uint64(0), uint64(pet.Band), uint64(2 * pet.Band)

	bridge = common.HexToAddress("0xb1")
	alice  = common.HexToAddress("0xa11ce")
	bob    = common.HexToAddress("0xb0b")

	realms = []pet.Realm{
		{Key: "first", Name: "First Realm", Offset: &zero, Getter: "v1", Closed: true},
		{Key: "second", Name: "Second Realm", Offset: &second, Chain: "second", Getter: "v2",
			Custody: []common.Address{bridge}},
		{Key: "third", Name: "Third Realm", Offset: &third, Chain: "third", Getter: "v2",
			Custody: []common.Address{bridge}},
		{Key: "arena", Name: "Arena", Chain: "third", Getter: "v2", Custody: []common.Address{bridge}},
	}
)

func realm(key string) pet.Realm {
	for _, r := range realms {
		if r.Key == key {
			return r
		}
	}
	panic(key)
}

// block invents a block of a chain with one block a second.
func block(n uint64) evm.Block {
	return evm.Block{Number: n, Hash: common.BigToHash(uint256.NewInt(n).ToBig()),
		Time: time.Unix(1_700_000_000+int64(n), 0).UTC()}
}

// extreme has every field at its maximum, or at a value that engines handle badly.
var (
	extreme = traits.V2("originid", 255, "season", 255, "egg", 255, "rarity", 255, "element", 255, "bonuscount", 255,
		"profbonus", 255, "profbonusscalar", 255, "craftbonus", 255, "craftbonusscalar", 255, "combatbonus", 255,
		"combatbonusscalar", 255,
		"appearance", math.MaxUint16, "background", 255, "shiny", 255, "hungryat", uint64(math.MaxUint64),
		"equippableat", uint64(math.MaxUint64), "equippedto", new(uint256.Int).SetAllOne().Dec(), "fedby",
		common.MaxAddress.Hex(), "foodtype", 255)
	extremeName = "a\x00b\xff\u202e'; DROP TABLE pet; --🐾"
)

var registry = &pet.Registry{Collection: traits.Pets(), Realms: realms}

func write(t *testing.T, s *Store, b batch) index.Written {
	t.Helper()
	b.Registry = registry
	out, err := s.WritePets(t.Context(), b.step())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A batch is a step of an indexer in a form that is short to write. It is a Following, unless one of
// the last fields is set.
type batch struct {
	Registry     *pet.Registry
	Realm        pet.Realm
	Position     index.Position
	At           evm.Block
	Observations []pet.Observation
	Touched      map[uint64]bool
	Answered     []uint64
	Want         map[uint64]time.Time
	Spans        []pet.Span
	Marks        []index.BlockMark
	Compared     time.Time

	First bool     // a Reading
	Begin bool     // the first Reading
	Undo  bool     // an Undoing of what was seen after At
	Span  pet.Span // a Rereading of this span, if To is set
}

func (b batch) step() index.Batch {
	step := index.Step{Registry: b.Registry, Realm: b.Realm, Position: b.Position, At: b.At, Pets: b.Observations,
		Later: b.Want, Spans: b.Spans}
	switch {
	case b.First || b.Begin:
		return &index.Reading{Step: step, Begin: b.Begin, Marks: b.Marks}
	case b.Undo:
		return &index.Undoing{Step: step}
	case b.Span.To > 0:
		return &index.Rereading{Step: step, Done: b.Span}
	}
	return &index.Following{Step: step, Touched: b.Touched, Done: b.Answered, Marks: b.Marks, Compared: b.Compared}
}

func see(id uint64, owner common.Address, v collection.Value) pet.Observation {
	return pet.Observation{ID: id, Owner: owner, Value: v}
}

func named(o pet.Observation, name string) pet.Observation {
	o.Name = name
	return o
}

func censusOf(t *testing.T, s *Store) *pet.Census {
	t.Helper()
	c, err := s.PetCensus(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func one(t *testing.T, s *Store, id uint64) (pet.Pet, bool) {
	t.Helper()
	found, err := s.PetsByID(t.Context(), []uint64{id})
	if err != nil {
		t.Fatal(err)
	}
	p, ok := found[id]
	return p, ok
}

func TestPetsKeepEveryField(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		for i, v := range []collection.Value{traits.V2(), traits.V1(), extreme} {
			id := second + uint64(i) + 1
			write(t, s, batch{Realm: realm("second"), At: block(7),
				Observations: []pet.Observation{named(see(id, alice, v), extremeName)}})
			got, ok := one(t, s, id)
			want := pet.Pet{ID: id, Name: extremeName, Value: v, Realm: "second", Owner: alice, Block: 7,
				ChangedAt: block(7).Time}
			if !ok || got != want {
				t.Errorf("pet %d:\n%s", id, cmp.Diff(want, got))
			}
		}
	})
}

func TestPetsAreInOnePlace(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		id := second + 5
		steps := []struct {
			doing   string
			realm   string
			owner   common.Address
			at      uint64
			undo    uint64 // the last block that stays, or 0
			where   string
			transit bool
			gone    bool
		}{
			{"hatches", "second", alice, 10, 0, "second", false, false},
			{"is sent", "second", bridge, 20, 0, "second", true, false},
			{"arrives abroad", "third", bob, 30, 0, "third", false, false},
			{"goes back", "third", common.Address{}, 40, 0, "third", true, false},
			{"comes home", "second", bob, 50, 0, "second", false, false},
			{"its coming home is undone", "second", bridge, 46, 45, "third", true, false},
			{"comes home after all", "second", bob, 51, 0, "second", false, false},
			{"is sent again", "second", bridge, 60, 0, "second", true, false},
			{"arrives in the arena", "arena", alice, 70, 0, "arena", false, false},
			{"its arrival is undone", "arena", common.Address{}, 66, 65, "second", true, false},
			{"its hatching is undone", "second", common.Address{}, 6, 5, "", false, true},
		}
		for _, step := range steps {
			if step.undo > 0 {
				write(t, s, batch{Realm: realm(step.realm), At: block(step.undo), Undo: true,
					Want: map[uint64]time.Time{id: time.Now()}})
				if w, err := s.PetWork(t.Context(), step.realm, 10); err != nil || !slices.Contains(w.Wanted, id) {
					t.Errorf("the pet %s: it is not wanted, %v", step.doing, err)
				}
			}
			write(t, s, batch{Realm: realm(step.realm), At: block(step.at), Touched: map[uint64]bool{id: true},
				Answered:     []uint64{id},
				Observations: []pet.Observation{see(id, step.owner, traits.V2("season", step.at))}})
			p, ok := one(t, s, id)
			if ok == step.gone || p.Realm != step.where || p.InTransit != step.transit {
				t.Fatalf("the pet %s: it is in %q, in transit %v, there %v", step.doing, p.Realm, p.InTransit, ok)
			}
			counts := censusOf(t, s).Realms()
			want := map[string]uint64{step.where: 1}
			if step.gone {
				want = map[string]uint64{}
			}
			if diff := cmp.Diff(want, counts); diff != "" {
				t.Fatalf("the pet %s: counts %s", step.doing, diff)
			}
		}
		history, err := s.PetHistory(t.Context(), id, 100)
		if err != nil || len(history) != len(steps)+1 || history[len(history)-1].Kind != pet.Appeared ||
			history[0].Kind != pet.Gone {
			t.Errorf("history: %v, %+v", err, history)
		}
	})
}

func TestLostPetsAreWantedElsewhere(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		id := second + 5
		write(t, s, batch{Realm: realm("second"), At: block(9), First: true,
			Observations: []pet.Observation{see(id, bridge, traits.V2())}})
		for key, want := range map[string]int{"first": 0, "second": 0, "third": 1, "arena": 1} {
			w, err := s.PetWork(t.Context(), key, 10)
			if err != nil || len(w.Wanted) != want {
				t.Errorf("%s: wanted %v, %v", key, w.Wanted, err)
			}
		}
		write(t, s, batch{Realm: realm("third"), At: block(9), Answered: []uint64{id}})
		if w, err := s.PetWork(t.Context(), "third", 10); err != nil || len(w.Wanted) != 0 {
			t.Errorf("wanted after the answer: %v, %v", w.Wanted, err)
		}
		soon := time.Now().Add(-time.Second)
		for _, due := range []time.Time{soon, soon.Add(time.Hour)} { // a later request delays nothing
			write(t, s, batch{Realm: realm("third"), At: block(9), Want: map[uint64]time.Time{id + 1: due}})
		}
		if w, err := s.PetWork(t.Context(), "third", 10); err != nil || !cmp.Equal(w.Wanted, []uint64{id + 1}) {
			t.Errorf("wanted: %v, %v", w.Wanted, err)
		}
	})
}

func TestAStepKeepsItsPositionAndMarks(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		b := batch{
			Realm: realm("second"), At: block(200), Observations: []pet.Observation{see(second+1, alice, extreme)},
			Position: index.Position{Phase: "follow", Block: block(200), Swept: 9},
			Marks: []index.BlockMark{
				{Block: evm.Block{Number: 10}},
				{Block: evm.Block{Number: 150, Hash: common.Hash{1}}, IDs: []uint64{1, 2}},
				{Block: evm.Block{Number: 200, Hash: common.Hash{2}}, Spans: []pet.Span{{From: 3, To: 4}}},
			},
		}
		write(t, s, b)
		w, err := s.PetWork(t.Context(), "second", 10)
		if err != nil || w.Position == nil {
			t.Fatalf("the work is %+v, %v", w, err)
		}
		marks, err := w.Marks(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(b.Position, *w.Position); diff != "" {
			t.Errorf("cursor %s", diff)
		}
		if diff := cmp.Diff(b.Marks[1:], marks); diff != "" {
			t.Errorf("marks %s", diff)
		}
	})
}

func TestUnchangedPetsMakeNoChange(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		b := batch{Realm: realm("second"), At: block(1), Observations: []pet.Observation{see(second+1, alice, extreme)}}
		if out := write(t, s, b); out.Changed != 1 {
			t.Fatalf("first sight: %+v", out)
		}
		b.At = block(2)
		b.Span = pet.Span{To: second + 9}
		if out := write(t, s, b); out.Changed != 0 || out.Drift != 0 {
			t.Errorf("the same again: %+v", out)
		}
		if p, _ := one(t, s, second+1); p.Block != 1 {
			t.Errorf("an unchanged pet was written at block %d", p.Block)
		}
		b.Observations = []pet.Observation{see(second+1, bob, extreme)}
		if out := write(t, s, b); out.Changed != 1 || out.Drift != 1 {
			t.Errorf("drift: %+v", out)
		}
	})
}

func TestChangesAreFollowed(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		var seen []pet.Observation
		for i := range uint64(25) {
			seen = append(seen, see(second+1+i, alice, traits.V2()))
		}
		write(t, s, batch{Realm: realm("second"), At: block(1), First: true, Observations: seen})
		last, err := s.LastPetChange(t.Context())
		if err != nil || last.Seq != 0 {
			t.Fatalf("a first reading is not a change: %+v, %v", last, err)
		}
		for i := range seen {
			seen[i].Value = traits.V2("season", 9)
		}
		write(t, s, batch{Realm: realm("second"), At: block(2), Observations: seen})
		var got []uint64
		for {
			marks, err := s.PetChanges(t.Context(), last, 10)
			if err != nil {
				t.Fatal(err)
			}
			if len(marks) == 0 {
				break
			}
			for _, last = range marks {
				got = append(got, last.ID)
			}
		}
		if len(got) != 25 || got[0] != second+1 || got[24] != second+25 || last.Seq != 25 {
			t.Errorf("changes up to %d: %v", last.Seq, got)
		}
		if now, err := s.LastPetChange(t.Context()); err != nil || now != last {
			t.Errorf("the latest change is %+v, %v, and was read as %+v", now, err, last)
		}
		// The database is restored to an earlier state, and goes on from there.
		if _, err := s.db.ExecContext(t.Context(), `DELETE FROM pet_change WHERE seq > 20`); err != nil {
			t.Fatal(err)
		}
		for n := range uint64(2) {
			if _, err := s.PetChanges(t.Context(), last, 10); !errors.Is(err, pet.ErrFeedReset) {
				t.Errorf("the mark of a change that is gone: %v", err)
			}
			for i := range seen {
				seen[i].Value = traits.V2("season", 10)
			}
			// Another change gets the number of the deleted change.
			write(t, s, batch{Realm: realm("second"), At: block(3 + n), Observations: seen[5:]})
		}
	})
}

func TestImportedPets(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := open(t, url) // not as leader
		pets := []pet.Pet{
			{ID: 1, Realm: "first", Owner: alice, Name: extremeName, Value: extreme},
			{ID: 2, Realm: "first", Owner: bob, InTransit: true},
		}
		for try, want := range []int{2, 0} {
			if n, err := s.ImportPets(t.Context(), registry, pets); err != nil || n != want {
				t.Errorf("import %d: %d, %v", try, n, err)
			}
		}
		for _, want := range pets {
			if got, ok := one(t, s, want.ID); !ok || got != want {
				t.Errorf("%s", cmp.Diff(want, got))
			}
		}
		if w, err := s.PetWork(t.Context(), "third", 9); err != nil || !cmp.Equal(w.Wanted, []uint64{2}) ||
			w.Position != nil {
			t.Errorf("wanted of the third realm: %+v, %v", w, err)
		}
	})
}

func TestPetIDs(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		var seen []pet.Observation
		for i := range uint64(2000) { // statements of several sizes
			seen = append(seen, see(second+1+i, alice, traits.V2()))
		}
		write(t, s, batch{Realm: realm("second"), At: block(1), First: true, Observations: seen})
		ids, err := s.PetIDs(t.Context(), "second", pet.Span{From: second + 1990, To: math.MaxUint64}, 100)
		if want := "[1000000001990 1000000001991 1000000001992 1000000001993 1000000001994 1000000001995 1000000001996 " +
			"1000000001997 1000000001998 1000000001999 1000000002000]"; err != nil || fmt.Sprint(ids) != want {
			t.Errorf("the ids are %v, %v", ids, err)
		}
		all := make([]uint64, 700)
		for i := range all {
			all[i] = second + uint64(i)
		}
		if found, err := s.PetsByID(t.Context(), all); err != nil || len(found) != 699 {
			t.Errorf("%d found, %v", len(found), err)
		}
	})
}
