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
			return std.Or(std.Compare(traits.Number(seen[b].Value, "rarity"), traits.Number(seen[a].Value, "rarity")), b-a)
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
				"rarity": {0, 2}, "element": {7, 6, 5}}}, func(i int) bool { return i%5 < 3 && i%3 != 1 && i%8 >= 5 }, nil},
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
			"rarest of a keeper": {pet.Query{Order: "rarity", Owner: &bob}, func(i int) bool { return i%7 == 0 }, rarest},
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
				if n, known := censusOf(t, s).Count(test.query); known && test.query.Order != "hungry" && n != uint64(len(want)) {
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
			seen = append(seen, named(see(second+i, alice, traits.V2("appearance", i%1000)), fmt.Sprintf("Moth %05d", i)))
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
			"a trait":          {pet.Query{Name: "moss", Limit: 5, Traits: rare}, []uint64{9000, 9001}, false},
			"another trait":    {pet.Query{Name: "moss", Limit: 5, Traits: map[string][]int{"appearance": {2}}}, nil, false},
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
		if _, err := s.ImportPets(t.Context(), kingdom,
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

// rarePets has 6,000 pets. One in 1,000 is shiny, and few are abroad.
func rarePets(t *testing.T, s *Store) {
	t.Helper()
	fill := func(realm_ string, offset, n uint64) {
		var seen []pet.Observation
		for i := range n {
			shiny := 0
			if i%1000 == 999 {
				shiny = 1
			}
			seen = append(seen, see(offset+i, alice,
				traits.V2("egg", i%5, "rarity", i%3, "element", i%8, "background", i%11, "shiny", shiny)))
		}
		write(t, s, batch{Realm: realm(realm_), At: block(1), First: true, Observations: seen})
	}
	fill("second", second+1, 6000)
	fill("arena", second+10_000, 100)
}

// plan returns the engine's plan for a listing, and the condition that leads it.
func plan(t *testing.T, s *Store, q pet.Query) (text, lead string) {
	t.Helper()
	l := walk{store: s, terms: s.pets().conditions(q)}
	if err := l.leadByRarest(t.Context()); err != nil {
		t.Fatal(err)
	}
	query, args := l.query(&l.terms[0], l.terms[1:], nil, 51)
	args = s.plannedFor(args)
	explain, columns := "EXPLAIN ", 1
	if s.db.Kind == "sqlite" {
		explain, columns = "EXPLAIN QUERY PLAN ", 4
	}
	rows, err := s.db.QueryContext(t.Context(), explain+query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		line := make([]string, columns)
		to := make([]any, columns)
		for i := range line {
			to[i] = &line[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		text += line[columns-1] + "\n"
	}
	return text, l.terms[0].column
}

func TestListingsAreLedByTheRarestCondition(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		rarePets(t, s)
		if err := s.IndexPets(t.Context()); err != nil {
			t.Fatal(err)
		}
		tests := map[string]struct {
			query       pet.Query
			lead, index string
		}{
			"one trait":         {pet.Query{Traits: map[string][]int{"shiny": {1}}}, "f10", "pet_by_f10"},
			"one look":          {pet.Query{Traits: map[string][]int{"appearance": {7}}}, "f8", "pet_by_f8"},
			"one egg":           {pet.Query{Traits: map[string][]int{"egg": {3}}}, "f2", "pet_by_f2 pet_here"},
			"nobody's":          {pet.Query{Traits: map[string][]int{"background": {77}}}, "f9", "pet_by_f9"},
			"a rare one of two": {pet.Query{Traits: map[string][]int{"shiny": {1}, "rarity": {1}}}, "f10", "pet_by_f10"},
			"a common two": {pet.Query{Traits: map[string][]int{"element": {1}, "rarity": {1}}}, "f4",
				"pet_by_f4 pet_here"},
			"rare in a realm": {pet.Query{Realms: []string{"second"}, Traits: map[string][]int{"shiny": {1}}}, "f10",
				"pet_by_f10"},
			"in a small realm": {pet.Query{Realms: []string{"arena"}, Traits: map[string][]int{"rarity": {1}}}, "realm",
				"pet_by_realm pet_pkey"},
			"a rich one's": {pet.Query{Owner: &alice, Traits: map[string][]int{"shiny": {1}}}, "f10", "pet_by_f10"},
			"a poor one's": {pet.Query{Owner: &bob, Traits: map[string][]int{"rarity": {1}}}, "owner", "pet_by_owner"},
			"everything at once": {pet.Query{Owner: &alice, Realms: []string{"second"},
				Traits: map[string][]int{"egg": {4}, "rarity": {0}, "element": {7}, "background": {10},
					"shiny": {1}}}, "f10", "pet_by_f10"},
		}
		if s.db.Kind == "postgres" { // PostgreSQL gathers statistics; SQLite has none
			if _, err := s.db.ExecContext(t.Context(), "ANALYZE"); err != nil {
				t.Fatal(err)
			}
		}
		for name, test := range tests {
			text, lead := plan(t, s, test.query)
			led := false
			for _, index := range strings.Fields(test.index) {
				led = led || strings.Contains(text, index)
			}
			if lead != test.lead || !led || strings.Contains(text, "TEMP B-TREE") {
				t.Errorf("%s: led by %s\n%s", name, lead, text)
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
	s := leading(t, postgres.Start(t))
	rarePets(t, s)
	if err := s.IndexPets(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.db.SetMaxOpenConns(1)
	for _, setting := range []string{"parallel_setup_cost = 0", "parallel_tuple_cost = 0", "cpu_tuple_cost = 100",
		"min_parallel_table_scan_size = 0", "min_parallel_index_scan_size = 0"} { // as if the store were large
		if _, err := s.db.ExecContext(t.Context(), "SET "+setting); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := plan(t, s, pet.Query{Traits: map[string][]int{"element": {1}, "rarity": {1}, "egg": {2}}})
	if strings.Contains(text, "Gather") {
		t.Errorf("the plan uses parallel workers: %s", text)
	}
}
