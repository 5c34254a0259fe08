package directory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/turns"
)

// Pet returns the pet with this id. The error is pet.ErrNotFound if there is none, pet.ErrBurned if
// it was burned, and pet.ErrUnavailable if it cannot be looked up now.
func (d *Directory) Pet(ctx context.Context, id uint64) (pet.Pet, error) {
	p, err := d.Prepared(ctx, id)
	if err != nil {
		return pet.Pet{}, err
	}
	return p.Pet, nil
}

// Prepared returns the same pet as the method Pet, with the prepared data for its document.
func (d *Directory) Prepared(ctx context.Context, id uint64) (*pet.Prepared, error) {
	if p, ok := d.Peek(id); ok {
		return p, nil
	}
	if _, ok := pet.HomeRealm(d.Realms, id); !ok {
		return nil, fmt.Errorf("pet %d is outside every realm's range of ids: %w", id, pet.ErrNotFound)
	}
	p, ok, err := d.gatherer.pet(ctx, id)
	switch {
	case ctx.Err() != nil:
		return nil, d.unavailable(ctx.Err())
	case err != nil:
		return nil, err
	case ok && p.Burned:
		return nil, fmt.Errorf("pet %d: %w", id, pet.ErrBurned)
	case ok:
		return p, nil
	}
	return nil, d.missing(ctx, []uint64{id})[id]
}

// Pets returns the result for each id, in the order asked.
func (d *Directory) Pets(ctx context.Context, ids []uint64) ([]pet.Found, error) {
	list := make([]pet.Found, len(ids))
	var unknown []uint64
	for i, id := range ids {
		list[i].ID = id
		if p, ok := d.Peek(id); ok {
			list[i].Pet = p.Pet
			continue
		}
		if _, ok := pet.HomeRealm(d.Realms, id); !ok {
			list[i].Err = pet.ErrNotFound
			continue
		}
		list[i].Err = pet.ErrUnavailable
		unknown = append(unknown, id)
	}
	if len(unknown) == 0 {
		return list, nil
	}
	slices.Sort(unknown)
	found, err := d.readStore(ctx, slices.Compact(unknown))
	if err != nil {
		return list, nil // pets from memory are still valid; the others have ErrUnavailable
	}
	var lacking []uint64
	for i := range list {
		f := &list[i]
		p, ok := found[f.ID]
		switch {
		case !errors.Is(f.Err, pet.ErrUnavailable):
		case !ok:
			lacking = append(lacking, f.ID)
		case p.Burned:
			f.Err = pet.ErrBurned
		default:
			f.Pet = p.Pet
			f.Err = nil
		}
	}
	if len(lacking) == 0 {
		return list, nil
	}
	slices.Sort(lacking)
	missing := d.missing(ctx, slices.Compact(lacking))
	for i := range list {
		if err, ok := missing[list[i].ID]; ok {
			list[i].Err = err
		}
	}
	return list, nil
}

// Peek returns a pet if it is in memory. It reads neither the store nor a chain.
func (d *Directory) Peek(id uint64) (*pet.Prepared, bool) {
	p, ok := d.memory.Get(id)
	if ok {
		d.metrics.memory.Inc()
	}
	return p, ok
}

// readStore reads pets from the store and remembers them.
func (d *Directory) readStore(ctx context.Context, ids []uint64) (map[uint64]*pet.Prepared, error) {
	d.mu.RLock()
	generation := d.generation
	d.mu.RUnlock()
	found, err := d.Reader.PetsByID(ctx, ids)
	if err != nil {
		return nil, d.unavailable(err)
	}
	prepared := make(map[uint64]*pet.Prepared, len(found))
	for id, p := range found {
		prepared[id] = pet.Prepare(d.Collection, p)
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.following && generation == d.generation {
		for id, p := range prepared {
			if !p.Burned { // Peek must not return burned pets
				d.memory.Set(id, p)
			}
		}
	}
	d.metrics.lookups.WithLabelValues("store").Add(float64(len(found)))
	return prepared, nil
}

// unavailable logs an error of the store and wraps it in pet.ErrUnavailable. It does not log that
// the store is busy. It returns an error as it is if the caller has left.
func (d *Directory) unavailable(err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	if _, busy := errors.AsType[turns.Busy](err); !busy {
		d.warn("pets: the store did not answer", "error", err)
	}
	return fmt.Errorf("%w: %w", pet.ErrUnavailable, err)
}

// warn logs a message at most once a minute, because callers can cause it as often as they like.
func (d *Directory) warn(msg string, args ...any) {
	now := time.Now().Unix() / 60
	if last, _ := d.warned.Swap(msg, now); last != now {
		d.Log.Warn(msg, args...)
	}
}
