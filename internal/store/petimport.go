package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/store/database"
)

// ImportPets stores pets of closed realms, and traits of pets whose contract has none. Any process
// may call it. Indexers of open realms then look for imported pets that are in transit. ImportPets
// returns how many pets were new or different.
func (s *Store) ImportPets(ctx context.Context, k *pet.Kingdom, pets []pet.Pet) (changed int, err error) {
	defer wrap(&err, "importing %d pets", len(pets))
	ids := make([]uint64, len(pets))
	for i := range pets {
		ids[i] = pets[i].ID
	}
	if err := s.loadLayouts(ctx); err != nil {
		return 0, err
	}
	err = s.besideLeader(ctx, func(tx *sql.Tx) error {
		t, err := s.newPetTx(ctx, tx, ids)
		if err != nil {
			return err
		}
		t.unlogged = true
		now := time.Now()
		for _, p := range pets {
			t.settle(p.ID, func(old []pet.Place) ([]pet.Place, *pet.Change) { return k.Install(old, p, now) })
		}
		different, silent := t.compare()
		if changed = different; k.Untraited() {
			if changed, err = t.putImported(ctx, pets); err != nil {
				return err
			}
		}
		err = database.InsertRows(ctx, s.db, tx, "pet_unannounced", []string{"realm"}, "ON CONFLICT (realm) DO NOTHING",
			slices.Sorted(maps.Keys(silent)), func(args []any, realm *string) []any { return append(args, *realm) })
		if err != nil {
			return err
		}
		if err := t.save(ctx); err != nil {
			return err
		}
		return t.wantLost(ctx, k.Realms, "")
	})
	return changed, err
}

// compare counts the pets whose places differ from the stored ones. The map silent has the realms
// of those pets that differ but get no change in the feed.
func (t *petTx) compare() (changed int, silent map[string]bool) {
	named := map[uint64]bool{}
	for _, c := range t.changes {
		named[c.ID] = true
	}
	silent = map[string]bool{}
	for _, id := range t.ids {
		if slices.Equal(t.places[id], t.stored[id]) {
			continue
		}
		if changed++; named[id] {
			continue
		}
		for _, p := range t.places[id] {
			silent[p.Realm] = true
		}
	}
	return changed, silent
}

// AnnounceImports adds one change to the feed for each realm with imported pets that have no change
// of their own. Call it after the last ImportPets.
func (s *Store) AnnounceImports(ctx context.Context) (err error) {
	defer wrap(&err, "announcing imports in the feed")
	return s.besideLeader(ctx, func(tx *sql.Tx) error {
		realms, err := list(ctx, tx, readColumn[string], `SELECT realm FROM pet_unannounced ORDER BY realm`)
		if err != nil || len(realms) == 0 {
			return err
		}
		t := &petTx{Tx: tx, store: s}
		for _, realm := range realms {
			t.announce(realm, 0, time.Now())
		}
		if err := t.saveChanges(ctx); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM pet_unannounced`)
		return err
	})
}

// An importedPet is the imported name and traits of a pet.
type importedPet struct {
	name  string
	value collection.Value
}

func (s *Store) importedPets(ctx context.Context, q querier, ids []uint64) (map[uint64]importedPet, error) {
	found := make(map[uint64]importedPet, len(ids))
	err := eachIDs(ids, "SELECT id, name, traits FROM asked JOIN pet_import ON id = it",
		func(query string, args []any) error {
			_, err := list(ctx, q, func(scan scanFunc, _ *struct{}) (err error) {
				var id uint64
				var name, traits []byte
				if err = scan(&id, &name, &traits); err != nil {
					return err
				}
				p := importedPet{name: string(name)}
				p.value, err = s.unpackValue(ctx, traits)
				found[id] = p
				return err
			}, query, args...)
			return err
		})
	if err != nil {
		return nil, fmt.Errorf("reading the imported traits of %d pets: %w", len(ids), err)
	}
	return found, nil
}

// ImportedTraits sets the name and traits of an observation to the imported ones, or to none if the
// pet was not imported.
func (s *Store) ImportedTraits(ctx context.Context, o *pet.Observation) error {
	found, err := s.importedPets(ctx, s.db, []uint64{o.ID})
	o.Name, o.Value = found[o.ID].name, found[o.ID].value
	return err
}

// addImported is ImportedTraits for many observations.
func (t *petTx) addImported(ctx context.Context, lists ...[]pet.Observation) error {
	found, err := t.store.importedPets(ctx, t, t.ids)
	if err != nil {
		return err
	}
	for _, list := range lists {
		for i := range list {
			p := found[list[i].ID]
			list[i].Name, list[i].Value = p.name, p.value
		}
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
		if was, ok := old[p.ID]; !ok || was != (importedPet{p.Name, p.Value}) {
			puts = append(puts, p)
		}
	}
	return len(puts), database.InsertRows(ctx, t.store.db, t.Tx, "pet_import", []string{"id", "name", "traits"},
		"ON CONFLICT (id) DO UPDATE SET name = excluded.name, traits = excluded.traits", puts,
		func(args []any, p *pet.Pet) []any {
			return append(args, int64(p.ID), []byte(p.Name), packValue(t.listing.version, p.Value))
		})
}
