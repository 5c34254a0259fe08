package index

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"petsupply/internal/pet"
)

func span(from, to uint64) pet.Span { return pet.Span{From: from, To: to} }

func TestCutSpan(t *testing.T) {
	const last = pet.MaxID
	spans := []pet.Span{span(0, 9), span(20, 29), span(40, last)}
	for part, want := range map[pet.Span][]pet.Span{
		span(0, 9):       {span(20, 29), span(40, last)},
		span(0, 4):       {span(5, 9), span(20, 29), span(40, last)},
		span(23, 25):     {span(0, 9), span(20, 22), span(26, 29), span(40, last)},
		span(50, last):   {span(0, 9), span(20, 29), span(40, 49)},
		span(10, 19):     {span(0, 9), span(20, 29), span(40, last)},
		span(last, last): {span(0, 9), span(20, 29), span(40, last-1)},
	} {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			if diff := cmp.Diff(want, cutSpan(spans, part)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMergeSpans(t *testing.T) {
	got := mergeSpans([]pet.Span{span(10, 20), span(1, 3), span(4, 5), span(15, 30), span(40, pet.MaxID), span(50, 60)})
	if diff := cmp.Diff([]pet.Span{span(1, 5), span(10, 30), span(40, pet.MaxID)}, got); diff != "" {
		t.Error(diff)
	}
}

// idStore records the ids that were asked for.
type idStore struct {
	Store
	asked pet.Span
}

func (s *idStore) PetIDs(_ context.Context, _ string, part pet.Span, _ int) ([]uint64, error) {
	s.asked = part
	return nil, nil
}

func TestOwedGoesOnWhereItStopped(t *testing.T) {
	for _, test := range []struct {
		next uint64
		want pet.Span
	}{{0, span(1, 5)}, {3, span(3, 5)}, {5, span(5, 5)}, {6, span(8, 9)}, {10, span(1, 5)}} {
		t.Run(fmt.Sprint(test.next), func(t *testing.T) {
			s := &idStore{}
			p := Position{Owed: []pet.Span{span(1, 5), span(8, 9)}, OwedNext: test.next}
			if _, err := (&Indexer{store: s}).owed(t.Context(), &p); err != nil || s.asked != test.want {
				t.Errorf("it asks for %v, %v; want %v", s.asked, err, test.want)
			}
		})
	}
}
