package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/pet/collection"
)

// A petForm says how the store keeps the pets of a collection.
type petForm struct {
	*collection.Collection
	columns   []*collection.Field // fields of the columns f1, f2 …
	counted   []*collection.Field // fields that pets are counted by
	target    storedForm          // the stored form once all pets are converted
	converted atomic.Bool         // all pets are converted to this form
	indexed   atomic.Bool         // the indexes of listings are complete
}

// A storedForm is the form that the store's pets have, or are being converted to.
type storedForm struct {
	layout, getters, columns string
	below                    uint64 // pets with lower ids are converted and counted
}

// defaultCollection is the collection of stores whose SetCollection was not called.
var defaultCollection = sync.OnceValue(collection.Pets)

func newPetForm(c *collection.Collection) *petForm {
	f := &petForm{Collection: c, columns: c.Columns(), counted: c.CountedFields()}
	f.target = storedForm{c.Layout.String(), c.GetterText(), f.fields(), math.MaxInt64}
	return f
}

// fields returns a text that describes the fields with columns. If the text changes, stored pets are
// converted.
func (f *petForm) fields() string {
	var b strings.Builder
	for _, field := range f.columns {
		fmt.Fprintf(&b, "%s:%s bool %v counted %v; ", field.Raw, field.Type, field.Bool,
			slices.Contains(f.counted, field))
	}
	return b.String()
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

// column returns the name of a field's column.
func column(f *collection.Field) string { return fmt.Sprintf("f%d", f.Column) }

// number returns the value for a field's column, or nil if v does not have the field.
func (f *petForm) number(v collection.Value, field *collection.Field) any {
	if !f.Has(v, field) {
		return nil
	}
	return int64(f.Uint(v, field))
}

// pack prefixes a value with the number of its fields.
func (f *petForm) pack(v collection.Value) []byte {
	b := binary.AppendUvarint(make([]byte, 0, len(v)+2), uint64(f.Layout.Len()))
	return append(b, v...)
}

var errValue = errors.New("the stored traits of a pet cannot be read")

// unpack reads the bytes that pack returned. A value from before fields were added at the end of the
// collection lacks these fields.
func (f *petForm) unpack(b []byte) (collection.Value, error) {
	fields, n := binary.Uvarint(b)
	if n <= 0 || fields > uint64(f.Layout.Len()) {
		return "", errValue
	}
	v := collection.Value(b[n:])
	layout := f.Layout
	if int(fields) < layout.Len() {
		layout = layout.First(int(fields))
	}
	switch {
	case !layout.Valid(v):
		return "", errValue
	case layout == f.Layout:
		return v, nil
	}
	return f.Convert(layout, v), nil
}

// readForm reads the store's form. It returns nil if the store has no pets yet.
func readForm(ctx context.Context, q querier) (*storedForm, error) {
	return first(ctx, q, func(scan scanFunc, f *storedForm) error {
		return scan(&f.layout, &f.getters, &f.columns, &f.below)
	}, `SELECT layout, getters, columns, below_id FROM pet_form`)
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

// formToWrite returns the form in which a transaction writes pets. Pets with ids lower than below
// are converted and counted. If the collection's columns have changed, formToWrite begins the
// conversion of all pets.
func (s *Store) formToWrite(ctx context.Context, tx *sql.Tx) (form *petForm, below uint64, err error) {
	form = s.pets()
	stored, err := readForm(ctx, tx)
	if err == nil {
		err = form.check(stored)
	}
	if err != nil || stored != nil && stored.layout == form.target.layout && stored.getters == form.target.getters &&
		stored.columns == form.target.columns {
		if stored != nil {
			below = stored.below
		}
		return form, below, err
	}
	below = form.target.below
	if stored != nil && stored.columns != form.target.columns {
		below = 0
		if err := s.db.Empty(ctx, tx, "pet_count"); err != nil {
			return nil, 0, err
		}
	} else if stored != nil {
		below = stored.below
	}
	if _, err := tx.ExecContext(ctx, `DELETE FROM pet_form`); err != nil {
		return nil, 0, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO pet_form (layout, getters, columns, below_id) VALUES ($1, $2, $3, $4)`,
		form.target.layout, form.target.getters, form.target.columns, int64(below))
	return form, below, err
}

// Reindex asks the leader to read the given realms from the start, and returns those of them that
// were read before. If the stored pets do not fit the collection that SetCollection set, it removes
// all of them, also those of closed realms, which must be imported again. The feed stays.
func (s *Store) Reindex(ctx context.Context, realms []string) (asked []string, err error) {
	defer wrap(&err, "changing the collection")
	err = s.besideLeader(ctx, func(tx *sql.Tx) error {
		stored, err := readForm(ctx, tx)
		if err != nil {
			return err
		}
		read, err := list(ctx, tx, readColumn[string], `SELECT realm FROM pet_realm ORDER BY realm`)
		if err != nil {
			return err
		}
		if s.pets().check(stored) != nil {
			for _, table := range []string{"pet", "pet_count", "pet_form", "pet_import", "pet_mark", "pet_realm",
				"pet_wanted"} {
				if err := s.db.Empty(ctx, tx, table); err != nil {
					return err
				}
			}
			t := &petTx{Tx: tx, store: s}
			for _, realm := range read {
				t.announce(realm, 0, time.Now())
			}
			asked = read
			if err := t.saveChanges(ctx); err != nil {
				return err
			}
			// From now on a process with the old collection cannot write.
			_, _, err := s.formToWrite(ctx, tx)
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

// converted returns errConverting until all pets are converted to the collection's form.
func (s *Store) converted(ctx context.Context) error {
	form := s.pets()
	if form.converted.Load() {
		return nil
	}
	stored, err := readForm(ctx, s.db)
	if err != nil {
		return err
	}
	if stored != nil && (stored.below != form.target.below || stored.columns != form.target.columns) {
		return errConverting
	}
	form.converted.Store(stored != nil)
	return nil
}

// errConverting: the collection's filters or counts changed, and not all pets are converted yet.
var errConverting = errors.New("pets are still being converted to the changed fields of the collection")
