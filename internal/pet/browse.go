package pet

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// List returns a page of a listing. A cursor that was not made here is
// ErrBadCursor.
func (h *Herd) List(ctx context.Context, q Query) (Page, error) {
	var after uint64
	if q.Cursor != "" {
		var err error
		if after, err = decodeCursor(q.Cursor); err != nil {
			return Page{}, err
		}
	}
	if q.Limit <= 0 {
		q.Limit = DefaultLimit
	}
	q.Limit = min(q.Limit, MaxLimit)
	pets, next, err := h.Shelf.ListPets(ctx, q, after)
	if err != nil {
		return Page{}, h.away(err)
	}
	page := Page{Pets: pets}
	if next != 0 {
		page.Next = encodeCursor(next)
	}
	return page, nil
}

// History returns the latest 200 changes seen in a pet, oldest first. A pet
// that is not there, and never was, is ErrNotFound.
func (h *Herd) History(ctx context.Context, id uint64) ([]Change, error) {
	list, err := h.Shelf.PetHistory(ctx, id, 200)
	if err != nil {
		return nil, h.away(err)
	}
	if len(list) == 0 {
		if _, err := h.Pet(ctx, id); err != nil {
			return nil, err
		}
	}
	slices.Reverse(list)
	return list, nil
}

// Count returns how many pets there are.
func (h *Herd) Count(ctx context.Context) (uint64, error) {
	counts, err := h.Counts(ctx)
	var sum uint64
	for _, n := range counts {
		sum += n
	}
	return sum, err
}

// Counts returns how many pets are in each realm, by its key.
func (h *Herd) Counts(ctx context.Context) (map[string]uint64, error) {
	counts, err := h.Shelf.PetCounts(ctx)
	if err != nil {
		return nil, h.away(err)
	}
	return counts, nil
}

// Random returns some pet's id, ErrNotFound if there are no pets.
func (h *Herd) Random(ctx context.Context) (uint64, error) {
	counts, err := h.Counts(ctx)
	if err != nil {
		return 0, err
	}
	var sum uint64
	for _, n := range counts {
		sum += n
	}
	if sum == 0 {
		return 0, fmt.Errorf("picking a pet: %w", ErrNotFound)
	}
	pick := rand.Uint64N(sum)
	for realm, n := range counts {
		if pick < n {
			id, err := h.Feed.PetNear(ctx, realm, rand.Float64())
			if err != nil && !errors.Is(err, ErrNotFound) {
				err = h.away(err)
			}
			return id, err
		}
		pick -= n
	}
	return 0, fmt.Errorf("picking a pet: %w", ErrNotFound)
}
