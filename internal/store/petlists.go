package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"petsupply/internal/pet"
)

// A listing walks the index of one of its conditions, the one that leads past
// most pets, and looks at the others in each row.
const (
	walked = 20_000 // rows that one page walks, at most
	probed = 500    // rows ahead that the conditions are compared by
)

// ListPets returns the pets from an id on that q selects, in the order of ids,
// and the id from which to go on; 0 if there are no more. A page may be shorter
// than asked for, for the work on it is bounded.
func (s *Store) ListPets(ctx context.Context, q pet.Query, from uint64) (list []pet.Pet, next uint64, err error) {
	leave, err := s.listings.enter(ctx)
	if err != nil {
		return nil, 0, fmt.Errorf("listing pets: %w", err)
	}
	defer leave()
	l := listing{store: s, from: int64(min(from, math.MaxInt64)), terms: conditions(q)}
	if list, next, err = l.page(ctx, q.Limit); err != nil {
		return nil, 0, fmt.Errorf("listing pets: %w", err)
	}
	return list, next, nil
}

// A term is a condition of a listing: a column, and the value that it has.
type term struct {
	column string
	value  any
}

// conditions are what a query asks for. Each of their columns has an index.
func conditions(q pet.Query) []term {
	var terms []term
	if q.Owner != nil {
		terms = append(terms, term{"owner", packAddress(*q.Owner)})
	}
	if q.Realm != nil {
		terms = append(terms, term{"realm", *q.Realm})
	}
	for _, f := range pet.Fields {
		if n, ok := q.Traits[f.Column]; ok && f.Filter {
			terms = append(terms, term{f.Column, max(min(n, math.MaxInt16), -1)})
		}
	}
	return terms
}

// A listing is one page of pets, from an id on.
type listing struct {
	store *Store
	from  int64
	terms []term
}

// page returns at most limit pets, and the id from which to go on. It walks a
// little first, for most pages are full by then.
func (l *listing) page(ctx context.Context, limit int) (list []pet.Pet, next uint64, err error) {
	end, err := l.leadByRarest(ctx)
	if err != nil {
		return nil, 0, err
	}
	for {
		list = list[:0]
		query, args := l.query(end, limit+1)
		if err := queryPlaces(ctx, l.store.db, query, args, func(p *pet.Place) { list = append(list, p.Pet) }); err != nil {
			return nil, 0, err
		}
		switch {
		case len(list) > limit:
			return list[:limit], list[limit].ID, nil
		case end == math.MaxInt64:
			return list, 0, nil
		case next > 0:
			return list, next, nil
		}
		if end, err = l.ahead(ctx, l.terms[0], walked); err != nil {
			return nil, 0, err
		}
		next = uint64(end)
	}
}

// query words the page: the pets below end that meet all conditions, found by
// the index of the first alone.
func (l *listing) query(end int64, limit int) (string, []any) {
	where, args := "here = 1 AND id >= $1", []any{l.from}
	if end < math.MaxInt64 {
		where, args = where+" AND id < $2", append(args, end)
	}
	for i, t := range l.terms {
		args = append(args, t.value)
		if i > 0 {
			t.column = "COALESCE(" + t.column + ", " + t.column + ")" // which no index has
		}
		where += fmt.Sprintf(" AND %s = $%d", t.column, len(args))
	}
	return fmt.Sprintf(`%s pet WHERE %s ORDER BY id LIMIT %d`, selectPlaces, where, limit), l.store.plannedFor(args)
}

// leadByRarest puts that condition first whose pets lie farthest apart from
// here on, and returns the id up to which the listing walks first.
func (l *listing) leadByRarest(ctx context.Context) (end int64, err error) {
	if len(l.terms) < 2 {
		return math.MaxInt64, nil
	}
	first := 0
	for i, t := range l.terms {
		id, err := l.ahead(ctx, t, probed)
		if err != nil {
			return 0, err
		}
		if id > end {
			end, first = id, i
		}
	}
	l.terms[0], l.terms[first] = l.terms[first], l.terms[0]
	return end, nil
}

// ahead returns the id of the pet that is so many ahead of those that meet a
// condition, the highest number if there are no more than that.
func (l *listing) ahead(ctx context.Context, t term, n int) (int64, error) {
	var id int64
	query := fmt.Sprintf(`SELECT id FROM pet WHERE here = 1 AND id >= $1 AND %s = $2 ORDER BY id LIMIT 1 OFFSET %d`, t.column, n)
	err := l.store.db.QueryRowContext(ctx, query, l.store.plannedFor([]any{l.from, t.value})...).Scan(&id)
	if errors.Is(err, sql.ErrNoRows) {
		return math.MaxInt64, nil
	}
	return id, err
}

// plannedFor are the arguments of a query that PostgreSQL is to plan for these
// very values: one plan for all of them would walk the whole herd for the rare.
func (s *Store) plannedFor(args []any) []any {
	if s.kind != "postgres" {
		return args
	}
	return append([]any{pgx.QueryExecModeExec}, args...)
}
