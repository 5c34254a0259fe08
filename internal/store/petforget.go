package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"petsupply/internal/pet"
)

// maxForgottenRows limits the pets that one transaction forgets. It is low because their rows may
// be far apart on disk.
const maxForgottenRows = 500

// ForgetRealms forgets the pets of realms that are no longer configured, and returns the number of
// these pets. They are no longer listed, and a realm that is configured again is read from the
// start. Burned pets stay. Only the leader may call ForgetRealms, and only after all configured
// realms have been read. Before that, the pets of a realm that only got a new key may not be stored
// under this key yet.
func (s *Store) ForgetRealms(ctx context.Context, k *pet.Kingdom) (total int, err error) {
	var realm sql.NullString
	for {
		err := s.db.QueryRowContext(ctx, `SELECT MIN(realm) FROM pet WHERE realm > $1`, realm.String).Scan(&realm)
		if err != nil {
			return total, fmt.Errorf("reading which realms have pets: %w", err)
		}
		if !realm.Valid {
			return total, nil
		}
		if slices.ContainsFunc(k.Realms, func(r pet.Realm) bool { return r.Key == realm.String }) {
			continue
		}
		for {
			n, err := s.forgetSome(ctx, k, realm.String)
			if err != nil {
				return total, fmt.Errorf("forgetting the pets of %s: %w", realm.String, err)
			}
			if total += n; n < maxForgottenRows {
				break
			}
		}
	}
}

// forgetSome forgets some pets of a realm. It also forgets how far the realm was read.
func (s *Store) forgetSome(ctx context.Context, k *pet.Kingdom, realm string) (n int, err error) {
	err = s.fencedPets(ctx, func(tx *sql.Tx) error {
		ids, err := list(ctx, tx, readColumn[uint64], fmt.Sprintf(
			`SELECT id FROM pet WHERE realm = $1 AND here = 1 ORDER BY id LIMIT %d`, maxForgottenRows), realm)
		if err != nil {
			return err
		}
		t, err := s.newPetTx(ctx, tx, ids)
		if err != nil {
			return err
		}
		n = len(ids)
		for _, id := range ids {
			t.settle(id, func(places []pet.Place) ([]pet.Place, *pet.Change) { return k.Forget(places, s.now()) })
		}
		if err := t.save(ctx); err != nil {
			return err
		}
		if err := t.wantLost(ctx, k.Realms, realm); err != nil {
			return err
		}
		for _, table := range []string{"pet_realm", "pet_mark"} {
			if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE realm = $1`, realm); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}
