package index

import (
	"context"
	"slices"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// owed returns the next ids of the spans that are to be read again, and takes
// them off the position.
func (x *Indexer) owed(ctx context.Context, p *Position) ([]uint64, error) {
	if len(p.Owed) == 0 {
		return nil, nil
	}
	ids, err := x.store.PetIDs(ctx, x.realm.Key, p.Owed[0], stepIDs)
	if err != nil {
		return nil, err
	}
	if len(ids) < stepIDs {
		p.Owed = p.Owed[1:]
	} else {
		p.Owed[0].From = ids[len(ids)-1] + 1
	}
	return ids, nil
}

// sweep returns a few ids that no event spoke of, the next ones in the order of
// ids and the next that were given out since the realm was counted, now and then.
func (x *Indexer) sweep(ctx context.Context, p *Position, head evm.Block, besides []uint64) ([]uint64, error) {
	if x.SweepEvery == 0 || time.Since(x.swept) < x.SweepEvery {
		return nil, nil
	}
	x.swept = time.Now()
	ids, err := x.store.PetIDs(ctx, x.realm.Key, pet.Span{From: p.Swept + 1, To: pet.MaxID}, x.SweepIDs)
	if err != nil {
		return nil, err
	}
	if p.Swept = 0; len(ids) == x.SweepIDs {
		p.Swept = ids[len(ids)-1]
	}
	natives, err := x.countNatives(ctx, head)
	if err != nil {
		return nil, err
	}
	for end := min(natives, p.Natives+uint64(x.SweepIDs)); p.Natives < end; p.Natives++ {
		if id := *x.realm.Offset + p.Natives; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return slices.DeleteFunc(ids, func(id uint64) bool {
		_, found := slices.BinarySearch(besides, id)
		return found
	}), nil
}
