package site

import (
	"context"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"petsupply/internal/pet"
)

const (
	stripLong  = 12               // pets on the first page
	stripTurn  = 10 * time.Second // after which one of them makes room for another
	stripTries = 3 * stripLong
)

// A strip is the row of pets on the first page: those that something happened
// to lately come first, and the others take turns. Its zero value is ready.
type strip struct {
	mu     sync.Mutex
	recent []uint64 // newest first
	others []uint64
	turned time.Time
}

// saw puts pets that changed in front. They get half of the room at most, so
// that a busy few do not crowd out the rest.
func (s *strip) saw(ids []uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids[max(0, len(ids)-stripTries):] {
		s.recent = slices.DeleteFunc(s.recent, func(x uint64) bool { return x == id })
		s.recent = slices.Insert(s.recent, 0, id)
	}
	s.recent = s.recent[:min(len(s.recent), stripLong/2)]
}

// pets returns what the strip shows now. A store that is away makes it
// shorter, never an error.
func (s *strip) pets(ctx context.Context, from Pets, now time.Time) []pet.Pet {
	s.mu.Lock()
	ids, others, due := slices.Clone(s.recent), slices.Clone(s.others), now.Sub(s.turned) >= stripTurn
	if due {
		s.turned = now
	}
	s.mu.Unlock()
	if due {
		others = turn(ctx, from, others)
		s.mu.Lock()
		s.others = slices.Clone(others)
		s.mu.Unlock()
	}
	for _, id := range others {
		if len(ids) < stripLong && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	var out []pet.Pet
	for _, id := range ids {
		if p, err := from.Pet(ctx, id); err == nil {
			out = append(out, p)
		}
	}
	return out
}

// turn fills a row of pets, and lets one of a full row go for another.
func turn(ctx context.Context, from Pets, row []uint64) []uint64 {
	if len(row) < stripLong {
		return append(row, newcomers(ctx, from, row, stripLong-len(row))...)
	}
	for _, id := range newcomers(ctx, from, row, 1) {
		row[rand.IntN(len(row))] = id
	}
	return row
}

// newcomers returns up to n pets that are not in the row, those with a face before
// those that are still eggs.
func newcomers(ctx context.Context, from Pets, row []uint64, n int) []uint64 {
	var faces, eggs []uint64
	for try := 0; try < stripTries && len(faces) < n; try++ {
		id, err := from.Random(ctx)
		if err != nil {
			break
		}
		if slices.Contains(row, id) || slices.Contains(faces, id) || slices.Contains(eggs, id) {
			continue
		}
		if p, err := from.Pet(ctx, id); err == nil && p.Appearance == 0 {
			eggs = append(eggs, id)
		} else if err == nil {
			faces = append(faces, id)
		}
	}
	all := append(faces, eggs...)
	return all[:min(n, len(all))]
}
