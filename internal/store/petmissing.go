package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"petsupply/internal/pet"
	"petsupply/internal/pet/index"
)

// freshFor is how long ago a realm may have been compared with its chain's head.
const freshFor = time.Minute

// MissingPets returns those of the ids that certainly no pet has. The realm home is the home of all
// ids, and open has the keys of all open realms. The store has no such pet, no realm's queue names
// the id alone, and all open realms were read up to the newest block within the last minute. For an
// id that its home never assigned, only the home counts.
func (s *Store) MissingPets(ctx context.Context, home pet.Realm, open []string,
	ids []uint64) (out []uint64, err error) {
	defer wrap(&err, "looking for missing pets")
	others := slices.DeleteFunc(slices.Clone(open), func(key string) bool { return key == home.Key })
	query := "SELECT it FROM asked WHERE NOT EXISTS (SELECT 1 FROM pet WHERE id = it)"
	err = eachIDs(ids, query, func(query string, args []any) error {
		args = slices.Clone(args) // the next part of the ids follows in the same array
		read := s.readCondition(&args)
		if !home.Closed {
			query += " AND " + read(home.Key)
		}
		if len(others) > 0 {
			var all []string
			for _, realm := range others {
				all = append(all, read(realm))
			}
			query += " AND (" + strings.Join(all, " AND ") + s.unassigned(home, &args) + ")"
		}
		found, err := list(ctx, s.db, readColumn[uint64], query, args...)
		out = append(out, found...)
		return err
	})
	out = slices.DeleteFunc(out, func(id uint64) bool { return id > pet.MaxID })
	slices.Sort(out)
	return out, err
}

// led is a condition on the lease row: it was taken or renewed since this process opened the store,
// and is valid. Otherwise the store may be an old copy.
func (s *Store) led() string {
	return fmt.Sprintf("expires > %s AND (epoch <> %d OR expires <> %d)", s.clock(), s.opened.epoch,
		s.opened.expires)
}

// readCondition returns a function that makes a condition: a realm is read, and does not want the
// id. Only a comparison by the current leader counts.
func (s *Store) readCondition(args *[]any) func(realm string) string {
	return func(realm string) string {
		*args = append(*args, realm)
		return fmt.Sprintf(`NOT EXISTS
				(SELECT 1 FROM pet_wanted WHERE realm = $%[1]d AND first_id = it AND last_id = it)
			AND EXISTS (SELECT 1 FROM pet_realm, lease WHERE realm = $%[1]d AND %[2]s
				AND compared BETWEEN %[3]s - %[4]d AND %[3]s)`, len(*args), s.led(), s.clock(), freshFor.Milliseconds())
	}
}

// unassigned returns the alternative that the home of the ids is open and never assigned the id.
func (s *Store) unassigned(home pet.Realm, args *[]any) string {
	if home.Closed || home.Offset == nil {
		return ""
	}
	*args = append(*args, home.Key)
	return fmt.Sprintf(` OR EXISTS (SELECT 1 FROM pet_realm WHERE realm = $%d AND natives > 0 AND it - %d >= natives)`,
		len(*args), *home.Offset)
}

// WhyUnread says why pets of the given realms may be missing: a realm is still being read, or its
// chain does not answer. It returns "" if neither is so.
func (s *Store) WhyUnread(ctx context.Context, realms []string) (_ string, err error) {
	defer wrap(&err, "reading how far realms were read")
	type state struct {
		realm string
		index.Position
		compared, now time.Time
		led           bool
	}
	rows, err := list(ctx, s.db, func(scan scanFunc, r *state) error {
		return scan(&r.realm, asJSON{&r.Position}, millis{&r.compared}, millis{&r.now}, &r.led)
	}, `SELECT realm, position, compared, `+s.clock()+`, EXISTS (SELECT 1 FROM lease WHERE `+s.led()+`) FROM pet_realm`)
	if err != nil {
		return "", err
	}
	states := map[string]state{}
	for _, r := range rows {
		states[r.realm] = r
	}
	var reasons []string
	for _, realm := range realms {
		r := states[realm]
		age := r.now.Sub(r.compared).Round(time.Second)
		switch {
		case !r.Following() && r.Share() > 0:
			reasons = append(reasons, fmt.Sprintf("%s is still being read, %.0f %%", realm, r.Share()))
		case !r.Following():
			reasons = append(reasons, realm+" is still being read")
		case !r.compared.IsZero() && age > freshFor:
			reasons = append(reasons, fmt.Sprintf("the chain of %s has not answered for %s", realm, age))
		case !r.led || r.compared.IsZero():
			reasons = append(reasons, realm+" was not yet compared with its chain since the service started")
		}
	}
	return strings.Join(reasons, "; "), nil
}
