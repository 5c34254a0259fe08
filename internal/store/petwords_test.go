package store

import (
	"fmt"
	"slices"
	"testing"

	"petsupply/internal/pet"
)

// Listings filter by words, and counts count them.
func TestWords(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		c := things(t, "name: hat, type: word, filter: true", "name: note, type: word")
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
			list, _, err := s.ListPets(t.Context(),
				pet.Query{Traits: map[string][]int{"hat": {number(word)}}, Limit: 9},
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
	})
}
