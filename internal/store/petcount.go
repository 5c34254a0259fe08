package store

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
)

// counts has the changes that a transaction makes to the counts of pets. If the collection's fields
// change, all stored pets are converted to the new fields, a few in each transaction. The stored
// counts always cover exactly the pets that are converted.
type counts struct {
	form  *petForm
	below uint64 // pets with lower ids are converted
	pets  map[pet.Count]int
}

func newCounts(form *petForm, below uint64) counts {
	return counts{form, below, map[pet.Count]int{}}
}

// add adds n to the counts that a pet belongs to. n is -1 for a pet's old state, and 1 for its new
// state. A pet that is nil or not converted yet is not counted.
func (c counts) add(p *pet.Pet, n int) {
	if p == nil || p.ID >= c.below {
		return
	}
	c.pets[pet.Count{Realm: p.Realm}] += n
	for _, f := range c.form.counted {
		if c.form.Has(p.Value, f) {
			c.pets[pet.Count{Realm: p.Realm, Field: f.Key, Value: c.form.Uint(p.Value, f)}] += n
		}
	}
}

func (c counts) save(ctx context.Context, t *petTx) error {
	maps.DeleteFunc(c.pets, func(_ pet.Count, n int) bool { return n == 0 })
	changed := slices.Collect(maps.Keys(c.pets))
	return database.InsertRows(ctx, t.store.db, t.Tx, "pet_count", []string{"realm", "field", "value", "pets"},
		"ON CONFLICT (realm, field, value) DO UPDATE SET pets = pet_count.pets + excluded.pets", changed,
		func(args []any, k *pet.Count) []any {
			return append(args, k.Realm, k.Field, int64(k.Value), c.pets[*k])
		})
}

// maxCounts limits the counts in a census. If there are more, pets are counted only by realm.
const maxCounts = 100_000

// PetCensus returns the number of pets in each realm, and of those with each value of a counted
// field.
func (s *Store) PetCensus(ctx context.Context) (_ *pet.Census, err error) {
	defer wrap(&err, "counting pets")
	if err := s.converted(ctx); err != nil {
		return nil, err
	}
	out := &pet.Census{Counts: map[pet.Count]uint64{}}
	read := func(where string) error {
		_, err := list(ctx, s.db, func(scan scanFunc, of *pet.Count) error {
			var value int64 // a signed column with the bits of an unsigned number
			var pets uint64
			err := scan(&of.Realm, &of.Field, &value, &pets)
			of.Value = uint64(value)
			out.Counts[*of] = pets
			return err
		}, fmt.Sprintf(`SELECT realm, field, value, pets FROM pet_count WHERE pets > 0 %s LIMIT %d`, where,
			maxCounts+1))
		return err
	}
	if err := read(""); err != nil {
		return nil, err
	}
	if len(out.Counts) > maxCounts {
		clear(out.Counts)
		return out, read("AND field = ''")
	}
	for _, f := range s.pets().counted {
		out.Fields = append(out.Fields, f.Key)
	}
	return out, nil
}
