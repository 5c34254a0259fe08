package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A listing walks the index of one of its conditions, the one that leads past
// most pets, and looks at the others in each row.
const (
	maxWalkedRows = 20_000 // that one page walks
	maxSortedRows = 2_000  // that one page sorts
	probedRows    = 500    // rows ahead by which the conditions are compared
)

// ListPets returns the pets from a position on that q selects, in its order, and
// the position from which to go on; the zero position if there are no more. A page
// may be shorter than asked for, for the work on it is bounded.
func (s *Store) ListPets(ctx context.Context, q pet.Query, from pet.PagePosition) (list []pet.Pet, next pet.PagePosition, err error) {
	defer wrap(&err, "listing pets")
	leave, err := s.listings.Enter(ctx)
	if err != nil {
		return nil, next, err
	}
	defer leave()
	form := s.pets()
	by, sorted := form.order(q)
	if !sorted && q.Order != pet.ByID && q.Order != pet.Newest {
		return nil, next, fmt.Errorf("there is no order %q", q.Order)
	}
	terms := form.conditions(q)
	if err := s.canList(ctx, q, terms, by); err != nil {
		return nil, next, err
	}
	switch {
	case q.Name != "":
		list, err = s.namedPets(ctx, q)
	case sorted && by.column != "":
		list, next, err = s.sortedPets(ctx, q, terms, from, by)
	default:
		l := walk{store: s, from: int64(min(from.ID, math.MaxInt64)), down: by.down || q.Order == pet.Newest, terms: terms}
		if l.down && from.ID == 0 {
			l.from = math.MaxInt64
		}
		list, next.ID, err = l.page(ctx, q.Limit)
	}
	return list, next, err
}

// order returns the order by a field that q asks for. Of pets that all have the same
// value of it, the order is that of their ids, and it has no column.
func (f *petForm) order(q pet.Query) (by sorting, ok bool) {
	for _, field := range f.columns {
		if field.Sort == "" || string(q.Order) != field.Key {
			continue
		}
		by = sorting{field: field, down: field.Sort == collection.Descending}
		if _, one := q.Traits[field.Key]; !one {
			by.column = column(field)
		}
		return by, true
	}
	return by, false
}

// A term is a condition of a listing: a column, and the value that it has.
type term struct {
	column string
	value  any
}

// unindexed is the same condition in a form that no index has.
func (t term) unindexed() term {
	t.column = "COALESCE(" + t.column + ", " + t.column + ")"
	return t
}

// conditions are what a query asks for. Each of their columns has an index.
func (f *petForm) conditions(q pet.Query) []term {
	var terms []term
	if q.Owner != nil {
		terms = append(terms, term{"owner", packAddress(*q.Owner)})
	}
	if q.Realm != nil {
		terms = append(terms, term{"realm", *q.Realm})
	}
	for _, field := range f.columns {
		if n, ok := q.Traits[field.Key]; ok && field.Filter {
			terms = append(terms, term{column(field), int64(n)})
		}
	}
	return terms
}

// A walk is one page of pets, from an id on, or down from below one.
type walk struct {
	store *Store
	from  int64
	down  bool
	terms []term
}

// all is where a listing ends that walks as far as there are pets.
func (l *walk) all() int64 {
	if l.down {
		return -1
	}
	return math.MaxInt64
}

// steps words which ids a listing walks through, and how.
func (l *walk) steps() (ids, order string) {
	if l.down {
		return "id < $1", "id DESC"
	}
	return "id >= $1", "id"
}

// page returns at most limit pets, and the id from which to go on. It walks a
// little first, for most pages are full by then.
func (l *walk) page(ctx context.Context, limit int) (list []pet.Pet, next uint64, err error) {
	end, err := l.leadByRarest(ctx)
	if err != nil {
		return nil, 0, err
	}
	for {
		list = list[:0]
		query, args := l.query(end, limit+1)
		if err := l.store.queryPlaces(ctx, l.store.db, query, args, func(p *pet.Place) { list = append(list, p.Pet) }); err != nil {
			return nil, 0, err
		}
		switch {
		case len(list) > limit && l.down:
			return list[:limit], list[limit].ID + 1, nil
		case len(list) > limit:
			return list[:limit], list[limit].ID, nil
		case end == l.all():
			return list, 0, nil
		case next > 0:
			return list, next, nil
		}
		if end, err = l.ahead(ctx, l.terms[0], maxWalkedRows); err != nil {
			return nil, 0, err
		}
		if next = uint64(end); l.down {
			next++
		}
	}
}

// query words the page: the pets below end that meet all conditions, found by
// the index of the first alone.
func (l *walk) query(end int64, limit int) (string, []any) {
	ids, order := l.steps()
	where, args := "here = 1 AND "+ids, []any{l.from}
	if end != l.all() {
		beyond := " AND id < $2"
		if l.down {
			beyond = " AND id > $2"
		}
		where, args = where+beyond, append(args, end)
	}
	for i, t := range l.terms {
		args = append(args, t.value)
		if i > 0 {
			t = t.unindexed()
		}
		where += fmt.Sprintf(" AND %s = $%d", t.column, len(args))
	}
	return fmt.Sprintf(`%s pet WHERE %s ORDER BY %s LIMIT %d`, selectPlaces, where, order, limit), l.store.plannedFor(args)
}

