package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
)

// ImportPets stores pets of closed realms, and traits of pets whose contract has none. Any process
// may call it. Indexers of open realms then look for imported pets that are in transit. Pets that
// are new or had no traits get no changes of their own. The transaction adds one change for each of
// their realms instead. ImportPets returns how many pets were new or different.
func (s *Store) ImportPets(ctx context.Context, rg *pet.Registry, pets []pet.Pet) (changed int, err error) {
	defer wrap(&err, "importing %d pets", len(pets))
	ids := make([]uint64, len(pets))
	for i := range pets {
		ids[i] = pets[i].ID
	}
	err = s.besideLeader(ctx, func(tx *sql.Tx) error {
		t, err := s.newPetTx(ctx, tx, ids)
		if err != nil {
			return err
		}
		now := time.Now()
		for _, p := range pets {
			t.update(p.ID, func(old []pet.Place) ([]pet.Place, *pet.Change) { return rg.Install(old, p, now) })
		}
		different, covered := t.compare()
		changed = different
		if rg.Untraited() {
			if changed, err = t.putImported(ctx, pets); err != nil {
				return err
			}
		}
		for _, realm := range covered {
			t.announce(realm, 0, now)
		}
		if err := t.save(ctx); err != nil {
			return err
		}
		return t.wantLost(ctx, rg.Realms, "")
	})
	return changed, err
}

// compare counts the pets whose places differ from the stored ones. It also returns the realms of
// those pets that differ but get no change in the feed.
func (t *petTx) compare() (changed int, covered []string) {
	named := map[uint64]bool{}
	for _, c := range t.changes {
		named[c.ID] = true
	}
	realms := map[string]bool{}
	for _, id := range t.ids {
		if slices.Equal(t.places[id], t.stored[id]) {
			continue
		}
		changed++
		if named[id] {
			continue
		}
		for _, p := range t.places[id] {
			realms[p.Realm] = true
		}
	}
	return changed, slices.Sorted(maps.Keys(realms))
}

// importedPets returns the imported names and traits of pets, by id.
func (s *Store) importedPets(ctx context.Context, q querier, ids []uint64) (map[uint64]pet.Observation, error) {
	found := make(map[uint64]pet.Observation, len(ids))
	err := eachIDs(ids, "SELECT id, name, traits FROM asked JOIN pet_import ON id = it",
		func(query string, args []any) error {
			_, err := list(ctx, q, func(scan scanFunc, _ *struct{}) (err error) {
				var p pet.Observation
				var name, traits []byte
				if err = scan(&p.ID, &name, &traits); err != nil {
					return err
				}
				p.Name = string(name)
				p.Value, err = s.pets().unpack(traits)
				found[p.ID] = p
				return err
			}, query, args...)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("reading the imported traits of %d pets: %w", len(ids), err)
	}
	return found, nil
}

// addImported sets the names and traits of observations to the imported ones, or to none if a pet
// was not imported.
func (t *petTx) addImported(ctx context.Context, seen []pet.Observation) error {
	found, err := t.store.importedPets(ctx, t, t.ids)
	if err != nil {
		return err
	}
	for i := range seen {
		p := found[seen[i].ID]
		seen[i].Name = p.Name
		seen[i].Value = p.Value
	}
	return nil
}

// putImported stores imported names and traits, even of pets that were not seen on the chain yet.
// It returns how many are new or different.
func (t *petTx) putImported(ctx context.Context, pets []pet.Pet) (changed int, err error) {
	old, err := t.store.importedPets(ctx, t, t.ids)
	if err != nil {
		return 0, err
	}
	var puts []pet.Pet
	for _, p := range pets {
		if was, ok := old[p.ID]; !ok || was.Name != p.Name || was.Value != p.Value {
			puts = append(puts, p)
		}
	}
	return len(puts), database.InsertRows(ctx, t.store.db, t.Tx, "pet_import", []string{"id", "name", "traits"},
		"ON CONFLICT (id) DO UPDATE SET name = excluded.name, traits = excluded.traits", puts,
		func(args []any, p *pet.Pet) []any {
			return append(args, int64(p.ID), []byte(p.Name), t.form.pack(p.Value))
		})
}
