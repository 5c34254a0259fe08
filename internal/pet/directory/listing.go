package directory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// defaultLimit is the number of pets on a page if a query does not set it.
const defaultLimit = 50

// List returns a page of a listing. The error is pet.ErrBadPageToken for a page token that is not
// ours.
func (d *Directory) List(ctx context.Context, q pet.Query) (pet.Page, error) {
	from := q.From
	if q.PageToken != "" {
		var err error
		if from, err = decodePageToken(q.Order, q.PageToken); err != nil {
			return pet.Page{}, err
		}
	}
	if q.Limit <= 0 {
		q.Limit = defaultLimit
	}
	q.Limit = min(q.Limit, pet.MaxLimit)
	pets, next, err := d.listAny(ctx, q, from)
	if err != nil {
		return pet.Page{}, d.unavailable(err)
	}
	page := pet.Page{Pets: pets}
	if next != (pet.PagePosition{}) {
		page.Next = encodePageToken(q.Order, next)
	}
	return page, nil
}

// listAny lists the pets of q and of q.Or in one order. Each query is a listing of its own. If a
// page of one listing ends early, the joint page ends there too.
func (d *Directory) listAny(ctx context.Context, q pet.Query,
	from pet.PagePosition) (pets []pet.Pet, next pet.PagePosition, err error) {
	if len(q.Or) == 0 {
		return d.Reader.ListPets(ctx, q, from)
	}
	compare := d.compare(q.Order)
	for _, one := range append([]pet.Query{{Realm: q.Realm, Traits: q.Traits}}, q.Or...) {
		one.Owner, one.Order, one.Limit, one.Or = q.Owner, q.Order, q.Limit, nil
		list, end, err := d.Reader.ListPets(ctx, one, from)
		if err != nil {
			return nil, next, err
		}
		pets = append(pets, list...)
		if end != (pet.PagePosition{}) && (next == (pet.PagePosition{}) || compare(end, next) < 0) {
			next = end
		}
	}
	slices.SortFunc(pets, func(a, b pet.Pet) int { return compare(d.position(q.Order, a), d.position(q.Order, b)) })
	pets = slices.CompactFunc(pets, func(a, b pet.Pet) bool { return a.ID == b.ID })
	if next != (pet.PagePosition{}) {
		pets = slices.DeleteFunc(pets, func(p pet.Pet) bool {
			after := compare(d.position(q.Order, p), next)
			return after > 0 || after == 0 && q.Order == pet.ByID
		})
	}
	if len(pets) <= q.Limit {
		return pets, next, nil
	}
	next = d.position(q.Order, pets[q.Limit-1])
	if q.Order == pet.ByID {
		next = d.position(q.Order, pets[q.Limit])
	}
	return pets[:q.Limit], next, nil
}

// position returns the position of a pet in an order.
func (d *Directory) position(order pet.Order, p pet.Pet) pet.PagePosition {
	at := pet.PagePosition{ID: p.ID}
	if f := d.Collection.FieldNamed(string(order)); order != pet.ByID && order != pet.Newest && f != nil {
		at.Key = d.Collection.Uint(p.Value, f)
	}
	return at
}

// compare returns a function that compares positions in an order. The store compares keys as signed
// numbers.
func (d *Directory) compare(order pet.Order) func(a, b pet.PagePosition) int {
	f, down := d.Collection.FieldNamed(string(order)), order == pet.Newest
	if order != pet.ByID && order != pet.Newest && f != nil {
		down = f.Sort == collection.Descending
	}
	return func(a, b pet.PagePosition) int {
		n := cmp.Or(cmp.Compare(int64(a.Key), int64(b.Key)), cmp.Compare(a.ID, b.ID))
		if down {
			return -n
		}
		return n
	}
}

// History returns the latest 200 changes of a pet, oldest first. The error is pet.ErrNotFound if
// the pet never existed.
func (d *Directory) History(ctx context.Context, id uint64) ([]pet.Change, error) {
	list, err := d.Reader.PetHistory(ctx, id, 200)
	if err != nil {
		return nil, d.unavailable(err)
	}
	if len(list) == 0 {
		if _, err := d.Pet(ctx, id); err != nil {
			return nil, err
		}
	}
	slices.Reverse(list)
	return list, nil
}

// Changes returns at most limit changes of pets after number since, in order. If since is nil, it
// begins with the oldest change that is kept. The error is a pet.OutsideFeed if some are no longer
// kept.
func (d *Directory) Changes(ctx context.Context, since *uint64, limit int) ([]pet.Change, error) {
	list, err := d.Feed.ChangesSince(ctx, since, limit)
	if _, outside := errors.AsType[pet.OutsideFeed](err); outside {
		return nil, err
	}
	if err != nil {
		return nil, d.unavailable(err)
	}
	return list, nil
}

// Random returns the id of some pet, or pet.ErrNotFound if there are none.
func (d *Directory) Random(ctx context.Context) (uint64, error) {
	census, err := d.Census(ctx)
	if err != nil {
		return 0, err
	}
	counts := census.Realms()
	var start pet.PagePosition
	var starts []uint64 // for each realm with pets, a number that it may have given out
	for _, r := range d.Realms {
		if n := counts[r.Key]; n > 0 && r.Offset != nil {
			starts = append(starts, *r.Offset+rand.Uint64N(n))
		}
	}
	if len(starts) > 0 {
		start.ID = starts[rand.IntN(len(starts))]
	}
	for _, from := range []pet.PagePosition{start, {}} {
		pets, _, err := d.Reader.ListPets(ctx, pet.Query{Limit: 1}, from)
		if err != nil {
			return 0, d.unavailable(err)
		}
		if len(pets) > 0 {
			return pets[0].ID, nil
		}
	}
	return 0, fmt.Errorf("picking a pet: %w", pet.ErrNotFound)
}
