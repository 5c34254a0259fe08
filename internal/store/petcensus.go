package store

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
)

// A census has the changes that a transaction makes to the counts of pets. If the collection's
// fields change, all stored pets are converted to the new fields, a few in each transaction. The
// stored counts always cover exactly the pets that are converted.
type census struct {
	form   *petForm
	below  uint64 // pets with lower ids are converted
	counts map[countKey]int
	kinds  map[pet.Numbers]int
}

type countKey struct {
	realm string
	pet.Numbers
}

func newCensus(form *petForm, below uint64) census {
	return census{form, below, map[countKey]int{}, map[pet.Numbers]int{}}
}

// add adds n to the counts that a pet belongs to. n is -1 for a pet's old state, and 1 for its new
// state. A pet that is nil or not converted yet is not counted.
func (c census) add(p *pet.Pet, n int) {
	if p == nil || p.ID >= c.below {
		return
	}
	c.counts[countKey{p.Realm, pet.NumbersOf(c.form.Collection, c.form.counted, p.Value)}] += n
	if len(c.form.kind) > 0 {
		c.kinds[pet.NumbersOf(c.form.Collection, c.form.kind, p.Value)] += n
	}
}

const numberColumns = "n1, n2, n3, n4, n5, n6"

func (c census) save(ctx context.Context, t *petTx) error {
	numbers := []string{"n1", "n2", "n3", "n4", "n5", "n6"}
	add := func(args []any, n pet.Numbers) []any {
		for _, x := range n {
			args = append(args, int64(x))
		}
		return args
	}
	err := saveCounts(ctx, t, "pet_count", append([]string{"realm"}, numbers...), "realm, "+numberColumns, c.counts,
		func(args []any, k countKey) []any { return add(append(args, k.realm), k.Numbers) })
	if err != nil {
		return err
	}
	return saveCounts(ctx, t, "pet_kind", numbers, numberColumns, c.kinds, add)
}

// saveCounts adds each number in the map counts, which may be negative, to a row of a table. key
// has the same column names as columns, separated by commas.
func saveCounts[K comparable](ctx context.Context, t *petTx, table string, columns []string, key string,
	counts map[K]int, args func([]any, K) []any) error {
	maps.DeleteFunc(counts, func(_ K, n int) bool { return n == 0 })
	changed := slices.Collect(maps.Keys(counts))
	return database.InsertRows(ctx, t.store.db, t.Tx, table, append(columns, "pets"),
		"ON CONFLICT ("+key+") DO UPDATE SET pets = "+table+".pets + excluded.pets", changed,
		func(list []any, k *K) []any { return append(args(list, *k), counts[*k]) })
}

// maxCounts limits the counts in a census. If there are more, pets are counted only by realm.
const maxCounts = 100_000

// PetCensus returns the number of pets in each realm by counted fields, the number of pets of each
// kind, and the words and numbers that pets have in filters.
func (s *Store) PetCensus(ctx context.Context) (_ *pet.Census, err error) {
	defer wrap(&err, "counting pets")
	if err := s.listed(ctx); err != nil {
		return nil, err
	}
	out := &pet.Census{Collection: s.pets().Collection, Kinds: map[pet.Numbers]uint64{}}
	out.Counts, err = list(ctx, s.db, func(scan scanFunc, c *pet.Count) error {
		return scan(append([]any{&c.Pets, &c.Realm}, numberTargets(&c.Numbers)...)...)
	}, fmt.Sprintf(`SELECT pets, realm, %s FROM pet_count WHERE pets > 0 LIMIT %d`, numberColumns, maxCounts+1))
	if err == nil && len(out.Counts) > maxCounts {
		out.ByRealm = true
		out.Counts, err = list(ctx, s.db, func(scan scanFunc, c *pet.Count) error { return scan(&c.Realm, &c.Pets) },
			`SELECT realm, CAST(SUM(pets) AS BIGINT) FROM pet_count GROUP BY realm`)
	}
	if err != nil {
		return nil, err
	}
	_, err = list(ctx, s.db, func(scan scanFunc, kind *pet.Numbers) error {
		var n uint64
		err := scan(append([]any{&n}, numberTargets(kind)...)...)
		out.Kinds[*kind] = n
		return err
	}, fmt.Sprintf(`SELECT pets, %s FROM pet_kind WHERE pets > 0 LIMIT %d`, numberColumns, maxCounts))
	if err != nil {
		return nil, fmt.Errorf("reading the number of each kind: %w", err)
	}
	if out.Words, err = s.words(ctx); err != nil {
		return nil, err
	}
	out.Values, err = s.values(ctx)
	return out, err
}

// values returns the numbers that pets have in each filter that is neither counted nor part of the
// kind, by the field's key. It leaves out fields with more than pet.MaxOffered numbers, and those
// whose index does not exist yet.
func (s *Store) values(ctx context.Context) (map[string][]int, error) {
	form, out := s.pets(), map[string][]int{}
	for _, f := range form.columns {
		most, isNumber := f.Most()
		if !f.Filter || f.Counted || !isNumber || most > math.MaxInt64 || slices.Contains(form.kind, f) {
			continue
		}
		if ok, err := s.indexed(ctx, "pet_by_"+column(f)); err != nil {
			return nil, err
		} else if !ok {
			continue
		}
		// Each step looks up the next larger number in the index, so the time does not depend on the
		// number of pets.
		found, err := list(ctx, s.db, readColumn[int], fmt.Sprintf(`WITH RECURSIVE have (n) AS (
			SELECT MIN(%[1]s) FROM pet WHERE here = 1
			UNION ALL SELECT (SELECT MIN(%[1]s) FROM pet WHERE here = 1 AND %[1]s > n) FROM have WHERE n IS NOT NULL)
			SELECT n FROM have WHERE n IS NOT NULL LIMIT %[2]d`, column(f), pet.MaxOffered+1))
		if err != nil {
			return nil, fmt.Errorf("reading the numbers of %s: %w", f.Name, err)
		}
		if len(found) <= pet.MaxOffered {
			out[f.Key] = found
		}
	}
	return out, nil
}

// numberTargets returns scan targets for numbers, whose bits are stored in signed columns.
func numberTargets(n *pet.Numbers) []any {
	targets := make([]any, len(n))
	for i := range n {
		targets[i] = bitsOf{&n[i]}
	}
	return targets
}

// bitsOf scans a signed column into an unsigned number with the same bits.
type bitsOf struct{ n *uint64 }

func (b bitsOf) Scan(from any) error {
	n, ok := from.(int64)
	if !ok {
		return fmt.Errorf("a column has the type %T, want an integer", from)
	}
	*b.n = uint64(n)
	return nil
}
