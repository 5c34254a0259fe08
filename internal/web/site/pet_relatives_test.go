package site

import (
	"cmp"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/testkit/traits"
)

// listedPets lists pets as a store does, as far as a pet's page needs it.
type listedPets struct{ *fakePets }

func (h listedPets) List(_ context.Context, q pet.Query) (pet.Page, error) {
	var out []pet.Pet
	for _, p := range h.pets {
		differs := func(key string) bool { return !slices.Contains(q.Traits[key], int(traits.Number(p.Value, key))) }
		if q.Owner != nil && p.Owner != *q.Owner ||
			q.Name != "" && !strings.HasPrefix(strings.ToLower(p.Name), q.Name) || len(q.Traits) > 0 && (differs("egg") || differs("appearance")) ||
			q.Order == pet.ByID && p.ID < q.From.ID || q.Order == pet.Newest && p.ID >= q.From.ID {
			continue
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b pet.Pet) int {
		if q.Order == pet.Newest {
			return cmp.Compare(b.ID, a.ID)
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return pet.Page{Pets: out[:min(len(out), q.Limit)]}, h.away
}

func numbers(pets []pet.Pet) (out []uint64) {
	for _, p := range pets {
		out = append(out, p.ID)
	}
	return out
}

// familyOf finds three kinds of one family.
func familyOf(t *testing.T, s *Site) []collection.Kind {
	t.Helper()
	for _, k := range s.Words.Kinds() {
		family := slices.DeleteFunc(slices.Clone(s.Words.Kinds()), func(o collection.Kind) bool {
			return k.Family == "" ||
				o.Family != k.Family
		})
		if len(family) == 3 {
			return family
		}
	}
	t.Fatal("no family has three kinds")
	return nil
}

func TestNoValueIsTheSameAsNone(t *testing.T) {
	none, food := trait{Name: "Fed by", Value: "none"}, trait{Name: "Food", Value: "2"}
	for _, c := range slices.Concat(compare([]trait{none, food}, nil), compare(nil, []trait{none, food})) {
		if c.Same != (c.Name == none.Name) {
			t.Errorf("%s: the same is %v", c.Name, c.Same)
		}
	}
}

func TestRelatives(t *testing.T) {
	s := bare(t)
	family := familyOf(t, s)
	mine, other := common.Address{1}, common.Address{2}
	h := listedPets{&fakePets{pets: map[uint64]pet.Pet{}}}
	s.Pets = h
	add := func(id uint64, owner common.Address, k collection.Kind) pet.Pet {
		h.pets[id] = pet.Pet{ID: id, Owner: owner, Value: traits.V2("egg", k.Numbers[0], "appearance", k.Numbers[1],
			"rarity", id%5)}
		return h.pets[id]
	}
	first, last := add(3, mine, family[0]), add(90, mine, family[0])
	add(7, other, family[0])
	add(20, other, family[1])
	add(21, mine, family[1])
	relativesOf := func(p pet.Pet, query string) (relatives, error) {
		t.Helper()
		return s.relatives(httptest.NewRequest(http.MethodGet, "/?"+query, nil), p)
	}
	k, err := relativesOf(first, "")
	if err != nil || k.Before != nil || k.After == nil || k.After.ID != 7 || k.With != nil {
		t.Errorf("the first pet's neighbours: %+v %v", k, err)
	}
	// The page shows one pet of the family's second look. No pet has the third look.
	if !slices.Equal(numbers(k.Kin), []uint64{20}) || !slices.Equal(numbers(k.Others), []uint64{21, 90}) {
		t.Errorf("family %v, of the same owner %v", numbers(k.Kin), numbers(k.Others))
	}
	first.InTransit = true
	if k, err = relativesOf(first, ""); err != nil || len(k.Others) > 0 {
		t.Errorf("a pet in transit has pets of the bridge beside it: %v %v", numbers(k.Others), err)
	}
	if k, err = relativesOf(last, ""); err != nil || k.After != nil || k.Before == nil || k.Before.ID != 21 {
		t.Errorf("the last pet's neighbours: %+v %v", k, err)
	}
	k, err = relativesOf(first, "with=%237")
	if err != nil || k.With == nil || k.With.ID != 7 || len(k.Against) != len(k.Traits) {
		t.Fatalf("the comparison with pet 7 is %+v, %v", k, err)
	}
	for _, x := range k.Against { // they differ only in rarity
		if x.Same != (x.Name != "Rarity") {
			t.Errorf("%s: the same is %v", x.Name, x.Same)
		}
	}
	for _, text := range []string{"4", "second 99999999999999"} {
		k, err := relativesOf(first, "with="+url.QueryEscape(text))
		if err != nil || !k.Missing || k.Typed != text || k.With != nil {
			t.Errorf("the comparison with %s: %+v, %v", text, k, err)
		}
	}
	// A number of several realms means the pet from the same realm. The others are offered.
	for _, realm := range []uint64{0, pet.Band} {
		h.pets[realm+50] = pet.Pet{ID: realm + 50, Realm: "first", Value: traits.V2("egg", 0, "appearance", 1), Name: "Zed"}
	}
	away := h.pets[pet.Band+50]
	for _, c := range []struct {
		p       pet.Pet
		typed   string
		with    uint64
		choices []choice
	}{
		{first, "50", 50, []choice{{Name: "Zed #50 · Second", Link: "/pet/3?with=Second+50#compare"}}},
		{away, "50", 50, nil}, // not with itself
		{away, "3", 3, nil},   // no other realm has this number
		{first, "second 50", pet.Band + 50, nil},
		{away, "zed", 0, []choice{{Name: "Zed #50 · First", Link: "/pet/1000000000050?with=First+50#compare"}}},
		{first, "no such name", 0, nil},
		{first, strings.Repeat("z", 999), 0, nil},
	} {
		k, err := relativesOf(c.p, "with="+url.QueryEscape(c.typed))
		with := uint64(0)
		if k.With != nil {
			with = k.With.ID
		}
		if err != nil || k.Missing || with != c.with || !slices.Equal(k.Choices, c.choices) {
			t.Errorf("pet %d with %.20s: %d, choices %+v, %v", c.p.ID, c.typed, with, k.Choices, err)
		}
	}
	if k, err := relativesOf(first, "with="+url.QueryEscape(family[1].Name)); err != nil || len(k.Choices) != 2 {
		t.Errorf("choices of a kind: %+v, %v", k.Choices, err)
	}
	for id := range uint64(mostChoices + 1) {
		if k, err := relativesOf(first, "with=moss"); err != nil || id < mostChoices && k.More != "" {
			t.Errorf("with %d pets called Moss: %q, %v", id, k.More, err)
		}
		h.pets[60+id] = pet.Pet{ID: 60 + id, Realm: "first", Value: traits.V2("egg", 0, "appearance", 1), Name: "Moss"}
	}
	if k, err := relativesOf(first, "with=moss"); err != nil || len(k.Choices) != mostChoices || k.More != "/gallery?id=moss" {
		t.Errorf("with too many choices: %d, %q, %v", len(k.Choices), k.More, err)
	}
	h.away = pet.ErrUnavailable
	if k, err := relativesOf(first, ""); err != nil || k.After != nil || len(k.Traits) == 0 {
		t.Errorf("without the store the page shows no other pets: %+v %v", k, err)
	}
}
