package store

import (
	"cmp"
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

// ListPets walks one index, and checks conditions in each row. Its reads are limited so that a page
// reads at most 20,000 rows, whatever is asked.
const (
	maxWalkedRows = 5_000 // rows that one page walks
	maxSortedRows = 2_000 // rows that one page sorts
	probedRows    = 500   // rows of the first walk, and rows to look ahead in each condition
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
	by, known := form.order(q)
	if !known {
		return nil, next, fmt.Errorf("unknown order %q", q.Order)
	}
	terms := form.conditions(q)
	if len(terms) > 0 || by.column != "" || q.Name != "" {
		if err := s.listable(ctx); err != nil {
			return nil, next, err
		}
	}
	if q.Name != "" {
		list, more, err := s.namedPets(ctx, q, terms)
		if more {
			next.ID = math.MaxInt64
		}
		return list, next, err
	}
	w := walk{store: s, by: by, from: by.start(from), terms: terms}
	return w.page(ctx, q.Limit)
}

// A sorting is an order of pets: by a field and then by id, or by id only. There is an index for it.
type sorting struct {
	field  *collection.Field // nil: by id
	column string            // "" if pets are sorted by id, or if all have the same value of the field
	down   bool              // highest first
}

// order returns the sorting that q asks for. If q allows only one value of the field, pets are sorted
// by id. known is false if there is no such order.
func (f *petForm) order(q pet.Query) (by sorting, known bool) {
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
	return sorting{down: q.Order == pet.Newest}, q.Order == pet.ByID || q.Order == pet.Newest
}

// A position is the place of a pet in a sorting.
type position struct{ key, id int64 }

// start returns the position after which a page begins, or nil if it begins with the first pet.
func (by sorting) start(from pet.PagePosition) *position {
	if from == (pet.PagePosition{}) {
		return nil
	}
	at := position{int64(from.Key), int64(min(from.ID, math.MaxInt64))}
	if by.column == "" && !by.down {
		at.id-- // see next
	}
	return &at
}

// next returns the position of a page that begins after a pet. If pets are sorted by id, upwards, it
// has the next id, because the zero position after pet 0 would mean that there are no more pets.
func (by sorting) next(after position) pet.PagePosition {
	switch {
	case by.column != "":
		return pet.PagePosition{Key: uint64(after.key), ID: uint64(after.id)}
	case by.down:
		return pet.PagePosition{ID: uint64(after.id)}
	}
	return pet.PagePosition{ID: uint64(after.id) + 1}
}

// order returns the SQL for the order.
func (by sorting) order() string {
	switch {
	case by.column != "" && by.down:
		return by.column + " DESC, id DESC"
	case by.column != "":
		return by.column + ", id"
	case by.down:
		return "id DESC"
	}
	return "id"
}

// listed returns the condition for the pets that the sorting has. In ascending order it leaves out
// pets with 0 in an unsigned field, because this 0 means that the pet has no such time or number.
func (by sorting) listed() string {
	switch {
	case by.column == "":
		return "here = 1"
	case by.down || by.field.Type.IsSigned():
		return "here = 1 AND " + by.column + " IS NOT NULL"
	}
	return "here = 1 AND " + by.column + " > 0"
}

// beside returns the condition that compares pets with a position.
func (by sorting) beside(comparison string, at position, args *[]any) string {
	if by.column == "" {
		*args = append(*args, at.id)
		return fmt.Sprintf(" AND id %s $%d", comparison, len(*args))
	}
	*args = append(*args, at.key, at.id)
	return fmt.Sprintf(" AND (%s, id) %s ($%d, $%d)", by.column, comparison, len(*args)-1, len(*args))
}

// before reports whether a comes before b.
func (by sorting) before(a, b position) bool {
	order := cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id))
	return order < 0 != by.down && order != 0
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
	for _, one := range t.each() {
		parts = append(parts, fmt.Sprintf(
			"SELECT * FROM (SELECT %s FROM pet WHERE %s AND %s ORDER BY %s LIMIT %d) AS part",
			columns, where, one.sql(args), order, limit))
	}
	return "(" + strings.Join(parts, " UNION ALL ") + ") AS parts"
}

