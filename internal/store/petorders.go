package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"petsupply/internal/pet"
)

// hungryPets lists who has been hungry for longest first. It walks the index of
// hunger and looks at the conditions in each row, unless a keeper is one of them,
// who has few pets.
func (s *Store) hungryPets(ctx context.Context, q pet.Query, from pet.Position) (list []pet.Pet, next pet.Position, err error) {
	where := "here = 1 AND hungry > 0 AND (hungry, id) > ($1, $2)"
	args := []any{int64(min(from.Key, math.MaxInt64)), int64(min(from.ID, math.MaxInt64))}
	terms := conditions(q)
	if len(terms) > 0 && q.Owner == nil {
		var hungry, id int64
		err := s.db.QueryRowContext(ctx, fmt.Sprintf(`SELECT hungry, id FROM pet WHERE %s ORDER BY hungry, id LIMIT 1 OFFSET %d`, where, walked), args...).Scan(&hungry, &id)
		if err == nil {
			next = pet.Position{Key: uint64(hungry), ID: uint64(id)}
			where, args = where+" AND (hungry, id) <= ($3, $4)", append(args, hungry, id)
		} else if !errors.Is(err, sql.ErrNoRows) {
			return nil, next, err
		}
	}
	for _, t := range terms {
		if t.column != "owner" {
			t = t.unindexed()
		}
		args = append(args, t.value)
		where += fmt.Sprintf(" AND %s = $%d", t.column, len(args))
	}
	query := fmt.Sprintf(`%s pet WHERE %s ORDER BY hungry, id LIMIT %d`, selectPlaces, where, q.Limit+1)
	if err := queryPlaces(ctx, s.db, query, s.plannedFor(args), func(p *pet.Place) { list = append(list, p.Pet) }); err != nil {
		return nil, next, err
	}
	if len(list) > q.Limit {
		list = list[:q.Limit]
		last := list[q.Limit-1]
		next = pet.Position{Key: last.HungryAt, ID: last.ID}
	}
	return list, next, nil
}

// namedPets returns the first pets, in the order of names, whose name begins with
// a text as it was written, or in one of the cases that people write names in.
// The index has the first 64 bytes of a name.
func (s *Store) namedPets(ctx context.Context, q pet.Query) (list []pet.Pet, err error) {
	lower := strings.ToLower(q.Name)
	first, size := utf8.DecodeRuneInString(lower)
	spelt := []string{string(unicode.ToUpper(first)) + lower[size:], q.Name, lower, strings.ToUpper(q.Name)}
	for i, text := range spelt {
		if slices.Contains(spelt[:i], text) || len(list) >= q.Limit {
			continue
		}
		from := []byte(text[:min(len(text), 60)])
		err := queryPlaces(ctx, s.db, fmt.Sprintf(`%s pet WHERE here = 1 AND length(name) > 0 AND substr(name, 1, 64) BETWEEN $1 AND $2
			ORDER BY substr(name, 1, 64), id LIMIT %d`, selectPlaces, q.Limit-len(list)),
			[]any{from, append(slices.Clone(from), 0xff, 0xff, 0xff, 0xff)}, func(p *pet.Place) {
				if !slices.ContainsFunc(list, func(have pet.Pet) bool { return have.ID == p.ID }) {
					list = append(list, p.Pet)
				}
			})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}
