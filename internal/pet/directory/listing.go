package directory

import (
	"context"
	"errors"
	"slices"
	"strings"

	"petsupply/internal/pet"
)

// defaultLimit is the number of pets on a page if a query does not set it.
const defaultLimit = 50

// List returns a page of a listing. The error is pet.ErrBadPageToken if the page token is not the
// Next of a page in this order.
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
	pets, next, err := d.Reader.ListPets(ctx, q, from)
	if err != nil {
		return pet.Page{}, d.unavailable(err)
	}
	page := pet.Page{Pets: pets}
	if next != (pet.PagePosition{}) {
		page.Next = encodePageToken(q.Order, next)
	}
	return page, nil
}

// Refuses says why a listing cannot have a parameter that callers may expect, or returns "". A client
// that sends such a parameter and gets the first page each time would never end.
func (d *Directory) Refuses(param string) string {
	switch param {
	case "page", "offset":
		return "not a parameter; to continue, use the parameter cursor with the member next of the page before"
	case "sort":
		return "not a parameter; pets are listed by id"
	}
	filters := []string{"realm", "owner"}
	for _, f := range d.Collection.Filters() {
		filters = append(filters, f.Key)
	}
	for _, name := range filters {
		switch {
		case name == param:
			return ""
		case strings.EqualFold(name, param):
			return "not a filter; did you mean " + name + "?"
		}
	}
	for i := range d.Collection.Fields {
		f := &d.Collection.Fields[i]
		named := func(name string) bool { return strings.EqualFold(name, param) }
		switch {
		case !slices.ContainsFunc([]string{f.Name, f.Raw, f.Key}, named):
		case f.Filter:
			return "not a filter; use the parameter " + f.Key
		default:
			return "not a filter; the filters are " + strings.Join(filters, ", ")
		}
	}
	return ""
}

// History returns the latest 200 changes of a pet, oldest first. If none is known, it returns the
// error of the method Pet, such as pet.ErrNotFound, or no error if the pet exists.
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

// Changes returns at most limit changes of pets, in order. It starts after the change whose number
// is *since, or with the oldest change that is kept if since is nil. The error is a pet.OutsideFeed
// if some of the changes after *since are no longer kept, or if *since is above the newest number.
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
