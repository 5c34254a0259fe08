package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/index"
)

// things returns a collection with an id and the given fields, each a line of YAML.
func things(t testing.TB, fields ...string) *collection.Collection {
	t.Helper()
	return thingsBy(t, "g: {call: get(uint256), returns: values}", fields...)
}

// thingsBy is things with other getters.
func thingsBy(t testing.TB, getters string, fields ...string) *collection.Collection {
	t.Helper()
	text := "name: Things\ngetters: {" + getters + "}\nfields:\n  - {name: id, type: uint256, is: id}\n"
	for _, f := range fields {
		text += "  - {" + f + "}\n"
	}
	c, err := collection.Parse("things.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// thing returns the traits of a thing: thing(c, "a", 1, "b", 2).
func thing(t testing.TB, c *collection.Collection, pairs ...any) collection.Value {
	t.Helper()
	texts := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		texts[pairs[i].(string)] = fmt.Sprint(pairs[i+1])
	}
	v, _, err := c.FromTexts(texts)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// leadingThings opens the store at url as its leader, with another collection.
func leadingThings(t testing.TB, url string, c *collection.Collection) *Store {
	t.Helper()
	s := open(t, url)
	s.SetCollection(c)
	if err := s.CheckCollection(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ok, err := s.Campaign(t.Context(), t.Name(), time.Minute); err != nil || !ok {
		t.Fatalf("taking the lease: %v, %v", ok, err)
	}
	t.Cleanup(func() { s.Resign(t.Context()) })
	return s
}

func writeThings(t testing.TB, s *Store, c *collection.Collection, b batch) {
	t.Helper()
	b.Realm = realm("second")
	b.Realm.Getter = "g"
	b.Registry = &pet.Registry{Collection: c, Realms: []pet.Realm{b.Realm}}
	if _, err := s.WritePets(t.Context(), b.step()); err != nil {
		t.Fatal(err)
	}
}

// seeThings writes observations at a block.
func seeThings(t testing.TB, s *Store, c *collection.Collection, at uint64, seen ...pet.Observation) {
	t.Helper()
	writeThings(t, s, c, batch{At: block(at), Observations: seen})
}

// feed describes the changes after a number.
func feed(t testing.TB, s *Store, since uint64) (out []string) {
	t.Helper()
	changes, err := s.ChangesSince(t.Context(), &since, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		text := c.Kind + " " + c.Realm
		if c.ID != pet.NoID {
			text = fmt.Sprintf("%s %d", c.Kind, c.ID-second)
		}
		for _, d := range c.Fields {
			text += fmt.Sprintf(" %s:%s-%s", d.Field, d.From, d.To)
		}
		out = append(out, text)
	}
	return out
}

const (
	fieldA = "name: a, type: uint8, filter: true"
	fieldB = "name: b, type: uint16"
)

// A row becomes unreadable while listings get another form. This is an error, and no pet is left
// out of listings.
func TestARowThatCannotBeReadIsNotLeftOutOfListings(t *testing.T) {
	old := things(t, fieldA, fieldB)
	url := "sqlite://" + t.TempDir() + "/pets.db"
	s := leadingThings(t, url, old)
	seeThings(t, s, old, 1, see(second+1, alice, thing(t, old, "a", 1, "b", 1)),
		see(second+2, alice, thing(t, old, "a", 2, "b", 2)))
	if _, err := s.db.ExecContext(t.Context(), `UPDATE pet SET traits = X'ff' WHERE id = $1`,
		int64(second+1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Resign(t.Context()); err != nil {
		t.Fatal(err)
	}
	s = leadingThings(t, url, things(t, fieldA, fieldB+", filter: true"))
	if err := s.IndexPets(t.Context()); err == nil {
		t.Error("the listings have another form although a row cannot be read")
	}
}

// A collection gets a field at its end. Pets are read again. The feed has one change that names the
// realm, not one for each pet.
func TestAFieldIsAddedAtTheEnd(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		old := things(t, fieldA, fieldB)
		s := leadingThings(t, url, old)
		id, next := second+1, second+2
		seeThings(t, s, old, 1, see(id, alice, thing(t, old, "a", 1, "b", 1)),
			see(next, alice, thing(t, old, "a", 2, "b", 2)))
		seeThings(t, s, old, 2, see(id, alice, thing(t, old, "a", 1, "b", 7)))
		if err := s.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}

		now := things(t, fieldA, fieldB, "name: c, type: uint8, filter: true")
		s = leadingThings(t, url, now)
		before, _ := one(t, s, id)
		if before.Value != thing(t, now, "a", 1, "b", 7) {
			t.Errorf("before it is read again, it has %q", before.Value)
		}
		again := index.Position{Phase: "follow", RereadAll: true}
		all := []pet.Span{{To: pet.MaxID}}
		writeThings(t, s, now, batch{At: block(3), Position: again, Spans: all})
		seen := []pet.Observation{see(id, alice, thing(t, now, "a", 1, "b", 7, "c", 5))}
		writeThings(t, s, now, batch{At: block(3), Position: again, Span: pet.Span{To: id}, Observations: seen})
		if got := feed(t, s, 3); len(got) > 0 {
			t.Errorf("before the whole realm was read again, the feed says %q", got)
		}
		writeThings(t, s, now, batch{At: block(3), Position: again, Span: pet.Span{From: next, To: pet.MaxID},
			Observations: []pet.Observation{see(next, alice, thing(t, now, "a", 2, "b", 2, "c", 6))}})
		want := []string{"reread second"}
		if got := feed(t, s, 3); !slices.Equal(got, want) {
			t.Errorf("the feed says %q, want %q", got, want)
		}
		if p, _ := one(t, s, id); p.Value != thing(t, now, "a", 1, "b", 7, "c", 5) || p.Block != 3 {
			t.Errorf("the pet is %+v", p)
		}
	})
}

func TestACollectionThatDoesNotFitIsRefused(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		old := things(t, fieldA, fieldB)
		s := leadingThings(t, url, old)
		seeThings(t, s, old, 1, see(second+1, alice, thing(t, old, "a", 1, "b", 1)))
		getter := func(line string) *collection.Collection { return thingsBy(t, line, fieldA, fieldB) }
		for name, test := range map[string]struct {
			c    *collection.Collection
			want string // "": the collection fits
		}{
			"the same": {old, ""},
			"other filters": {things(t, "name: a, type: uint8",
				"name: b, type: uint16, filter: true, sort: ascending"), ""},
			"another field":  {things(t, fieldA, fieldB, "name: c, type: string"), ""},
			"another getter": {getter("g: {call: get(uint256), returns: values}, h: {call: all(uint256)}"), ""},
			"another type": {things(t, fieldA, "name: b, type: uint32"),
				"the field b is uint32 now and was uint16"},
			"a field removed": {things(t, fieldA), "the field b was removed"},
			"another order":   {things(t, fieldB, fieldA), "the field a is number 2 now and was number 1"},
			"added in between": {things(t, fieldA, "name: c, type: uint8", fieldB),
				"the field b is number 3 now and was"},
			"another call": {getter("g: {call: got(uint256), returns: values}"),
				"g now has another call or another return type"},
			"a struct": {getter("g: {call: get(uint256), returns: struct}"),
				"g now has another call or another return type"},
			"a getter renamed": {getter("h: {call: get(uint256), returns: values}"), "the getter g was removed"},
		} {
			t.Run(name, func(t *testing.T) {
				other := open(t, url)
				other.SetCollection(test.c)
				err := other.CheckCollection(t.Context())
				switch {
				case test.want == "" && err != nil:
					t.Error(err)
				case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) ||
					!strings.Contains(err.Error(), "run petsupply reindex")):
					t.Errorf("the error is %v", err)
				}
			})
		}
		// A process that was started with other fields cannot write.
		s.SetCollection(things(t, fieldB))
		_, err := s.WritePets(t.Context(), batch{Registry: registry, Realm: realm("second"), At: block(2)}.step())
		if err == nil || !strings.Contains(err.Error(), "petsupply reindex") {
			t.Errorf("writing with another collection: %v", err)
		}
	})
}

