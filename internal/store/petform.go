package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"

	"petsupply/internal/pet/collection"
)

// A petForm says how the store keeps the pets of a collection.
type petForm struct {
	*collection.Collection
	columns []*collection.Field // fields of the columns f1, f2 …
	counted []*collection.Field // fields that pets are counted by
	kind    []*collection.Field // fields that decide a pet's kind
	whole   storedForm          // the stored form once all pets are converted
	layouts sync.Map            // by version: *collection.Layout
	known   atomic.Bool         // the map layouts is complete
	listed  atomic.Bool         // all pets are converted to this form
}

// defaultCollection is the collection of stores whose SetCollection was not called.
var defaultCollection = sync.OnceValue(collection.Pets)

func newPetForm(c *collection.Collection) *petForm {
	f := &petForm{Collection: c, columns: c.Columns(), counted: c.CountedFields(), kind: c.KindFields()}
	f.whole = storedForm{c.Layout.String(), c.GetterText(), f.fields(), math.MaxInt64}
	return f
}

// SetCollection sets the collection of the store's pets. Call it before anything else. The default
// is collection.Pets.
func (s *Store) SetCollection(c *collection.Collection) { s.form.Store(newPetForm(c)) }

func (s *Store) pets() *petForm {
	if f := s.form.Load(); f != nil {
		return f
	}
	s.form.CompareAndSwap(nil, newPetForm(defaultCollection()))
	return s.form.Load()
}

// fields returns a text that lists the fields with columns, the counted fields, and the fields that
// decide a pet's kind. If the text changes, stored pets are converted.
func (f *petForm) fields() string {
	var b strings.Builder
	for _, part := range []struct {
		name string
		list []*collection.Field
	}{{"columns", f.columns}, {"counted", f.counted}, {"kind", f.kind}} {
		b.WriteString(part.name)
		for _, field := range part.list {
			fmt.Fprintf(&b, " %s:%s", field.Name, field.Type)
			if field.Bool {
				b.WriteString(":bool")
			}
		}
		b.WriteString("; ")
	}
	return b.String()
}

// column returns the name of a field's column.
func column(f *collection.Field) string { return fmt.Sprintf("f%d", f.Column) }

// number returns the value for a field's column, or nil if v does not have the field.
func (f *petForm) number(v collection.Value, field *collection.Field) any {
	if !f.Has(v, field) {
		return nil
	}
	return int64(f.Uint(v, field))
}

// packValue prefixes a value with the version of its layout.
func packValue(version uint64, v collection.Value) []byte {
	b := binary.AppendUvarint(make([]byte, 0, len(v)+2), version)
	return append(b, v...)
}

var errValue = errors.New("the stored traits of a pet cannot be read")

// unpackValue reads the bytes that packValue returned, and converts the value to the layout of the
// store's collection.
func (s *Store) unpackValue(ctx context.Context, b []byte) (collection.Value, error) {
	version, n := binary.Uvarint(b)
	if n <= 0 {
		return "", errValue
	}
	f, v := s.pets(), collection.Value(b[n:])
	layout, err := s.layout(ctx, f, version)
	switch {
	case err != nil:
		return "", err
	case !layout.Valid(v):
		return "", errValue
	case layout == f.Layout:
		return v, nil
	}
	return f.Convert(layout, v), nil
}

// layout returns the layout of a version.
func (s *Store) layout(ctx context.Context, f *petForm, version uint64) (*collection.Layout, error) {
	if l, ok := f.layouts.Load(version); ok {
		return l.(*collection.Layout), nil
	}
	var text string
	// The caller's connection is reading rows, so use another.
	err := s.db.Leader.QueryRowContext(ctx, `SELECT layout FROM pet_layout WHERE version = $1`, int64(version)).Scan(&text)
	if err != nil {
		return nil, fmt.Errorf("reading layout %d of the stored pets: %w", version, err)
	}
	l := f.Layout
	if text != l.String() {
		if l, err = collection.ParseLayout(text); err != nil {
			return nil, err
		}
	}
	f.layouts.Store(version, l)
	return l, nil
}

// fencedPets loads the layouts of pets and then calls s.fenced. Transactions that read pets use it.
func (s *Store) fencedPets(ctx context.Context, fn func(*sql.Tx) error) error {
	if err := s.loadLayouts(ctx); err != nil {
		return err
	}
	return s.fenced(ctx, fn)
}

// loadLayouts reads the store's layouts before a transaction begins. A transaction that reads a
// layout on another connection could wait forever, because all of the leader's connections may be
// waiting for that transaction.
func (s *Store) loadLayouts(ctx context.Context) (err error) {
	defer wrap(&err, "reading the layouts of the stored pets")
	f := s.pets()
	if f.known.Load() {
		return nil
	}
	versions, err := list(ctx, s.db.Leader, readColumn[uint64], `SELECT version FROM pet_layout`)
	if err != nil {
		return err
	}
	for _, v := range versions {
		if _, err := s.layout(ctx, f, v); err != nil {
			return err
		}
	}
	f.known.Store(len(versions) > 0)
	return nil
}

