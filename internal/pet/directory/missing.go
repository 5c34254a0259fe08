package directory

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"petsupply/internal/pet"
)

// missing returns the errors for ids that the store lacks. It is pet.ErrNotFound if there is
// certainly no such pet. Otherwise it is pet.ErrUnavailable with the reason. Ids of the same home
// are looked up together.
func (d *Directory) missing(ctx context.Context, ids []uint64) map[uint64]error {
	out := make(map[uint64]error, len(ids))
	byHome := map[string][]uint64{}
	homes := map[string]pet.Realm{}
	for _, id := range ids {
		home, _ := pet.HomeRealm(d.Realms, id)
		homes[home.Key] = home
		byHome[home.Key] = append(byHome[home.Key], id)
	}
	for key, list := range byHome {
		d.missingAtHome(ctx, homes[key], list, out)
	}
	return out
}

// missingAtHome is missing for ids of one home realm.
func (d *Directory) missingAtHome(ctx context.Context, home pet.Realm, ids []uint64, out map[uint64]error) {
	var open []string
	for _, r := range d.Realms {
		if !r.Closed {
			open = append(open, r.Key)
		}
	}
	none, err := d.Reader.MissingPets(ctx, home, open, ids)
	why := ""
	if err == nil && len(none) < len(ids) {
		why, err = d.Reader.WhyUnread(ctx, open)
	}
	if err != nil {
		err = d.unavailable(err)
	}
	for _, id := range ids {
		switch {
		case err != nil:
			out[id] = fmt.Errorf("pet %d: %w", id, err)
		case slices.Contains(none, id):
			d.metrics.lookups.WithLabelValues("none").Inc()
			out[id] = fmt.Errorf("pet %d: %w", id, pet.ErrNotFound)
		default:
			d.metrics.lookups.WithLabelValues("unknown").Inc()
			out[id] = fmt.Errorf("pet %d: %w", id, &pet.NotYetRead{Reason: cmp.Or(why, "it will be read soon")})
		}
	}
}
