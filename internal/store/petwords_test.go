package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// Listings filter by words, counts count them, and pages offer them.
func TestWords(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		c := things(t, "name: hat, type: word, filter: true, counted: true", "name: note, type: word")
		texts, err := c.Texts(nil, func(s string) string { return s })
		if err != nil {
			t.Fatal(err)
		}
		number := func(word string) int {
			n, ok := texts.FieldNumber(c.FieldNamed("hat"), word)
			if !ok {
				t.Errorf("%q is no word", word)
			}
			return int(n)
		}
		s := leadingThings(t, url, c)
		var seen []pet.Observation
		for i, hat := range []string{"Crown", "None", "crown", "Straw hat", "", "None"} {
			seen = append(seen, see(second+uint64(i), alice, thing(t, c, "hat", hat, "note", fmt.Sprint("n", i))))
		}
		seen = append(seen, see(second+6, alice, thing(t, c, "note", "no hat")))
		seeThings(t, s, c, 1, seen...)
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		for word, want := range map[string][]uint64{"CROWN": {0, 2}, "None": {1, 5}, "straw hat": {3}, "Helmet": nil} {
			list, _, err := s.ListPets(t.Context(), pet.Query{Traits: map[string][]int{"hat": {number(word)}}, Limit: 9},
				pet.PagePosition{})
			var got []uint64
			for _, p := range list {
				got = append(got, p.ID-second)
			}
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s lists %v, %v", word, got, err)
			}
			if n, known := censusOf(t, s).Count(pet.Query{Traits: map[string][]int{"hat": {number(word)}}}); !known ||
				n != uint64(len(want)) {
				t.Errorf("%s: %d are counted", word, n)
			}
		}
		offered := censusOf(t, s).Words["hat"]
		slices.SortFunc(offered, func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) })
		if len(offered) != 3 || !strings.EqualFold(offered[0], "crown") || offered[1] != "None" || offered[2] != "Straw hat" {
			t.Errorf("offered are %q", offered)
		}
	})
}

// The census has the numbers of filters that are not counted, once their index exists, but not too
// many of them.
func TestOfferedNumbers(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		c := things(t, "name: season, type: uint8, filter: true", "name: size, type: uint16, filter: true",
			"name: rank, type: uint8, filter: true, counted: true", "name: age, type: uint8, sort: ascending",
			"name: debt, type: int8, filter: true")
		s := leadingThings(t, url, c)
		var seen []pet.Observation
		for i := range pet.MaxOffered + 1 {
			traits := thing(t, c, "size", i, "season", []int{7, 0, 255}[i%3])
			seen = append(seen, see(second+uint64(i), alice, traits))
		}
		seeThings(t, s, c, 1, seen...)
		if got := censusOf(t, s).Values; len(got) > 0 {
			t.Errorf("without indexes, %v is offered", got)
		}
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(censusOf(t, s).Values); got != "map[season:[0 7 255]]" {
			t.Errorf("%s is offered", got)
		}
		seeThings(t, s, c, 2, see(second, alice, thing(t, c, "season", "1")), see(second+1, alice, thing(t, c, "size", "9")))
		if got := censusOf(t, s).Values; len(got["size"]) != pet.MaxOffered-1 || !slices.Equal(got["season"], []int{0, 1, 7, 255}) {
			t.Errorf("then %v is offered", got)
		}
	})
}

// A field with too many words is rejected, and the transaction is rolled back.
func TestTooManyWords(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		c := things(t, "name: hat, type: word, filter: true")
		s := leadingThings(t, url, c)
		k := &pet.Kingdom{Collection: c, Realms: []pet.Realm{{Key: "first", Offset: &zero, Closed: true}}}
		_, err := s.db.ExecContext(t.Context(), fmt.Sprintf(`WITH RECURSIVE more (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < %d)
			INSERT INTO pet_word (field, number, word) SELECT 'hat', n, $1 FROM more`, maxWords-1), []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		put := func(id uint64, hat string) error {
			_, err := s.ImportPets(t.Context(), k,
				[]pet.Pet{{ID: id, Realm: "first", Owner: alice, Value: thing(t, c, "hat", hat)}})
			return err
		}
		if err := put(1, "last"); err != nil {
			t.Fatal(err)
		}
		if err := put(2, "one more"); err == nil ||
			!strings.Contains(err.Error(), "the field hat has more than 65535 different words") {
			t.Errorf("the error is %v", err)
		}
		if err := put(3, "LAST"); err != nil {
			t.Errorf("a word that is known: %v", err)
		}
		found, err := s.PetsByID(t.Context(), []uint64{1, 2, 3})
		if _, kept := found[2]; err != nil || kept || len(found) != 2 {
			t.Errorf("found %v, %v", found, err)
		}
	})
}

// A word becomes a filter. The store learns the words from its pets.
func TestAWordBecomesAFilter(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		value := func(c *collection.Collection) collection.Value { return thing(t, c, "hat", "Crown") }
		old := things(t, "name: hat, type: word")
		s := leadingThings(t, url, old)
		seeThings(t, s, old, 1, see(second, alice, value(old)))
		if err := s.Resign(t.Context()); err != nil {
			t.Fatal(err)
		}
		now := things(t, "name: hat, type: word, filter: true")
		s = leadingThings(t, url, now)
		writeThings(t, s, now, batch{At: block(2)})
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		number := int(now.Uint(value(now), now.FieldNamed("hat")))
		list, _, err := s.ListPets(t.Context(), pet.Query{Traits: map[string][]int{"hat": {number}}, Limit: 9},
			pet.PagePosition{})
		if err != nil || len(list) != 1 || !slices.Equal(censusOf(t, s).Words["hat"], []string{"Crown"}) {
			t.Errorf("listed %v, offered %q, %v", list, censusOf(t, s).Words, err)
		}
	})
}
