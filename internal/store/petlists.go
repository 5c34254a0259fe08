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

// ListPets walks one index, usually that of the most selective condition, and checks the other
// conditions in each row.
const (
	maxWalkedRows = 20_000 // limit of the rows that one page walks
	maxSortedRows = 2_000  // limit of the rows that one page sorts
	probedRows    = 500    // rows to look ahead, to compare how selective the conditions are
)

// ListPets returns the pets that q selects, in the order of q, from a position on. It also returns
// the next position, or the zero position if there are no more pets. A page may have fewer pets
// than q.Limit even if more pets follow, because a page walks a limited number of rows.
func (s *Store) ListPets(ctx context.Context, q pet.Query,
	from pet.PagePosition) (list []pet.Pet, next pet.PagePosition, err error) {
	defer wrap(&err, "listing pets")
	leave, err := s.turns.Enter(ctx)
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
		var more bool
		if list, more, err = s.namedPets(ctx, q, terms); more {
			next.ID = math.MaxInt64
		}
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

// order returns the sorting that q asks for. ok is false if q does not sort by a field. If q allows
// only one value of the field, the sorting has no column, because pets are then sorted by id only.
func (f *petForm) order(q pet.Query) (by sorting, ok bool) {
	for _, field := range f.columns {
		if field.Sort == "" || string(q.Order) != field.Key {
			continue
		}
		by = sorting{field: field, down: field.Sort == collection.Descending}
		if len(q.Traits[field.Key]) != 1 {
			by.column = column(field)
		}
		return by, true
	}
	return by, false
}

// A term is a condition of a listing: a column and the values that it may have.
type term struct {
	column string
	values []any
}

// sql returns the condition, and adds its values to the arguments.
func (t term) sql(args *[]any) string {
	var places []string
	for _, v := range t.values {
		*args = append(*args, v)
		places = append(places, fmt.Sprintf("$%d", len(*args)))
	}
	return t.column + " IN (" + strings.Join(places, ", ") + ")"
}

// firstOfEach returns a subquery for the first pets with each of the term's values, at most limit
// for each value. An index on the term's column finds them.
func (t term) firstOfEach(columns, where, order string, limit int, args *[]any) string {
	var parts []string
	for _, v := range t.values {
		parts = append(parts, fmt.Sprintf("SELECT * FROM (SELECT %s FROM pet WHERE %s AND %s ORDER BY %s LIMIT %d) AS part",
			columns, where, term{t.column, []any{v}}.sql(args), order, limit))
	}
	return "(" + strings.Join(parts, " UNION ALL ") + ") AS parts"
}

// unindexed returns the condition in a form that no index matches, so that the database uses the
// index of another condition.
func (t term) unindexed() term {
	t.column = "COALESCE(" + t.column + ", " + t.column + ")"
	return t
}

// conditions returns the conditions of a query. Each of their columns has an index.
func (f *petForm) conditions(q pet.Query) []term {
	var terms []term
	if q.Owner != nil {
		terms = append(terms, term{"owner", []any{packAddress(*q.Owner)}})
	}
	if len(q.Realms) > 0 {
		t := term{column: "realm"}
		for _, realm := range q.Realms {
			t.values = append(t.values, realm)
		}
		terms = append(terms, t)
	}
	for _, field := range f.columns {
		t := term{column: column(field)}
		for _, n := range q.Traits[field.Key] {
			t.values = append(t.values, int64(n))
		}
		if len(t.values) > 0 && field.Filter {
			terms = append(terms, t)
		}
	}
	return terms
}

// A walk reads one page of pets, upwards or downwards from an id.
type walk struct {
	store *Store
	from  int64
	down  bool
	terms []term
}

// all returns the end of a walk over all pets: an id beyond the last one.
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

// page returns at most limit pets, and the id to continue from, or 0 if there are no more pets. It
// walks a short stretch first, which fills most pages, and then longer ones.
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
		next = uint64(end)
		if l.down {
			next++
		}
	}
}

