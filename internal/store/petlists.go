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

// A listing walks the index of its most selective condition and checks the other conditions in each
// row.
const (
	maxWalkedRows = 20_000 // rows that one page walks
	maxSortedRows = 2_000  // rows that one page sorts
	probedRows    = 500    // rows to look ahead, to compare how selective the conditions are
)

// ListPets returns the pets that q selects, in its order, from a position on. It also returns the
// next position, or zero if there are no more. A page may be shorter than its limit, because its
// work is bounded.
func (s *Store) ListPets(ctx context.Context, q pet.Query,
	from pet.PagePosition) (list []pet.Pet, next pet.PagePosition, err error) {
	defer wrap(&err, "listing pets")
	leave, err := s.listings.Enter(ctx)
	if err != nil {
		return nil, next, err
	}
	defer leave()
	form := s.pets()
	by, sorted := form.order(q)
	if !sorted && q.Order != pet.ByID && q.Order != pet.Newest {
		return nil, next, fmt.Errorf("unknown order %q", q.Order)
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

// order returns the sorting that q asks for. If a condition fixes the field's value, all pets are
// equal in it, so they are sorted by their ids only.
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

// A term is a condition of a listing: a column and its value.
type term struct {
	column string
	value  any
}

// unindexed returns the same condition in a form that no index matches, so that the database uses
// the index of another condition.
func (t term) unindexed() term {
	t.column = "COALESCE(" + t.column + ", " + t.column + ")"
	return t
}

// conditions returns the conditions of a query. Each of their columns has an index.
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

// A walk is one page of pets, upwards or downwards from an id.
type walk struct {
	store *Store
	from  int64
	down  bool
	terms []term
}

// all returns the end of a walk over all pets.
func (l *walk) all() int64 {
	if l.down {
		return -1
	}
	return math.MaxInt64
}

// steps returns the SQL for the ids of a walk, and for their order.
func (l *walk) steps() (ids, order string) {
	if l.down {
		return "id < $1", "id DESC"
	}
	return "id >= $1", "id"
}

// page returns at most limit pets, and the id to continue from. It walks a short stretch first, and
// then longer ones, because most pages are full by then.
func (l *walk) page(ctx context.Context, limit int) (list []pet.Pet, next uint64, err error) {
	end, err := l.leadByRarest(ctx)
	if err != nil {
		return nil, 0, err
	}
	for rows := probedRows; ; {
		list = list[:0]
		query, args := l.query(end, limit+1)
		if err := l.store.queryPlaces(ctx, l.store.db, query, args,
			func(p *pet.Place) { list = append(list, p.Pet) }); err != nil {
			return nil, 0, err
		}
		switch {
		case len(list) > limit && l.down:
			return list[:limit], list[limit].ID + 1, nil
		case len(list) > limit:
			return list[:limit], list[limit].ID, nil
		case end == l.all():
			return list, 0, nil
		case rows == maxWalkedRows:
			return list, next, nil
		}
		rows = min(6*rows, maxWalkedRows)
		if end, err = l.ahead(ctx, l.terms[0], rows); err != nil {
			return nil, 0, err
		}
		if next = uint64(end); l.down {
			next++
		}
	}
}

// query returns the SQL for the page: the pets up to end that meet all conditions, found only
// through the index of the first.
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

// leadByRarest moves the most selective condition to the front. It returns the id up to which the
// listing walks first.
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

// ahead returns the id of the pet that is n pets ahead among those that meet a condition, or the
// end if there are fewer.
func (l *walk) ahead(ctx context.Context, t term, n int) (int64, error) {
	ids, order := l.steps()
	query := fmt.Sprintf(`SELECT id FROM pet WHERE here = 1 AND %s AND %s = $2 ORDER BY %s LIMIT 1 OFFSET %d`, ids,
		t.column, order, n)
	id, err := first(ctx, l.store.db, readColumn[int64], query, l.store.plannedFor([]any{l.from, t.value})...)
	if id == nil {
		return l.all(), err
	}
	return *id, nil
}

// plannedFor returns query arguments that make PostgreSQL plan for these values. A common plan
// would walk all pets to find rare ones.
func (s *Store) plannedFor(args []any) []any {
	if s.db.Kind != "postgres" {
		return args
	}
	return append([]any{pgx.QueryExecModeExec}, args...)
}

// A sorting is an order by a field. There is an index on its column and the id.
type sorting struct {
	field  *collection.Field
	column string
	down   bool // highest first
}

// where returns the condition for pets that have a place in the order. In ascending order an
// unsigned 0 means that the pet has no such time or number.
func (by sorting) where(column string) string {
	if by.down || by.field.Type.IsSigned() {
		return "here = 1 AND " + column + " IS NOT NULL"
	}
	return "here = 1 AND " + column + " > 0"
}

// sortedPets lists pets in an order other than by id. If few pets meet a condition, it reads and
// sorts all of these. Otherwise it walks the index of the order and checks the conditions in each
// row.
func (s *Store) sortedPets(ctx context.Context, q pet.Query, terms []term, from pet.PagePosition,
	by sorting) (list []pet.Pet, next pet.PagePosition, err error) {
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
		// PostgreSQL would read all pets of a common owner, such as a bridge, if another condition
		// is rare. Ordered by id, it uses the condition's index.
		args = append(args, terms[0].value)
		source = fmt.Sprintf("(SELECT * FROM pet WHERE here = 1 AND %s = $%d ORDER BY id LIMIT %d) AS few WHERE %s",
			terms[0].column, len(args), maxSortedRows+1, where)
		terms = terms[1:]
	} else {
		source = fmt.Sprintf("(SELECT * FROM pet WHERE %s ORDER BY %s LIMIT %d) AS walked WHERE 1 = 1", where, order,
			maxWalkedRows)
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
	query = fmt.Sprintf(`SELECT %s, id FROM pet WHERE %s ORDER BY %s LIMIT 1 OFFSET %d`, by.column, where, order,
		maxWalkedRows-1)
	err = s.db.QueryRowContext(ctx, query, start...).Scan(bitsOf{&next.Key}, &next.ID) // the last row of the walk
	return list, next, ifNone(err, nil)
}

// leadByFew moves to the front a condition that at most maxSortedRows pets meet. It reports whether
// there is such a condition.
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

// namedPets returns the first pets by name whose name begins with a text, as written or in another
// usual capitalisation. The index has the first 64 bytes of a name.
func (s *Store) namedPets(ctx context.Context, q pet.Query) (list []pet.Pet, err error) {
	lower := strings.ToLower(q.Name)
	first, size := utf8.DecodeRuneInString(lower)
	spelt := []string{string(unicode.ToUpper(first)) + lower[size:], q.Name, lower, strings.ToUpper(q.Name)}
	for i, text := range spelt {
		if slices.Contains(spelt[:i], text) || len(list) >= q.Limit {
			continue
		}
		from := []byte(text[:min(len(text), 60)])
		err := s.queryPlaces(ctx, s.db, fmt.Sprintf(`%s pet
			WHERE here = 1 AND length(name) > 0 AND substr(name, 1, 64) BETWEEN $1 AND $2
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