// Other fields get filters. Until pets are sorted by them, listings return an error.
func TestFiltersChange(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		old := things(t, fieldA, fieldB)
		s := leadingThings(t, url, old)
		var seen []pet.Observation
		for i := range uint64(2 * maxConvertedRows) {
			seen = append(seen, see(second+i, alice, thing(t, old, "a", i%3, "b", i%1000)))
		}
		writeThings(t, s, old, batch{At: block(1), First: true, Observations: seen})
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := s.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := things(t, "name: a, type: uint8", "name: b, type: uint16, filter: true, sort: descending")
		s = leadingThings(t, url, now)
		seeThings(t, s, now, 2, see(second+9999, bob, thing(t, now, "a", 1, "b", 77)))
		query := pet.Query{Traits: map[string][]int{"b": {77}}, Limit: 9}
		for name, q := range map[string]pet.Query{"filter": query, "order": {Order: "b", Limit: 9}} {
			if _, _, err := s.ListPets(t.Context(), q, pet.PagePosition{}); !errors.Is(err, errConverting) {
				t.Errorf("by a new %s: %v", name, err)
			}
		}
		if _, err := s.PetCensus(t.Context()); !errors.Is(err, errConverting) {
			t.Errorf("counting: %v", err)
		}
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		var got []uint64
		list, _, err := s.ListPets(t.Context(), query, pet.PagePosition{})
		for _, p := range list {
			got = append(got, p.ID-second)
		}
		if err != nil || !slices.Equal(got, []uint64{77, 1077, 2077, 3077, 9999}) {
			t.Errorf("listed %v, %v", got, err)
		}
		list, _, err = s.ListPets(t.Context(), pet.Query{Order: "b", Limit: 2}, pet.PagePosition{})
		if err != nil || list[0].ID != second+3999 || list[1].ID != second+2999 {
			t.Errorf("sorted %v, %v", list, err)
		}
		if n, _ := censusOf(t, s).Count(query); n != 5 {
			t.Errorf("%d pets have b = 77", n)
		}
		whole, _, err := s.petIndexes(t.Context())
		if err != nil || !slices.Contains(whole, "pet_by_f1") || slices.Contains(whole, "pet_by_f2") {
			t.Errorf("the indexes are %v, %v", whole, err)
		}
	})
}

