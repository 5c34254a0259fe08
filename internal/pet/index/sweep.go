package index

import (
	"context"
	"math"
	"slices"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// owed returns the next ids that must be read again and removes them from the position. After the
// highest id it continues with the lowest. If it always began at the lowest id, it would never
// reach the higher ids of a contract that keeps announcing all its pets.
func (x *Indexer) owed(ctx context.Context, p *Position) ([]uint64, error) {
	if len(p.Owed) == 0 {
		return nil, nil
	}
	part := p.Owed[0]
	if i := slices.IndexFunc(p.Owed, func(s pet.Span) bool { return s.To >= p.OwedNext }); i >= 0 {
		part = p.Owed[i]
		part.From = max(part.From, p.OwedNext)
	}
	ids, err := x.store.PetIDs(ctx, x.realm.Key, part, stepIDs)
	if err != nil {
		return nil, err
	}
	if len(ids) == stepIDs {
		part.To = ids[len(ids)-1]
	}
	p.Owed, p.OwedNext = cutSpan(p.Owed, part), part.To+1
	return ids, nil
}

// reread returns the ids of the next rows to read again because the collection has new fields, and
// moves the position past them.
func (x *Indexer) reread(ctx context.Context, p *Position) ([]uint64, error) {
	if p.Reread == nil {
		return nil, nil
	}
	ids, err := x.store.PetIDs(ctx, x.realm.Key, pet.Span{From: *p.Reread, To: pet.MaxID}, stepIDs)
	if err != nil {
		return nil, err
	}
	p.Reread = nil
	if len(ids) == stepIDs {
		next := ids[stepIDs-1] + 1
		p.Reread = &next
	}
	return ids, nil
}

// sweep returns a few ids to read although no event named them: the next stored ids in order, and
// ids that the contract has assigned since the pet with the number p.Natives. It moves p.Natives
// past these ids. It returns none until SweepEvery has passed since the last sweep. It leaves out
// the ids in the parameter besides, which are sorted.
func (x *Indexer) sweep(ctx context.Context, p *Position, head evm.Block, besides []uint64) ([]uint64, error) {
	if x.SweepEvery == 0 || time.Since(x.swept) < x.SweepEvery {
		return nil, nil
	}
	x.swept = time.Now()
	in := pet.Span{To: pet.MaxID}
	if p.Swept > 0 {
		in.From = p.Swept + 1
	}
	some := x.sweepIDs(p.Natives)
	ids, err := x.store.PetIDs(ctx, x.realm.Key, in, some)
	if err != nil {
		return nil, err
	}
	if p.Swept = 0; len(ids) == some {
		p.Swept = ids[some-1]
	}
	natives, err := x.countNatives(ctx, head)
	if err != nil {
		return nil, err
	}
	for end := min(natives, p.Natives+uint64(some)); p.Natives < end; p.Natives++ {
		if id := *x.realm.Offset + p.Natives; !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return slices.DeleteFunc(ids, func(id uint64) bool {
		_, found := slices.BinarySearch(besides, id)
		return found
	}), nil
}

// sweepWithin is the time in which sweeps should read all rows of a realm. They take longer if one
// sweep would have to read more than stepIDs rows, or if the contract cannot count its pets and has
// millions of them.
const sweepWithin = 7 * 24 * time.Hour

// sweepIDs returns how many rows one sweep reads. There is a sweep every SweepEvery. natives is
// Position.Natives, which is 0 if the contract cannot count its pets.
func (x *Indexer) sweepIDs(natives uint64) int {
	need := float64(natives) * x.SweepEvery.Seconds() / sweepWithin.Seconds()
	return max(x.SweepIDs, int(math.Ceil(min(need, stepIDs))))
}
