package store

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
)

// Spans of the queue never overlap, cover exactly what was asked for and not read yet, and are read
// in the order in which they were asked for, however often a contract announces all its pets.
func TestSpansOfTheQueue(t *testing.T) {
	onBoth(t, func(t *testing.T, url string) {
		s := leading(t, url)
		dice := rand.New(rand.NewPCG(7, 7))
		var wanted [100]bool
		for round := range 150 {
			from := uint64(dice.IntN(90))
			to := from + uint64(dice.IntN(10))
			b := batch{Realm: realm("second"), At: block(1), Position: index.Position{Phase: "follow"}}
			part := pet.Span{From: from, To: to}
			asks := dice.IntN(2) == 0
			if asks {
				b.Spans = []pet.Span{part, part}
			} else {
				b.Span = part
			}
			write(t, s, b)
			for id := from; id <= to; id++ {
				wanted[id] = asks
			}
			var covered [100]bool
			for _, w := range queued(t, s) {
				for id := w.From; id <= w.To; id++ {
					if covered[id] {
						t.Fatalf("round %d: id %d is queued twice", round, id)
					}
					covered[id] = true
				}
			}
			if covered != wanted {
				t.Fatalf("round %d: covered %v, want %v", round, covered, wanted)
			}
		}
	})
}

// queued returns all rows of a queue.
func queued(t *testing.T, s *Store) []pet.Span {
	t.Helper()
	spans, err := list(t.Context(), s.db, func(scan scanFunc, p *pet.Span) error { return scan(&p.From, &p.To) },
		`SELECT first_id, last_id - 1 FROM pet_wanted WHERE realm = 'second' AND first_id < last_id ORDER BY first_id`)
	if err != nil {
		t.Fatal(err)
	}
	return spans
}

// A contract announces all its pets before each step. Every pet is still read in turn.
func TestRepeatedAnnouncementsStarveNoPet(t *testing.T) {
	s := leading(t, "sqlite://"+t.TempDir()+"/pets.db")
	following := index.Position{Phase: "follow"}
	all := []pet.Span{{To: 999}}
	var read []uint64
	for range 30 {
		write(t, s, batch{Realm: realm("second"), At: block(1), Position: following, Spans: all})
		w, err := s.PetWork(t.Context(), "second", 10)
		if err != nil || w.Span == nil {
			t.Fatalf("the work is %+v, %v", w, err)
		}
		part := pet.Span{From: w.Span.From, To: min(w.Span.To, w.Span.From+99)}
		read = append(read, part.From)
		write(t, s, batch{Realm: realm("second"), At: block(1), Position: following, Span: part})
	}
	for from := uint64(0); from < 1000; from += 100 {
		if !slices.Contains(read, from) {
			t.Errorf("in 30 steps pets %d to %d were never read: %v", from, from+99, read)
		}
	}
}

// Single ids and spans do not depend on each other.
func TestASpanDoesNotAnswerForASingleID(t *testing.T) {
	s := leading(t, "sqlite://"+t.TempDir()+"/pets.db")
	write(t, s, batch{Realm: realm("second"), At: block(1), Position: index.Position{Phase: "follow"},
		Spans: []pet.Span{{From: 1, To: 9}}, Want: map[uint64]time.Time{5: time.Unix(1, 0)}})
	write(t, s, batch{Realm: realm("second"), At: block(1), Position: index.Position{Phase: "follow"},
		Span: pet.Span{From: 1, To: 9}})
	w, err := s.PetWork(t.Context(), "second", 10)
	if err != nil || !slices.Equal(w.Wanted, []uint64{5}) || w.Span != nil {
		t.Errorf("the work is %+v, %v", w, err)
	}
}

// A span that was cut down to one id is still read as a span, under the guard against broken
// contracts.
func TestASpanOfOneIDIsASpan(t *testing.T) {
	s := leading(t, "sqlite://"+t.TempDir()+"/pets.db")
	following := index.Position{Phase: "follow"}
	write(t, s, batch{Realm: realm("second"), At: block(1), Position: following, Spans: []pet.Span{{From: 1, To: 9}}})
	write(t, s, batch{Realm: realm("second"), At: block(1), Position: following, Span: pet.Span{From: 1, To: 8}})
	w, err := s.PetWork(t.Context(), "second", 10)
	if err != nil || len(w.Wanted) > 0 || w.Span == nil || *w.Span != (pet.Span{From: 9, To: 9}) {
		t.Errorf("the work is %+v, %v", w, err)
	}
}