// A store with many pets answers no listing until its index is complete.
func TestListingsWaitForTheirIndex(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		c := things(t, fieldA)
		s := leadingThings(t, url, c)
		writeThings(t, s, c, batch{At: block(1), First: true,
			Observations: []pet.Observation{see(second+1, alice, thing(t, c, "a", 1))}})
		query := pet.Query{Traits: map[string][]int{"a": {1}}, Limit: 5}
		if _, _, err := s.ListPets(t.Context(), query, pet.PagePosition{}); err != nil {
			t.Errorf("with one pet: %v", err)
		}
		copyPet(t, s, second+1, maxUnindexed+1)
		for name, q := range map[string]pet.Query{
			"filter": query, "owner": {Owner: &alice}, "realm": {Realms: []string{"second"}}, "name": {Name: "x"}} {
			if _, _, err := s.ListPets(t.Context(), q, pet.PagePosition{}); !errors.Is(err, errNotIndexed) {
				t.Errorf("by %s: %v", name, err)
			}
		}
		if why := s.WhyNotListed(t.Context()); !strings.Contains(why, "still being indexed") {
			t.Errorf("the reason is %q", why)
		}
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		if list, _, err := s.ListPets(t.Context(), query, pet.PagePosition{}); err != nil || len(list) != 5 {
			t.Errorf("after it was indexed: %d, %v", len(list), err)
		}
		if why := s.WhyNotListed(t.Context()); why != "" {
			t.Errorf("after it was indexed: %s", why)
		}
	})
}

// copyPet adds n copies of a pet's row, with the ids that follow the pet's id.
func copyPet(t testing.TB, s *Store, id uint64, n int) {
	t.Helper()
	_, err := s.db.ExecContext(t.Context(), fmt.Sprintf(`
		WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < %d)
		INSERT INTO pet (id, block, changed_at, since_block, arrived_at,
			here, presence, in_transit, realm, owner, name, traits, f1)
		SELECT id + n, block, changed_at, since_block, arrived_at,
			here, presence, in_transit, realm, owner, name, traits, f1
		FROM pet, more WHERE id = %d`, n, id))
	if err != nil {
		t.Fatal(err)
	}
}

