package store

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet"
	"petsupply/testkit/postgres"
	"petsupply/testkit/traits"
)

var petCounts = flag.String("pets", "10000", "how many pets the stores of BenchmarkPets have, separated by commas")

// BenchmarkPets looks up pets by id in stores of several sizes:
//
//	go test ./internal/store -run - -bench Pets -benchtime 20000x -pets 10000,1000000,5000000
func BenchmarkPets(b *testing.B) {
	for text := range strings.SplitSeq(*petCounts, ",") {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		b.Run("sqlite/"+text, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "pets.db")
			benchLookups(b, "sqlite://"+path, n, func(s *Store) int64 {
				if _, err := s.db.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
					b.Fatal(err)
				}
				info, err := os.Stat(path)
				if err != nil {
					b.Fatal(err)
				}
				return info.Size()
			})
		})
		b.Run("postgres/"+text, func(b *testing.B) {
			benchLookups(b, postgres.Start(b), n, func(s *Store) (size int64) {
				if err := s.db.QueryRow("SELECT pg_total_relation_size('pet')").Scan(&size); err != nil {
					b.Fatal(err)
				}
				return size
			})
		})
	}
}

func benchLookups(b *testing.B, url string, n uint64, size func(*Store) int64) {
	s := leading(b, url)
	began := time.Now()
	fill(b, s, n)
	rate := float64(n) / time.Since(began).Seconds()
	bytes := size(s)
	took := make([]time.Duration, 0, b.N)
	for range 200 { // warm up connections and statements
		lookup(b, s, n)
	}
	for b.Loop() {
		began := time.Now()
		lookup(b, s, n)
		took = append(took, time.Since(began))
	}
	b.StopTimer()
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns")
	b.ReportMetric(rate, "pets/s")
	b.ReportMetric(float64(bytes)/float64(n), "bytes/pet")
}

func lookup(b *testing.B, s *Store, n uint64) {
	id := second + 1 + rand.Uint64N(n)
	found, err := s.PetsByID(b.Context(), []uint64{id})
	if err != nil || found[id].ID != id {
		b.Fatalf("pet %d was not found: %v", id, err)
	}
}

// BenchmarkListings does the gallery's queries: first pages in every order, for common, rare and
// absent traits, searches by name, and the counts:
//
//	go test ./internal/store -run - -bench Listings/postgres -benchtime 100x -pets 10000,1000000
func BenchmarkListings(b *testing.B) {
	keeper := common.BytesToAddress([]byte("owner 1"))
	listings := []struct {
		name  string
		query pet.Query
	}{
		{"everything", pet.Query{}},
		{"a common trait", pet.Query{Traits: map[string][]int{"egg": {3}}}},
		{"a rare trait", pet.Query{Traits: map[string][]int{"shiny": {1}}}},
		{"a trait that nobody has", pet.Query{Traits: map[string][]int{"background": {200}}}},
		{"two common traits", pet.Query{Traits: map[string][]int{"egg": {3}, "element": {2}}}},
		{"the newest of a trait", pet.Query{Order: pet.Newest, Traits: map[string][]int{"egg": {3}}}},
		{"the rarest", pet.Query{Order: "rarity"}},
		{"the rarest of two traits", pet.Query{Order: "rarity", Traits: map[string][]int{"egg": {3}, "element": {2}}}},
		{"the rarest of nobody", pet.Query{Order: "rarity", Traits: map[string][]int{"background": {200}}}},
		{"the hungriest", pet.Query{Order: "hungry"}},
		{"the hungriest of two traits", pet.Query{Order: "hungry", Traits: map[string][]int{"egg": {3}, "element": {2}}}},
		{"the hungriest of nobody", pet.Query{Order: "hungry", Traits: map[string][]int{"background": {200}}}},
		{"one creature", pet.Query{Traits: map[string][]int{"egg": {3}, "appearance": {13}}}},
		{"the rarest of one creature", pet.Query{Order: "rarity", Traits: map[string][]int{"egg": {3}, "appearance": {13}}}},
		{"a keeper", pet.Query{Owner: &keeper}},
		{"the hungriest of a keeper", pet.Query{Order: "hungry", Owner: &keeper}},
		{"a name", pet.Query{Name: "pet 12"}},
		{"a name that nobody has", pet.Query{Name: "zzz"}},
		{"two that never meet", pet.Query{Traits: map[string][]int{"rarity": {1}, "shiny": {0}, "background": {10},
			"element": {7}, "egg": {4}}}},
	}
	for text := range strings.SplitSeq(*petCounts, ",") {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			b.Fatal(err)
		}
		for engine, address := range map[string]func() string{
			"sqlite":   func() string { return "sqlite://" + filepath.Join(b.TempDir(), "pets.db") },
			"postgres": func() string { return postgres.Start(b) },
		} {
			b.Run(engine+"/"+text, func(b *testing.B) { // run once, because it has parts
				s := leading(b, address())
				fill(b, s, n)
				if err := s.IndexPets(b.Context()); err != nil {
					b.Fatal(err)
				}
				if engine == "postgres" {
					if _, err := s.db.Exec("ANALYZE pet"); err != nil {
						b.Fatal(err)
					}
				}
				for _, l := range listings {
					l.query.Limit = 50
					b.Run(l.name, func(b *testing.B) {
						for b.Loop() {
							if _, _, err := s.ListPets(b.Context(), l.query, pet.PagePosition{}); err != nil {
								b.Fatal(err)
							}
						}
					})
				}
				b.Run("a number", func(b *testing.B) {
					for b.Loop() {
						lookup(b, s, n)
					}
				})
				b.Run("the counts", func(b *testing.B) {
					for b.Loop() {
						if _, err := s.PetCensus(b.Context()); err != nil {
							b.Fatal(err)
						}
					}
				})
			})
		}
	}
}

// fill writes n pets as a bootstrap does.
func fill(b *testing.B, s *Store, n uint64) {
	const step = 2000
	for from := uint64(0); from < n; from += step {
		var seen []pet.Observation
		for i := from; i < min(from+step, n); i++ {
			name, shiny, fedBy := "", 0, common.Address{}
			if i%50_000 == 4_999 {
				shiny = 1
			}
			if i%10 == 0 {
				name, fedBy = fmt.Sprint("Pet ", i), common.Address{7}
			}
			v := traits.V2("season", 1, "egg", i%5, "rarity", i%3, "element", i%8, "bonuscount", 2, "profbonus",
				i%200, "craftbonus", i%90,
				"appearance", i%140, "background", i%11, "hungryat", 1_700_000_000+i, "shiny", shiny, "fedby", fedBy.Hex())
			seen = append(seen, named(see(second+1+i, common.BytesToAddress([]byte(fmt.Sprint("owner ", i/12))), v), name))
		}
		_, err := s.WritePets(b.Context(),
			batch{Realm: realm("second"), Kingdom: kingdom, At: block(9), First: true, Observations: seen}.step())
		if err != nil {
			b.Fatal(err)
		}
		if ok, err := s.Campaign(b.Context(), "bench", time.Minute); err != nil || !ok {
			b.Fatalf("taking the lease: %v, %v", ok, err)
		}
	}
}