// leadByRarest puts that condition first whose pets lie farthest apart from
// here on, and returns the id up to which the listing walks first.
func (l *walk) leadByRarest(ctx context.Context) (int64, error) {
	if len(l.terms) < 2 {
		return l.all(), nil
	}
	first, end := 0, l.from
	for i, t := range l.terms {
		id, err := l.ahead(ctx, t, probedRows)
		if err != nil {
			return 0, err
		}
		if id > end != l.down || i == 0 {
			end, first = id, i
		}
	}
	l.terms[0], l.terms[first] = l.terms[first], l.terms[0]
	return end, nil
}

// ahead returns the id of the pet that is so many ahead of those that meet a
// condition, all if there are no more than that.
func (l *walk) ahead(ctx context.Context, t term, n int) (int64, error) {
	ids, order := l.steps()
	query := fmt.Sprintf(`SELECT id FROM pet WHERE here = 1 AND %s AND %s = $2 ORDER BY %s LIMIT 1 OFFSET %d`, ids, t.column, order, n)
	id, err := first(ctx, l.store.db, readColumn[int64], query, l.store.plannedFor([]any{l.from, t.value})...)
	if id == nil {
		return l.all(), err
	}
	return *id, nil
}

// plannedFor are the arguments of a query that PostgreSQL is to plan for these
// very values: one plan for all of them would walk the whole herd for the rare.
func (s *Store) plannedFor(args []any) []any {
	if s.db.Kind != "postgres" {
		return args
	}
	return append([]any{pgx.QueryExecModeExec}, args...)
}

// A sorting is an order by a field. Its column has an index of it and the id.
type sorting struct {
	field  *collection.Field
	column string
	down   bool // the highest first
}

// where is what pets have to be to have a place in the order. Ascending, the zero of
// a type without negative numbers means that a pet has no such moment or number.
func (by sorting) where(column string) string {
	if by.down || by.field.Type.IsSigned() {
		return "here = 1 AND " + column + " IS NOT NULL"
	}
	return "here = 1 AND " + column + " > 0"
}

// sortedPets lists pets in another order than by id. A condition that few pets meet
// leads: they are all read and sorted. Otherwise the order's index is walked, and
// each row is compared with the conditions.
func (s *Store) sortedPets(ctx context.Context, q pet.Query, terms []term, from pet.PagePosition, by sorting) (list []pet.Pet, next pet.PagePosition, err error) {
	led, err := s.leadByFew(ctx, terms)
	if err != nil {
		return nil, next, err
	}
	key := term{column: by.column}
	if led {
		key = key.unindexed()
	}
	after, order := ">", key.column+", id"
	if by.down {
		after, order = "<", key.column+" DESC, id DESC"
	}
	where, args := by.where(key.column), []any(nil)
	if from != (pet.PagePosition{}) {
		where += fmt.Sprintf(" AND (%s, id) %s ($1, $2)", key.column, after)
		args = append(args, int64(from.Key), int64(min(from.ID, math.MaxInt64)))
	}
	source, start := "", args
	if led {
		// PostgreSQL would read all pets where a rare condition has a common owner, such as
		// a bridge. In the order of ids it takes the condition's index.
		args = append(args, terms[0].value)
		source = fmt.Sprintf("(SELECT * FROM pet WHERE here = 1 AND %s = $%d ORDER BY id LIMIT %d) AS few WHERE %s",
			terms[0].column, len(args), maxSortedRows+1, where)
		terms = terms[1:]
	} else {
		source = fmt.Sprintf("(SELECT * FROM pet WHERE %s ORDER BY %s LIMIT %d) AS walked WHERE 1 = 1", where, order, maxWalkedRows)
	}
	for _, t := range terms {
		args = append(args, t.value)
		source += fmt.Sprintf(" AND %s = $%d", t.column, len(args))
	}
	query := fmt.Sprintf(`%s %s ORDER BY %s LIMIT %d`, selectPlaces, source, order, q.Limit+1)
	err = s.queryPlaces(ctx, s.db, query, s.plannedFor(args), func(p *pet.Place) { list = append(list, p.Pet) })
	switch {
	case err != nil:
		return nil, next, err
	case len(list) > q.Limit:
		list = list[:q.Limit]
		last := &list[q.Limit-1]
		return list, pet.PagePosition{Key: s.pets().Uint(last.Value, by.field), ID: last.ID}, nil
	case led:
		return list, next, nil
	}
	query = fmt.Sprintf(`SELECT %s, id FROM pet WHERE %s ORDER BY %s LIMIT 1 OFFSET %d`, by.column, where, order, maxWalkedRows-1)
	err = s.db.QueryRowContext(ctx, query, start...).Scan(bitsOf{&next.Key}, &next.ID) // the last row that was walked
	return list, next, ifNone(err, nil)
}

// leadByFew puts a condition first that at most maxSortedRows pets meet, and reports
// whether there is one.
func (s *Store) leadByFew(ctx context.Context, terms []term) (bool, error) {
	l := walk{store: s}
	for i, t := range terms {
		id, err := l.ahead(ctx, t, maxSortedRows)
		if err != nil {
			return false, err
		}
		if id == l.all() {
			terms[0], terms[i] = terms[i], terms[0]
			return true, nil
		}
	}
	return false, nil
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
		err := s.queryPlaces(ctx, s.db, fmt.Sprintf(`%s pet WHERE here = 1 AND length(name) > 0 AND substr(name, 1, 64) BETWEEN $1 AND $2
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
