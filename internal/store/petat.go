package store

import (
	"context"
	"encoding/binary"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A pastChange is a change and the state before it.
type pastChange struct {
	pet.Change
	// was is the state before the change. For a change of one pet, it is the packed pet, or empty
	// if there was no pet. For a change of a whole realm, it is the version of the realm's layout,
	// or empty if the change announces an import.
	was []byte
}

// PetAt returns a pet as it was at a time. The error is a *pet.BeforeFirst if the service first saw
// the pet after that time, pet.ErrBurned if the pet was burned by then, and pet.ErrNotFound if it
// did not exist then or is unknown.
func (s *Store) PetAt(ctx context.Context, id uint64, at time.Time) (p pet.Pet, err error) {
	defer wrap(&err, "reading the past of pet %d", id)
	leave, err := s.listings.Enter(ctx)
	if err != nil {
		return p, err
	}
	defer leave()
	// Read the current state before the changes. If the pet changes in between, its old state is in
	// the new change.
	now, err := s.PetsByID(ctx, []uint64{id})
	if err != nil {
		return p, err
	}
	var past petPast
	if err := s.readPast(ctx, id, at, &past); err != nil {
		return p, err
	}
	if is, ok := now[id]; ok && !is.Burned && past.next == nil {
		past.pet = &is
	}
	if p, err = past.at(at); err == nil {
		p.Value, err = s.fieldsAt(ctx, p.Realm, at, p.Value)
	}
	return p, err
}

// fieldsAt returns v without the fields that the service began to read from the realm only after
// the given time. Their values at that time are unknown.
func (s *Store) fieldsAt(ctx context.Context, realm string, at time.Time,
	v collection.Value) (collection.Value, error) {
	was, err := first(ctx, s.db, readColumn[[]byte], `SELECT was FROM pet_change
		WHERE id = $1 AND realm = $2 AND block_time > $3 AND length(was) > 0 ORDER BY seq LIMIT 1`,
		int64(pet.NoID), realm, at.UnixMilli())
	if err != nil || was == nil {
		return v, err
	}
	version, _ := binary.Uvarint(*was)
	form := s.pets()
	layout, err := s.layout(ctx, form, version)
	if err != nil || layout == form.Layout {
		return v, err
	}
	return form.Convert(layout, layout.Convert(form.Layout, v)), nil
}

// A petPast has the known data of a pet at one time.
type petPast struct {
	last, next *pastMark // last change up to that time, and the next one, or nil
	pet        *pet.Pet  // state after the change in last, or nil if the pet did not exist
}

type pastMark struct {
	seq   uint64
	kind  string
	taken time.Time
	was   []byte
}

func readPastMark(scan scanFunc, m *pastMark) error {
	return scan(&m.seq, &m.kind, millis{&m.taken}, &m.was)
}

// readPast sets past.last and past.next. If there is a next change, it also sets past.pet, because
// each change keeps the state before it.
func (s *Store) readPast(ctx context.Context, id uint64, at time.Time, past *petPast) error {
	one := func(condition string, args ...any) (*pastMark, error) {
		return first(ctx, s.db, readPastMark,
			`SELECT seq, kind, block_time, was FROM pet_change WHERE id = $1 AND `+condition+` LIMIT 1`, args...)
	}
	var err error
	if past.last, err = one(`block_time <= $2 ORDER BY seq DESC`, int64(id), at.UnixMilli()); err != nil {
		return err
	}
	after := uint64(0)
	if past.last != nil {
		after = past.last.seq
	}
	if past.next, err = one(`seq > $2 ORDER BY seq`, int64(id), int64(after)); err != nil || past.next == nil {
		return err
	}
	past.pet, err = s.unpackPet(ctx, id, past.next.was)
	return err
}

// at returns the pet as it was at a time, or the error that PetAt returns.
func (p petPast) at(at time.Time) (pet.Pet, error) {
	gone := p.last != nil && (p.last.kind == pet.Burned || p.last.kind == pet.Gone)
	switch {
	case gone && p.last.kind == pet.Burned && (p.pet == nil || p.pet.ChangedAt.After(at)):
		return pet.Pet{}, pet.ErrBurned
	case gone && p.pet != nil && p.pet.ChangedAt.After(at):
		return pet.Pet{}, pet.ErrNotFound
	case p.pet == nil && p.last == nil && p.next != nil:
		return pet.Pet{}, &pet.BeforeFirst{First: p.next.taken}
	case p.pet == nil:
		return pet.Pet{}, pet.ErrNotFound
	case p.last == nil && p.pet.ChangedAt.After(at):
		return pet.Pet{}, &pet.BeforeFirst{First: p.pet.ChangedAt}
	}
	return *p.pet, nil
}