// A listing has what a transaction needs to write pets.
type listing struct {
	form    *petForm
	version uint64 // version of the collection's layout
	below   uint64 // pets with lower ids are converted and counted
}

// A storedForm is the form that the store's pets have, or are being converted to.
type storedForm struct {
	layout, getters, fields string
	below                   uint64 // pets with lower ids are converted and counted
}

// readForm reads the store's form. It returns nil if the store has no pets yet.
func readForm(ctx context.Context, q querier) (*storedForm, error) {
	return first(ctx, q, func(scan scanFunc, f *storedForm) error {
		return scan(&f.layout, &f.getters, &f.fields, &f.below)
	}, `SELECT layout, getters, fields, below_id FROM pet_listing
		JOIN pet_layout ON pet_layout.version = pet_listing.version`)
}

// CheckCollection returns an error if the store's pets do not fit the collection. The error names
// the command that reads them again.
func (s *Store) CheckCollection(ctx context.Context) error {
	stored, err := readForm(ctx, s.db)
	if err != nil {
		return fmt.Errorf("reading the store's collection: %w", err)
	}
	return s.pets().check(stored)
}

func (f *petForm) check(stored *storedForm) error {
	if stored == nil {
		return nil
	}
	if err := f.CheckStored(stored.layout, stored.getters); err != nil {
		return fmt.Errorf("the stored %s do not fit the collection file: %w. Put the file back as it was, "+
			"give another collection a store of its own with --data DIR, "+
			"or run petsupply reindex once and then start the service again", f.Many, err)
	}
	return nil
}

// listing returns what a transaction needs to write pets. If the collection's columns or counts
// have changed, it also begins to convert the stored pets.
func (s *Store) listing(ctx context.Context, tx *sql.Tx) (l listing, err error) {
	stored, err := readForm(ctx, tx)
	if err == nil {
		err = s.pets().check(stored)
	}
	if err != nil {
		return l, err
	}
	return s.take(ctx, tx, stored)
}

// take changes the store's form to that of the collection. The argument stored is the store's form
// so far, or nil in a new store.
func (s *Store) take(ctx context.Context, tx *sql.Tx, stored *storedForm) (l listing, err error) {
	l.form = s.pets()
	want := l.form.whole
	if l.version, err = layoutVersion(ctx, tx, want.layout); err != nil {
		return l, err
	}
	switch {
	case stored == nil: // a new store
		_, err = tx.ExecContext(ctx, `INSERT INTO pet_listing (version, getters, fields, below_id) VALUES ($1, $2, $3, $4)`,
			int64(l.version), want.getters, want.fields, int64(want.below))
	case stored.fields != want.fields:
		want.below = 0
		for _, table := range []string{"pet_count", "pet_kind"} {
			if err := s.db.Empty(ctx, tx, table); err != nil {
				return l, err
			}
		}
	default:
		want.below = stored.below
	}
	l.below = want.below
	if err == nil && stored != nil && *stored != want {
		_, err = tx.ExecContext(ctx, `UPDATE pet_listing SET version = $1, getters = $2, fields = $3, below_id = $4`,
			int64(l.version), want.getters, want.fields, int64(want.below))
	}
	return l, err
}

// Reindex changes the store to the collection that SetCollection set, even if the stored pets do
// not fit it. It asks the leader to read the given realms from the start, and returns those of them
// that were read before. The feed and the past of pets stay.
func (s *Store) Reindex(ctx context.Context, realms []string) (asked []string, err error) {
	defer wrap(&err, "changing the collection")
	err = s.besideLeader(ctx, func(tx *sql.Tx) error {
		stored, err := readForm(ctx, tx)
		if err != nil {
			return err
		}
		if _, err := s.take(ctx, tx, stored); err != nil {
			return err
		}
		for _, realm := range realms {
			done, err := tx.ExecContext(ctx, `UPDATE pet_realm SET reindex = 1 WHERE realm = $1`, realm)
			if err != nil {
				return err
			}
			if n, err := done.RowsAffected(); err != nil {
				return err
			} else if n > 0 {
				asked = append(asked, realm)
			}
		}
		return nil
	})
	return asked, err
}

// layoutVersion returns the version of a layout. It adds the layout if it is new.
func layoutVersion(ctx context.Context, tx *sql.Tx, layout string) (version uint64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT version FROM pet_layout WHERE layout = $1`, layout).Scan(&version)
	if !errors.Is(err, sql.ErrNoRows) {
		return version, err
	}
	if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(version), 0) + 1 FROM pet_layout`).Scan(&version); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO pet_layout (version, layout) VALUES ($1, $2)`, int64(version), layout)
	return version, err
}
