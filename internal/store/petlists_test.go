package store

import (
	std "cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/pet"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

func TestListings(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		var seen []pet.Observation
		for i := range uint64(300) {
			owner := alice
			if i%7 == 0 {
				owner = bob
			}
			seen = append(seen, see(second+1+i, owner,
				traits.V2("egg", i%5, "rarity", i%3, "element", i%8, "shiny", i%2*(1+i%3), "background", i%11,
					"appearance", uint16(i%4)*10923, "hungryat", i*7919%300)))
		}
		write(t, s, batch{Realm: realm("second"), At: block(1), Observations: seen[:200]})
		write(t, s, batch{Realm: realm("third"), At: block(1), Observations: seen[200:]})
		every := func(int) bool { return true }
		hungry := func(a, b int) int {
			return std.Compare(traits.Number(seen[a].Value, "hungry"), traits.Number(seen[b].Value, "hungry"))
		}
		newest := func(a, b int) int { return b - a }
		rarest := func(a, b int) int {
			return std.Or(std.Compare(traits.Number(seen[b].Value, "rarity"), traits.Number(seen[a].Value, "rarity")),
				b-a)
		}
		for name, test := range map[string]struct {
			query pet.Query
			want  func(i int) bool
			order func(a, b int) int // nil: by id
		}{
			"all":      {pet.Query{}, every, nil},
			"realm":    {pet.Query{Realms: []string{"third"}}, func(i int) bool { return i >= 200 }, nil},
			"no realm": {pet.Query{Realms: []string{"elsewhere"}}, func(int) bool { return false }, nil},
			"owner":    {pet.Query{Owner: &bob}, func(i int) bool { return i%7 == 0 }, nil},
			"traits": {pet.Query{Traits: map[string][]int{"egg": {2}, "rarity": {1}}},
				func(i int) bool { return i%5 == 2 && i%3 == 1 }, nil},
			"all traits": {pet.Query{Traits: map[string][]int{"egg": {0}, "rarity": {0}, "element": {0}, "shiny": {0},
				"background": {0}}, Owner: &bob}, func(i int) bool { return i == 0 }, nil},
			"shiny by any number": {pet.Query{Traits: map[string][]int{"shiny": {1}}},
				func(i int) bool { return i%2 == 1 }, nil},
			"no such": {pet.Query{Traits: map[string][]int{"element": {math.MaxInt}}},
				func(int) bool { return false }, nil},
			"negative": {pet.Query{Traits: map[string][]int{"element": {math.MinInt}}},
				func(int) bool { return false }, nil},
			"creature": {pet.Query{Traits: map[string][]int{"egg": {1}, "appearance": {32769}}},
				func(i int) bool { return i%5 == 1 && i%4 == 3 }, nil},
			"no such creature": {pet.Query{Traits: map[string][]int{"egg": {1}, "appearance": {math.MaxInt16}}},
				func(int) bool { return false }, nil},
			"two eggs": {pet.Query{Traits: map[string][]int{"egg": {4, 1}}},
				func(i int) bool { return i%5 == 4 || i%5 == 1 }, nil},
			"many lists": {pet.Query{Realms: []string{"second", "third"}, Traits: map[string][]int{"egg": {0, 1, 2},
				"rarity": {0, 2}, "element": {7, 6, 5}}},
				func(i int) bool { return i%5 < 3 && i%3 != 1 && i%8 >= 5 }, nil},
			"a list and nobody": {pet.Query{Traits: map[string][]int{"egg": {1, 77}, "rarity": {9, 8}}},
				func(i int) bool { return false }, nil},
			"newest of lists": {pet.Query{Order: pet.Newest, Traits: map[string][]int{"egg": {2, 3}, "rarity": {1, 0}}},
				func(i int) bool { return (i%5 == 2 || i%5 == 3) && i%3 < 2 }, newest},
			"hungry of lists": {pet.Query{Order: "hungry", Traits: map[string][]int{"egg": {2, 3}, "rarity": {1, 2}}},
				func(i int) bool { return (i%5 == 2 || i%5 == 3) && i%3 > 0 }, hungry},
			"rarest of two rarities": {pet.Query{Order: "rarity", Traits: map[string][]int{"rarity": {0, 2}}},
				func(i int) bool { return i%3 != 1 }, rarest},
			"newest": {pet.Query{Order: pet.Newest}, every, newest},
			"newest of a trait": {pet.Query{Order: pet.Newest, Traits: map[string][]int{"egg": {2}}},
				func(i int) bool { return i%5 == 2 }, newest},
			"newest of two": {pet.Query{Order: pet.Newest, Traits: map[string][]int{"egg": {2}, "rarity": {1}}},
				func(i int) bool { return i%5 == 2 && i%3 == 1 }, newest},
			"hungry": {pet.Query{Order: "hungry"}, func(i int) bool { return i > 0 }, hungry},
			"hungry of a trait": {pet.Query{Order: "hungry", Traits: map[string][]int{"rarity": {2}}},
				func(i int) bool { return i%3 == 2 }, hungry},
			"hungry of a realm": {pet.Query{Order: "hungry", Realms: []string{"third"}},
				func(i int) bool { return i >= 200 }, hungry},
			"rarest": {pet.Query{Order: "rarity"}, every, rarest},
			"rarest of a trait": {pet.Query{Order: "rarity", Traits: map[string][]int{"egg": {2}}},
				func(i int) bool { return i%5 == 2 }, rarest},
			"rarest of a rarity": {pet.Query{Order: "rarity", Traits: map[string][]int{"egg": {2}, "rarity": {1}}},
				func(i int) bool { return i%5 == 2 && i%3 == 1 }, rarest},
			"rarest of a keeper": {pet.Query{Order: "rarity", Owner: &bob},
				func(i int) bool { return i%7 == 0 }, rarest},
			"rarest of nobody": {pet.Query{Order: "rarity", Traits: map[string][]int{"egg": {7}}},
				func(int) bool { return false }, nil},
			"hungry of a keeper": {pet.Query{Order: "hungry", Owner: &bob},
				func(i int) bool { return i > 0 && i%7 == 0 }, hungry},
		} {
			t.Run(name, func(t *testing.T) {
				var wanted []int
				for i := range seen {
					if test.want(i) {
						wanted = append(wanted, i)
					}
				}
				if test.order != nil {
					slices.SortFunc(wanted, test.order)
				}
				var want, got []uint64
				for _, i := range wanted {
					want = append(want, seen[i].ID)
				}
				if n, known := censusOf(t, s).Count(test.query); known && test.query.Order != "hungry" &&
					n != uint64(len(want)) {
					t.Errorf("the census says %d, not %d", n, len(want))
				}
				test.query.Limit = 17
				for from := (pet.PagePosition{}); ; {
					pets, next, err := s.ListPets(t.Context(), test.query, from)
					if err != nil || len(pets) > 17 {
						t.Fatalf("%d pets, %v", len(pets), err)
					}
					for _, p := range pets {
						got = append(got, p.ID)
					}
					if from = next; next == (pet.PagePosition{}) {
						break
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	})
}

func TestPetsAreFoundByName(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		var seen []pet.Observation
		for i, name := range []string{"", "Bramble", "bramble the Second", "BRAMBLE", "Brambl", "\xff\xfe", "Ærø",
			strings.Repeat("long ", 3000)} {
			seen = append(seen, named(see(second+uint64(i), alice, traits.V2()), name))
		}
		write(t, s, batch{Realm: realm("second"), At: block(1), Observations: seen})
		for text, want := range map[string][]uint64{
			"bramble": {1, 2, 3}, "BRAMBLE": {1, 3, 2}, "Brambl": {4, 1, 2, 3}, "bramble t": {2}, "ær": {6},
			"long long": {7}, "\xff": {5},
			"%_\x00' OR 1=1 --\xff" + strings.Repeat("x", 300): nil, strings.Repeat("long ", 9): {7},
		} {
			list, next, err := s.ListPets(t.Context(), pet.Query{Name: text, Limit: 50}, pet.PagePosition{})
			var got []uint64
			for _, p := range list {
				got = append(got, p.ID-second)
			}
			if diff := cmp.Diff(want, got); err != nil || diff != "" || next != (pet.PagePosition{}) {
				t.Errorf("%.20q: %v, %v %s", text, err, next, diff)
			}
		}
	})
}

// A search for a name applies the other filters too, and reads a bounded number of names. It says
// whether there may be more pets.
func TestNamedPetsAreFiltered(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		var seen []pet.Observation
		for i := range uint64(maxSortedRows + 1) {
			seen = append(seen,
				named(see(second+i, alice, traits.V2("appearance", i%1000)), fmt.Sprintf("Moth %05d", i)))
		}
		seen = append(seen, named(see(second+9000, bob, traits.V2("appearance", 1)), "moss"),
			named(see(second+9001, alice, traits.V2("appearance", 1)), "MOSS"))
		write(t, s, batch{Realm: realm("second"), At: block(1), First: true, Observations: seen})
		rare := map[string][]int{"appearance": {1}}
		for name, test := range map[string]struct {
			q    pet.Query
			want []uint64
			more bool
		}{
			"a trait": {pet.Query{Name: "moss", Limit: 5, Traits: rare}, []uint64{9000, 9001}, false},
			"another trait": {pet.Query{Name: "moss", Limit: 5, Traits: map[string][]int{"appearance": {2}}},
				nil, false},
			"an owner":         {pet.Query{Name: "moss", Limit: 5, Owner: &bob}, []uint64{9000}, false},
			"another realm":    {pet.Query{Name: "moss", Limit: 5, Realms: []string{"first"}}, nil, false},
			"a full page":      {pet.Query{Name: "mo", Limit: 2, Traits: rare}, []uint64{1, 1001}, true},
			"too many names":   {pet.Query{Name: "moth", Limit: 5, Traits: rare}, []uint64{1, 1001}, true},
			"no condition":     {pet.Query{Name: "moth", Limit: 2}, []uint64{0, 1}, true},
			"exactly one page": {pet.Query{Name: "moss", Limit: 2}, []uint64{9000, 9001}, false},
		} {
			list, next, err := s.ListPets(t.Context(), test.q, pet.PagePosition{})
			var got []uint64
			for _, p := range list {
				got = append(got, p.ID-second)
			}
			if diff := cmp.Diff(test.want, got); err != nil || diff != "" || next != (pet.PagePosition{}) != test.more {
				t.Errorf("%s: %v, more: %v %s", name, err, next, diff)
			}
		}
	})
}