// A store changes to a collection with other types. All pets are removed, and the realm is read from
// the start.
func TestReindex(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		old := things(t, fieldA, fieldB, "name: gone, type: uint8")
		s := leadingThings(t, url, old)
		id := second + 1
		seeThings(t, s, old, 1, see(id, alice, thing(t, old, "a", 1, "b", 300, "gone", 1)))
		seeThings(t, s, old, 2, see(id, bob, thing(t, old, "a", 2, "b", 400, "gone", 1)))
		now := things(t, "name: b, type: uint32, filter: true", "name: a, type: string", "name: c, type: uint8")
		// Another process opens the store while this one leads.
		other := open(t, url)
		other.SetCollection(now)
		if err := other.CheckCollection(t.Context()); err == nil {
			t.Fatal("the new collection already fits")
		}
		asked, err := other.Reindex(t.Context(), []string{"second", "third"})
		if err != nil || !slices.Equal(asked, []string{"second"}) {
			t.Fatalf("asked for %v, %v", asked, err)
		}
		_, err = s.WritePets(t.Context(), batch{Registry: registry, Realm: realm("second"), At: block(3)}.step())
		if err == nil || !strings.Contains(err.Error(), "start the service again") {
			t.Errorf("the process with the old collection writes on: %v", err)
		}
		if err := s.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		s = leadingThings(t, url, now)
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		if p, there := one(t, s, id); there {
			t.Errorf("it is still there: %+v", p)
		}
		if got := feed(t, s, 0); len(got) != 3 || got[2] != "reread second" {
			t.Errorf("the feed says %q", got)
		}
		if w, err := s.PetWork(t.Context(), "second", 1); err != nil || w.Position != nil {
			t.Errorf("the realm goes on at %+v, %v", w.Position, err)
		}
		seeThings(t, s, now, 4, see(id, bob, thing(t, now, "b", 400)))
		q := pet.Query{Traits: map[string][]int{"b": {400}}, Limit: 5}
		list, _, err := s.ListPets(t.Context(), q, pet.PagePosition{})
		if err != nil || len(list) != 1 {
			t.Errorf("listed %v, %v", list, err)
		}
		// The stored pets fit now. They stay while the realm is read again.
		if asked, err := s.Reindex(t.Context(), []string{"second"}); err != nil ||
			!slices.Equal(asked, []string{"second"}) {
			t.Errorf("asked for %v, %v", asked, err)
		}
		for _, begun := range []bool{false, true} {
			if w, err := s.PetWork(t.Context(), "second", 1); err != nil || w.Reindex == begun {
				t.Errorf("the realm is to be read from the start: %v, %v", w.Reindex, err)
			}
			writeThings(t, s, now, batch{At: block(4), Begin: true})
		}
		if p, _ := one(t, s, id); p.Owner != bob {
			t.Errorf("while it is read again, it is %+v", p)
		}
	})
}

// The transaction that begins to read a realm writes no pets that other realms have in custody,
// however many there are. They are read in steps.
func TestTheBeginningOfAReadingIsBounded(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		c := things(t, fieldA)
		s := leadingThings(t, url, c)
		seeThings(t, s, c, 1, see(second+1, bridge, thing(t, c, "a", 1)))
		copyPet(t, s, second+1, 5000)
		write(t, s, batch{Realm: realm("third"), At: block(1), Begin: true, First: true})
		var wanted int
		err := s.db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pet_wanted WHERE realm = 'third'`).Scan(&wanted)
		if err != nil || wanted > 10 {
			t.Errorf("%d pets are wanted, %v", wanted, err)
		}
		var all []uint64
		for from := uint64(0); ; {
			ids, err := s.PetsToCheck(t.Context(), "", pet.Span{From: from, To: pet.MaxID}, 2000)
			if err != nil || len(ids) > 2000 {
				t.Fatalf("%d ids, %v", len(ids), err)
			}
			if all = append(all, ids...); len(ids) < 2000 {
				break
			}
			from = ids[1999] + 1
		}
		if len(all) != 5001 || !slices.IsSorted(all) {
			t.Errorf("%d pets are in custody", len(all))
		}
	})
}
