package app

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"petsupply/internal/pet/index"
)

// firstReading is how long indexPets waits for a realm whose nodes do not answer.
const firstReading = time.Minute

// indexPets creates the indexes of listings once no realm is being read for the first time, because
// reading is faster without the indexes.
func (v *Service) indexPets(ctx context.Context) error {
	began := time.Now()
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		reading := slices.ContainsFunc(v.indexers, func(x *index.Indexer) bool {
			p := x.Progress()
			return !p.Following() && (p.Phase != "" || time.Since(began) < firstReading)
		})
		if !reading {
			err := v.Store.IndexPets(ctx)
			if err == nil || ctx.Err() != nil {
				return nil
			}
			v.log.Warn("pets: making the indexes of listings failed", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// logReading logs once which pets belong to no configured realm, and every ten seconds how far
// realms are read that are being read from the start.
func (v *Service) logReading(ctx context.Context) error {
	for _, text := range v.strayPets(ctx) {
		v.log.Warn("pets: " + text)
	}
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		for _, x := range v.indexers {
			p := x.Progress()
			if p.Phase == "" || p.Following() {
				continue
			}
			progress := []any{
				"realm", p.Realm, "phase", p.Phase, "percent", int(p.Share), "pets_per_second", int(p.Rate),
			}
			if p.Left > 0 {
				progress = append(progress, "left", p.Left.Round(time.Second))
			}
			v.log.Info("pets: a realm is being read", progress...)
		}
	}
}

// strayPets describes the pets of realms that are not configured.
func (v *Service) strayPets(ctx context.Context) (out []string) {
	stray, err := v.Store.StrayPets(ctx, v.Settings.Registry())
	if err != nil {
		return nil // the store is away, or its counts are not ready
	}
	for _, realm := range slices.Sorted(maps.Keys(stray)) {
		out = append(out, fmt.Sprintf("%d %s belong to realm %s, which is not configured; "+
			"if its key was not misspelt, remove them with petsupply reindex --forget %s",
			stray[realm], v.Settings.Registry().Collection.Many, realm, realm))
	}
	return out
}