func TestPetZeroIsListed(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := open(t, url)
		if _, err := s.ImportPets(t.Context(), registry,
			[]pet.Pet{{ID: 0, Realm: "first", Owner: alice}, {ID: 1, Realm: "first", Owner: alice}}); err != nil {
			t.Fatal(err)
		}
		for _, q := range []pet.Query{{Limit: 1}, {Limit: 1, Owner: &alice},
			{Limit: 1, Owner: &alice, Realms: []string{"first"}}} {
			var ids []uint64
			for from, more := (pet.PagePosition{}), true; more; {
				pets, next, err := s.ListPets(t.Context(), q, from)
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range pets {
					ids = append(ids, p.ID)
				}
				from, more = next, next != (pet.PagePosition{})
			}
			if !cmp.Equal(ids, []uint64{0, 1}) {
				t.Errorf("%+v lists %v", q, ids)
			}
		}
	})
}

func TestListingsArePlannedForTheirOwnValues(t *testing.T) {
	s := leading(t, postgres.Start(t))
	s.db.SetMaxOpenConns(1)
	for range 10 { // after five runs, PostgreSQL may use one plan for all values
		if _, _, err := s.ListPets(t.Context(),
			pet.Query{Limit: 9, Realms: []string{"second"},
				Traits: map[string][]int{"shiny": {1}}}, pet.PagePosition{}); err != nil {
			t.Fatal(err)
		}
	}
	var generic int
	err := s.db.QueryRowContext(t.Context(),
		`SELECT COALESCE(SUM(generic_plans), 0) FROM pg_prepared_statements WHERE statement LIKE $1`,
		"%ORDER BY id LIMIT%").Scan(&generic)
	if err != nil || generic > 0 {
		t.Errorf("%d listings used a generic plan, %v", generic, err)
	}
}

// A page is read by one process of PostgreSQL. Starting workers would take longer than reading the
// page.
func TestListingsStartNoWorkers(t *testing.T) {
	s := open(t, postgres.Start(t))
	var workers int
	err := s.db.QueryRowContext(t.Context(),
		`SELECT CAST(current_setting('max_parallel_workers_per_gather') AS INT)`).Scan(&workers)
	if err != nil || workers != 0 {
		t.Errorf("a query may start %d workers, %v", workers, err)
	}
}
