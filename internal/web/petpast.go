package web

import (
	"context"
	"errors"
	"strconv"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/web/answer"
)

// PetPast is where pets are found as they were. *store.Store is one.
type PetPast interface {
	// PetAt returns a pet as it was at a time. *pet.BeforeFirst: that is before it
	// was first seen; pet.ErrNotFound: it was not there, or nothing of it is kept.
	PetAt(ctx context.Context, id uint64, at time.Time) (pet.Pet, error)
}

// petSettled is how old a moment must be until no change is awaited of it any
// more, as long as the chains are followed.
const petSettled = time.Hour

// petAt looks up the pet that q names as it was at a time, and says for how long
// an answer of it may be kept.
func (p *petAPI) petAt(q *answer.Request, at time.Time) (*pet.Prepared, answer.CachePolicy, error) {
	id, err := pet.ParseID(q.Args[0])
	if err != nil {
		return nil, answer.CachePolicy{}, err
	}
	if err := p.limit.Take(q, 1); err != nil {
		return nil, answer.CachePolicy{}, err
	}
	then, err := p.past.PetAt(q.Context(), id, at)
	if errors.Is(err, pet.ErrNotFound) && !errors.Is(err, pet.ErrBurned) {
		then, err = p.onlyNow(q, id, at)
	}
	var early *pet.BeforeFirst
	if errors.As(err, &early) {
		err = answer.NotFound(early.Error())
	}
	if err != nil {
		return nil, answer.CachePolicy{}, answer.Unavailable(err)
	}
	cache := youngPolicy
	if q.At.Sub(at) > petSettled {
		cache = fixedPolicy
	}
	return pet.Prepare(then), cache, nil
}

// onlyNow is a pet of which the past knows nothing: it may be too new for the
// store.
func (p *petAPI) onlyNow(q *answer.Request, id uint64, at time.Time) (pet.Pet, error) {
	now, err := p.pets.Prepared(q.Context(), id)
	switch {
	case err != nil:
		return pet.Pet{}, err
	case now.ChangedAt.After(at):
		return pet.Pet{}, &pet.BeforeFirst{First: now.ChangedAt}
	}
	return now.Pet, nil
}

// metadataThen serves a pet's document as it was at a time. Its picture is the one
// of that time too.
func (p *petAPI) metadataThen(q *answer.Request, at time.Time) (*answer.Response, error) {
	k, cache, err := p.petAt(q, at)
	if err != nil {
		return nil, err
	}
	d := &p.documents
	body := d.writer.Append(make([]byte, 0, documentSize), k, d.version(k)+"&at="+strconv.FormatInt(at.Unix(), 10))
	r := d.response(body, time.Time{})
	r.Cache = cache
	return r, nil
}