// each returns a term for each value.
func (t term) each() (out []term) {
	for _, v := range t.values {
		out = append(out, term{t.column, []any{v}})
	}
	return out
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

// A walk reads one page of pets. It walks the index of the first condition if pets are sorted by id,
// and the index of the sorting if not.
type walk struct {
	store *Store
	by    sorting
	from  *position // nil: from the first pet on
	terms []term
}

// page returns at most limit pets and the next position. It walks a short stretch first, which fills
// most pages, and then a longer one.
func (w *walk) page(ctx context.Context, limit int) (list []pet.Pet, next pet.PagePosition, err error) {
	var lead *term // the condition whose index is walked
	checked := w.terms
	if w.by.column == "" && len(w.terms) > 0 {
		if err := w.leadByRarest(ctx); err != nil {
			return nil, next, err
		}
		lead = &w.terms[0]
		checked = w.terms[1:]
	}
	var end *position
	for _, rows := range []int{probedRows, maxWalkedRows} {
		if len(checked) > 0 { // otherwise every row is listed
			if end, err = w.ahead(ctx, lead, rows); err != nil {
				return nil, next, err
			}
		}
		query, args := w.query(lead, checked, end, limit+1)
		list, more, err := w.read(ctx, query, args, limit)
		if err != nil || more || end == nil {
			return list, w.after(list, more), err
		}
		if lead == nil && rows == probedRows {
			list, more, few, err := w.sortFew(ctx, limit)
			if err != nil || few {
				return list, w.after(list, more), err
			}
		}
	}
	return list, w.by.next(*end), nil
}

// read returns the pets of a query, at most limit. more says that there are more.
func (w *walk) read(ctx context.Context, query string, args []any, limit int) (list []pet.Pet, more bool, err error) {
	err = w.store.queryPlaces(ctx, w.store.db, query, w.store.plannedFor(args),
		func(p *pet.Place) { list = append(list, p.Pet) })
	if len(list) > limit {
		return list[:limit], true, err
	}
	return list, false, err
}

// after returns the position of the page after a page.
func (w *walk) after(list []pet.Pet, more bool) pet.PagePosition {
	if !more {
		return pet.PagePosition{}
	}
	last := &list[len(list)-1]
	at := position{id: int64(last.ID)}
	if w.by.column != "" {
		at.key = int64(w.store.pets().Uint(last.Value, w.by.field))
	}
	return w.by.next(at)
}

// where returns the condition for the pets of the walk, up to end if that is not nil.
func (w *walk) where(end *position, args *[]any) string {
	onwards := ">"
	upTo := "<="
	if w.by.down {
		onwards = "<"
		upTo = ">="
	}
	out := w.by.listed()
	if w.from != nil {
		out += w.by.beside(onwards, *w.from, args)
	}
	if end != nil {
		out += w.by.beside(upTo, *end, args)
	}
	return out
}

// query returns the SQL for the first pets up to end that meet the lead and the checked conditions.
func (w *walk) query(lead *term, checked []term, end *position, limit int) (string, []any) {
	var args []any
	where := w.where(end, &args)
	for _, t := range checked {
		where += " AND " + t.unindexed().sql(&args)
	}
	switch {
	case lead != nil && len(lead.values) == 1:
		where += " AND " + lead.sql(&args)
	case lead != nil:
		where = fmt.Sprintf("here = 1 AND id IN (SELECT id FROM %s ORDER BY %s LIMIT %d)",
			lead.firstOfEach("id", where, w.by.order(), limit, &args), w.by.order(), limit)
	}
	return fmt.Sprintf(`%s pet WHERE %s ORDER BY %s LIMIT %d`, selectPlaces, where, w.by.order(), limit), args
}

// leadByRarest moves the most selective condition to the front. It looks a few rows ahead.
func (w *walk) leadByRarest(ctx context.Context) error {
	if len(w.terms) < 2 {
		return nil
	}
	rarest := 0
	var farthest *position
	for i := range w.terms {
		end, err := w.ahead(ctx, &w.terms[i], probedRows)
		if err != nil {
			return err
		}
		if end == nil || farthest == nil || w.by.before(*farthest, *end) {
			farthest = end
			rarest = i
		}
		if end == nil {
			break
		}
	}
	w.terms[0], w.terms[rarest] = w.terms[rarest], w.terms[0]
	return nil
}

// ahead returns the position at which a walk must end so that it finds at most n pets that meet a
// condition, or nil if there are fewer. Each value of the condition gets an equal part of n, and at
// least 1. If t is nil, ahead counts all pets.
func (w *walk) ahead(ctx context.Context, t *term, n int) (end *position, err error) {
	each := []term{{}}
	if t != nil {
		each = t.each()
	}
	for _, one := range each {
		var args []any
		where := w.where(nil, &args)
		if t != nil {
			where += " AND " + one.sql(&args)
		}
		query := fmt.Sprintf(`SELECT %s, id FROM pet WHERE %s ORDER BY %s LIMIT 1 OFFSET %d`,
			cmp.Or(w.by.column, "id"), where, w.by.order(), max(1, n/len(each))-1)
		last, err := first(ctx, w.store.db, func(scan scanFunc, p *position) error { return scan(&p.key, &p.id) },
			query, w.store.plannedFor(args)...)
		if err != nil {
			return nil, err
		}
		if last != nil && (end == nil || w.by.before(*last, *end)) {
			end = last
		}
	}
	return end, nil
}

// sortFew sorts the pets that meet the most selective condition, if they are few. It may miss that a
// condition with several values has few pets, because each value gets only a part: see ahead.
func (w *walk) sortFew(ctx context.Context, limit int) (list []pet.Pet, more, few bool, err error) {
	byID := walk{store: w.store, terms: w.terms}
	err = byID.leadByRarest(ctx)
	if err != nil {
		return nil, false, false, err
	}
	end, err := byID.ahead(ctx, &w.terms[0], maxSortedRows)
	if err != nil || end != nil {
		return nil, false, false, err
	}
	var args []any
	// The subquery orders by id, so that PostgreSQL uses the index of the first condition. Otherwise
	// it would read all pets of an owner with many pets, such as a bridge.
	source := w.terms[0].firstOfEach("*", "here = 1", "id", maxSortedRows, &args) + " WHERE " + w.where(nil, &args)
	for _, t := range w.terms[1:] {
		source += " AND " + t.sql(&args)
	}
	query := fmt.Sprintf(`%s %s ORDER BY %s LIMIT %d`, selectPlaces, source, w.by.order(), limit+1)
	list, more, err = w.read(ctx, query, args, limit)
	return list, more, true, err
}

// plannedFor returns the arguments of a query in a form that makes PostgreSQL plan for their
// values. A plan for unknown values would walk all pets to find those with a rare value.
func (s *Store) plannedFor(args []any) []any {
	if s.db.Kind != "postgres" {
		return args
	}
	return append([]any{pgx.QueryExecModeExec}, args...)
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
