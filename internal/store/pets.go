package store

import (
	"context"
	"fmt"
	"slices"

	"petsupply/internal/pet"
)

// PetsByID returns the published pets with the given ids. Pets that no realm has any more are
// returned as burned.
func (s *Store) PetsByID(ctx context.Context, ids []uint64) (_ map[uint64]pet.Pet, err error) {
	defer wrap(&err, "looking up %d pets", len(ids))
	found := make(map[uint64]pet.Pet, len(ids))
	err = eachQuery(ids, 1, func(query string, args []any) error {
		return s.lookup(ctx, query, args, func(p *pet.Place) { found[p.ID] = p.Pet })
	})
	if err == nil && len(found) < len(ids) {
		rest := slices.DeleteFunc(slices.Clone(ids), func(id uint64) bool { _, ok := found[id]; return ok })
		err = eachQuery(rest, 0, func(query string, args []any) error {
			return s.lookup(ctx, query, args, func(p *pet.Place) { found[p.ID] = pet.Pet{ID: p.ID, Burned: true} })
		})
	}
	return found, err
}

// PetHistory returns the latest changes of a pet, at most limit, newest first.
func (s *Store) PetHistory(ctx context.Context, id uint64, limit int) (_ []pet.Change, err error) {
	defer wrap(&err, "reading the history of pet %d", id)
	leave, err := s.turns.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	return list(ctx, s.db, scanChange, fmt.Sprintf(changeColumns+`WHERE id = $1 ORDER BY seq DESC LIMIT %d`, limit),
		int64(id))
}

// LastPetChange returns the mark of the latest change, or the zero mark if there is no change.
func (s *Store) LastPetChange(ctx context.Context) (mark pet.FeedMark, err error) {
	defer wrap(&err, "reading the latest change of pets")
	last, err := first(ctx, s.db, scanFeedMark,
		`SELECT seq, id, block_time, block FROM pet_change ORDER BY seq DESC LIMIT 1`)
	if last != nil {
		mark = *last
	}
	return mark, err
}

// PetChanges returns at most limit changes after a mark, in order. If the mark's own change no
// longer exists, the error is pet.ErrFeedReset.
func (s *Store) PetChanges(ctx context.Context, after pet.FeedMark, limit int) ([]pet.FeedMark, error) {
	changes, err := list(ctx, s.db, scanFeedMark,
		fmt.Sprintf(`SELECT seq, id, block_time, block FROM pet_change WHERE seq >= $1 ORDER BY seq LIMIT %d`,
			limit+1), int64(after.Seq))
	if err != nil {
		return nil, fmt.Errorf("reading changes of pets: %w", err)
	}
	if after.Seq > 0 {
		if len(changes) == 0 || changes[0] != after {
			return nil, pet.ErrFeedReset
		}
		changes = changes[1:]
	}
	return changes[:min(limit, len(changes))], nil
}
