package store

import (
	"context"
	"fmt"

	"petsupply/internal/pet"
	"petsupply/internal/store/database"
)

// A census is how many more pets a transaction leaves of each kind: what is kept
// of it is always what counting all pets would give.
type census struct {
	kinds     map[pet.Kind]int
	creatures map[pet.Creature]int
}

func newCensus() census {
	return census{map[pet.Kind]int{}, map[pet.Creature]int{}}
}

// add counts a pet that came (1) or went (-1); nil is none.
func (c census) add(p *pet.Pet, n int) {
	if p == nil {
		return
	}
	c.kinds[p.Kind()] += n
	c.creatures[pet.Creature{Egg: p.Egg, Appearance: p.Appearance}] += n
}

const (
	kindColumns = "realm, egg, rarity, element, shiny, background"
	lookColumns = "egg, appearance"
)

func (c census) save(ctx context.Context, t *petTx) error {
	err := saveCounts(ctx, t, "pet_kind", []string{"realm", "egg", "rarity", "element", "shiny", "background"}, kindColumns, c.kinds, func(args []any, k pet.Kind) []any {
		return append(args, k.Realm, int(k.Egg), int(k.Rarity), int(k.Element), int(k.Shiny), int(k.Background))
	})
	if err != nil {
		return err
	}
	return saveCounts(ctx, t, "pet_creature", []string{"egg", "appearance"}, lookColumns, c.creatures, func(args []any, k pet.Creature) []any {
		return append(args, int(k.Egg), int(k.Appearance))
	})
}

// saveCounts adds what changed to a table's counts, which are by its key.
func saveCounts[K comparable](ctx context.Context, t *petTx, table string, columns []string, key string, counts map[K]int, args func([]any, K) []any) error {
	var changed []K
	for k, n := range counts {
		if n != 0 {
			changed = append(changed, k)
		}
	}
	return database.InsertRows(ctx, t.store.db, t.Tx, table, append(columns, "pets"), "ON CONFLICT ("+key+") DO UPDATE SET pets = "+table+".pets + excluded.pets", changed,
		func(list []any, k *K) []any { return append(args(list, *k), counts[*k]) })
}

// PetCensus returns how many pets there are of each kind and creature.
func (s *Store) PetCensus(ctx context.Context) (*pet.Census, error) {
	kinds, err := list(ctx, s.db, func(scan scanFunc, k *pet.KindCount) error {
		return scan(&k.Realm, &k.Egg, &k.Rarity, &k.Element, &k.Shiny, &k.Background, &k.Pets)
	}, `SELECT `+kindColumns+`, pets FROM pet_kind WHERE pets > 0`)
	if err != nil {
		return nil, fmt.Errorf("counting pets: %w", err)
	}
	out := &pet.Census{Kinds: kinds, Creatures: map[pet.Creature]uint64{}}
	_, err = list(ctx, s.db, func(scan scanFunc, c *pet.Creature) error {
		var n uint64
		err := scan(&c.Egg, &c.Appearance, &n)
		out.Creatures[*c] = n
		return err
	}, `SELECT `+lookColumns+`, pets FROM pet_creature WHERE pets > 0`)
	if err != nil {
		return nil, fmt.Errorf("counting creatures: %w", err)
	}
	return out, nil
}