// query returns the SQL for the page. It selects pets that meet all conditions, from the start of
// the walk up to the id in end, and finds them only through the index of the first condition.
func (l *walk) query(end int64, limit int) (string, []any) {
	ids, order := l.steps()
	where := "here = 1 AND " + ids
	args := []any{l.from}
	if end != l.all() {
		beyond := " AND id < $2"
		if l.down {
			beyond = " AND id > $2"
		}
		where = where + beyond
		args = append(args, end)
	}
	for _, t := range l.terms[min(1, len(l.terms)):] {
		where += " AND " + t.unindexed().sql(&args)
	}
	source := "pet WHERE " + where
	switch {
	case len(l.terms) > 0 && len(l.terms[0].values) == 1:
		source += " AND " + l.terms[0].sql(&args)
	case len(l.terms) > 0:
		source = fmt.Sprintf("pet WHERE here = 1 AND id IN (SELECT id FROM %s ORDER BY %s LIMIT %d)",
			l.terms[0].firstOfEach("id", where, order, limit, &args), order, limit)
	}
	return fmt.Sprintf(`%s %s ORDER BY %s LIMIT %d`, selectPlaces, source, order, limit), l.store.plannedFor(args)
}

// leadByRarest moves the most selective condition to the front. It returns the id at which the
// first stretch of the walk ends.
func (l *walk) leadByRarest(ctx context.Context) (int64, error) {
	if len(l.terms) < 2 {
		return l.all(), nil
	}
	first := 0
	end := l.from
	for i, t := range l.terms {
		id, err := l.ahead(ctx, t, probedRows)
		if err != nil {
			return 0, err
		}
		if id > end != l.down || i == 0 {
			end = id
			first = i
		}
	}
	l.terms[0], l.terms[first] = l.terms[first], l.terms[0]
	return end, nil
}

// ahead returns the id at which a walk must end so that it finds at most n pets that meet a
// condition. Each value of the condition gets an equal part of n, and at least 1. The walk ends
// before the first pet that exceeds the part of its value. If no pet does, ahead returns the end of
// a walk over all pets.
func (l *walk) ahead(ctx context.Context, t term, n int) (int64, error) {
	ids, order := l.steps()
	query := fmt.Sprintf(`SELECT id FROM pet WHERE here = 1 AND %s AND %s = $2 ORDER BY %s LIMIT 1 OFFSET %d`, ids,
		t.column, order, max(1, n/len(t.values)))
	end := l.all()
	for _, v := range t.values {
		id, err := first(ctx, l.store.db, readColumn[int64], query, l.store.plannedFor([]any{l.from, v})...)
		if err != nil {
			return end, err
		}
		if id != nil && *id > end == l.down {
			end = *id
		}
	}
	return end, nil
}

// plannedFor returns the arguments of a query in a form that makes PostgreSQL plan for their
// values. A plan for unknown values would walk all pets to find those with a rare value.
func (s *Store) plannedFor(args []any) []any {
	if s.db.Kind != "postgres" {
		return args
	}
	return append([]any{pgx.QueryExecModeExec}, args...)
}

// A sorting is an order by a field. There is an index on its column and the id.
type sorting struct {
	field  *collection.Field
	column string // "" if all listed pets have the same value of the field
	down   bool   // highest first
}

// after returns the SQL for the pets after a position, and for their order. In ascending order it
// leaves out pets with 0 in an unsigned field, because this 0 means that the pet has no such time
// or number.
func (by sorting) after(from pet.PagePosition, column string) (where, order string, args []any) {
	where = "here = 1 AND " + column + " > 0"
	order = column + ", id"
	beyond := ">"
	if by.down || by.field.Type.IsSigned() {
		where = "here = 1 AND " + column + " IS NOT NULL"
	}
	if by.down {
		order = column + " DESC, id DESC"
		beyond = "<"
	}
	if from != (pet.PagePosition{}) {
		where += fmt.Sprintf(" AND (%s, id) %s ($1, $2)", column, beyond)
		args = []any{int64(from.Key), int64(min(from.ID, math.MaxInt64))}
	}
	return where, order, args
}

// sortedPets lists pets in an order other than by id. It walks a short stretch of the order's index
// first, which fills most pages. If the page is not full, there are two ways to go on. If only few
// pets meet one of the conditions, sortedPets sorts all of these pets. If not, it walks a longer
// stretch.
func (s *Store) sortedPets(ctx context.Context, q pet.Query, terms []term, from pet.PagePosition,
	by sorting) (list []pet.Pet, next pet.PagePosition, err error) {
	led := false
	list, err = s.sortedPage(ctx, q, terms, from, by, probedRows)
	if err == nil && len(list) <= q.Limit {
		led, err = s.leadByFew(ctx, terms)
		switch {
		case err != nil:
			return nil, next, err
		case led:
			list, err = s.sortedPage(ctx, q, terms, from, by, 0)
		default:
			list, err = s.sortedPage(ctx, q, terms, from, by, maxWalkedRows)
		}
	}
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
	where, order, args := by.after(from, by.column)
	query := fmt.Sprintf(`SELECT %s, id FROM pet WHERE %s ORDER BY %s LIMIT 1 OFFSET %d`, by.column, where, order,
		maxWalkedRows-1)
	err = s.db.QueryRowContext(ctx, query, args...).Scan(bitsOf{&next.Key}, &next.ID) // the last row of the walk
	return list, next, ifNone(err, nil)
}

// sortedPage returns the pets of a page, and one more if there is one. It walks the given number of
// rows in the order's index, and checks the conditions in each. If rows is 0, it sorts the pets
// that meet the first condition.
func (s *Store) sortedPage(ctx context.Context, q pet.Query, terms []term, from pet.PagePosition, by sorting,
	rows int) (list []pet.Pet, err error) {
	where, order, args := by.after(from, by.column)
	source := fmt.Sprintf("(SELECT * FROM pet WHERE %s ORDER BY %s LIMIT %d) AS walked WHERE 1 = 1", where, order, rows)
	if rows == 0 {
		// The subquery orders by id, so that PostgreSQL uses the index of the first condition.
		// Otherwise it would read all pets of an owner with many pets, such as a bridge.
		where, order, args = by.after(from, term{column: by.column}.unindexed().column)
		source = terms[0].firstOfEach("*", "here = 1", "id", maxSortedRows+1, &args) + " WHERE " + where
		terms = terms[1:]
	}
	for _, t := range terms {
		source += " AND " + t.sql(&args)
	}
	query := fmt.Sprintf(`%s %s ORDER BY %s LIMIT %d`, selectPlaces, source, order, q.Limit+1)
	err = s.queryPlaces(ctx, s.db, query, s.plannedFor(args), func(p *pet.Place) { list = append(list, p.Pet) })
	return list, err
}

// leadByFew moves to the front a condition that at most maxSortedRows pets meet. It reports whether
// it found one. It may miss a condition with several values, because each value gets only a part of
// that number: see ahead.
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

// namedPets returns the first pets whose name begins with q.Name, as written or in another usual
// capitalisation, and that meet all conditions. The index has the first 64 bytes of each name. The
// searched range ends with the text and four bytes 0xff. So only the first 60 bytes of the text are
// used. more says that there may be more such pets: the page is full, or too many names begin like
// this to check the conditions for all.
func (s *Store) namedPets(ctx context.Context, q pet.Query, terms []term) (list []pet.Pet, more bool, err error) {
	const where = "here = 1 AND length(name) > 0 AND substr(name, 1, 64) BETWEEN $1 AND $2"
	const order = "substr(name, 1, 64), id"
	rows := q.Limit + 1
	if len(terms) > 0 {
		rows = maxSortedRows
	}
	lower := strings.ToLower(q.Name)
	initial, size := utf8.DecodeRuneInString(lower)
	spelt := []string{string(unicode.ToUpper(initial)) + lower[size:], q.Name, lower, strings.ToUpper(q.Name)}
	for i, text := range spelt {
		if slices.Contains(spelt[:i], text) || len(list) > q.Limit {
			continue
		}
		from := []byte(text[:min(len(text), 60)])
		args := []any{from, append(slices.Clone(from), 0xff, 0xff, 0xff, 0xff)}
		beyond, err := first(ctx, s.db, readColumn[int64],
			fmt.Sprintf(`SELECT id FROM pet WHERE %s ORDER BY %s LIMIT 1 OFFSET %d`, where, order, rows), args...)
		if err != nil {
			return nil, false, err
		}
		more = more || beyond != nil
		query := fmt.Sprintf(`%s (SELECT * FROM pet WHERE %s ORDER BY %s LIMIT %d) AS walked WHERE 1 = 1`, selectPlaces,
			where, order, rows)
		for _, t := range terms {
			query += " AND " + t.sql(&args)
		}
		err = s.queryPlaces(ctx, s.db, fmt.Sprintf(`%s ORDER BY %s LIMIT %d`, query, order, q.Limit+1), args,
			func(p *pet.Place) {
				if !slices.ContainsFunc(list, func(have pet.Pet) bool { return have.ID == p.ID }) {
					list = append(list, p.Pet)
				}
			})
		if err != nil {
			return nil, false, err
		}
	}
	return list[:min(len(list), q.Limit)], more || len(list) > q.Limit, nil
}
