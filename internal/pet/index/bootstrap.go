package index

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// restart reads the realm from the start, after a reorg that cannot be undone. If guests is set, it
// also looks for guests, the pets that the contract does not count. A search of events begins at
// the block in since, or at the realm's StartBlock if that is later.
func (x *Indexer) restart(ctx context.Context, guests bool, since uint64) (*Batch, error) {
	b, err := x.start(ctx, Position{Afresh: true, Guests: guests, Events: max(since, x.realm.StartBlock)})
	if err != nil {
		return nil, err
	}
	return b, ErrReorg
}

// start pins the block at which the realm is read. It records the pets that the last blocks
// touched. If a reorg replaces these blocks, those pets are read again.
func (x *Indexer) start(ctx context.Context, p Position) (*Batch, error) {
	pin, err := x.pin(ctx)
	if err != nil {
		return nil, err
	}
	natives, err := x.countNatives(ctx, pin)
	if err != nil {
		return nil, err
	}
	t := newTouched()
	keep := pin.Number - min(pin.Number, depth-1)
	for from := keep; from <= pin.Number; {
		logs, last, err := x.search(ctx, from, pin.Number)
		if err != nil {
			return nil, err
		}
		t.add(x.kingdom, x.realm, logs)
		from = last + 1
	}
	t.follow(pin)
	// After a reorg, rewind goes back to a marked block. So mark a few blocks even if no pet changed
	// in them.
	var quiet []uint64
	for _, back := range []uint64{1, 2, 4, 8, 16, 32, 64, depth - 1} {
		quiet = append(quiet, pin.Number-min(pin.Number, back))
	}
	blocks, err := x.chain.Blocks(ctx, quiet...)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		if !t.follow(b) {
			return nil, fmt.Errorf("block %d changed meanwhile: %w", b.Number, evm.ErrReorg)
		}
	}
	x.log.Info("pets: reading the realm from the start", "block", pin.Number, "next_number", natives,
		"read_before", p.Afresh)
	p.Custody = x.custody()
	p.Phase, p.Limit, p.Natives, p.First, p.Pin = phaseNatives, natives, natives, pin, pin
	return &Batch{Position: p, At: pin, Marks: t.marks(keep), Keep: keep, Bootstrap: true, Begin: true}, nil
}

// countNatives returns the number that the realm's next pet will get, or 0 if the contract has no
// call that counts pets.
func (x *Indexer) countNatives(ctx context.Context, at evm.Block) (uint64, error) {
	call, ok := x.kingdom.CountCall(x.realm)
	if !ok {
		return 0, nil
	}
	answers, err := x.chain.Read(ctx, at, []evm.Call{call})
	if err != nil {
		return 0, err
	}
	if _, ok := pet.DecodeUint(answers[0]); !ok {
		return 0, fmt.Errorf("the call that counts %s answered %d bytes; check that %s is the right contract: %w",
			x.kingdom.Collection.Many, len(answers[0]), x.realm.Contract, collection.ErrShape)
	}
	return x.kingdom.NextNumber(x.realm, answers[0]), nil
}

// natives reads the next part of the realm's own ids. It begins to read the following part while
// this one is written.
func (x *Indexer) natives(ctx context.Context, p Position) (*Batch, error) {
	next := p
	next.Next = min(p.Next+stepIDs, p.Limit)
	if next.Next == p.Limit {
		next.Phase, next.Next, next.Limit = phaseGuests, 0, 0
	}
	b, err := x.bootstrap(ctx, p, next, x.nativeIDs(p))
	if err == nil && next.Phase == phaseNatives {
		x.startPrefetch(ctx, p.Pin, x.nativeIDs(next))
	}
	return b, err
}

// nativeIDs returns the next ids of the realm's native pets, from the position on.
func (x *Indexer) nativeIDs(p Position) []uint64 {
	ids := make([]uint64, 0, stepIDs)
	for n := p.Next; n < min(p.Next+stepIDs, p.Limit); n++ {
		ids = append(ids, *x.realm.Offset+n)
	}
	return ids
}

// guests finds pets that were not counted: pets of other realms, and the realm's own pets if its
// contract cannot count them. It does so only if p.Guests is set. Otherwise, pets of other realms
// are found through their home realms, or through another realm's custody.
//
// If the realm has no offset, or if the collection is enumerable, guests tries to list the pets
// with tokenByIndex. For other realms, it searches the events from block p.Events on. It also
// searches them if totalSupply is 0, and for a realm without an offset whose contract cannot list
// its pets.
func (x *Indexer) guests(ctx context.Context, p Position) (*Batch, error) {
	switch {
	case p.ByIndex:
		return x.guestsByIndex(ctx, p)
	case p.Limit > 0 && p.Next < p.Limit:
		return x.guestsByEvent(ctx, p)
	case p.Limit > 0 || !p.Guests:
		return &Batch{Position: p.afterGuests(), At: p.Pin, Bootstrap: true}, nil
	}
	next := p
	next.Next, next.Limit = p.Events, p.First.Number+1
	if x.realm.Offset == nil || x.kingdom.Collection.Count.Kind == collection.Enumerable {
		calls := []evm.Call{x.realm.TotalSupplyCall(), x.realm.TokenByIndexCall(0)}
		calls[1].MayRevert = true
		answers, err := x.chain.Read(ctx, p.Pin, calls)
		if err != nil {
			return x.repin(ctx, p, err)
		}
		total, counts := pet.DecodeUint(answers[0])
		lists := len(answers[1]) == 32
		if counts && lists && total > 0 {
			next.Next, next.Limit, next.ByIndex = 0, total, true
		} else if x.realm.Offset != nil && (!counts || total > 0) {
			return nil, fmt.Errorf("totalSupply() or tokenByIndex() of %s fails, so it is not ERC-721 Enumerable: %w",
				x.realm.Contract, collection.ErrShape)
		}
	}
	return &Batch{Position: next, At: p.Pin, Bootstrap: true}, nil
}

func (x *Indexer) guestsByIndex(ctx context.Context, p Position) (*Batch, error) {
	next := p
	next.Next = min(p.Next+stepIDs, p.Limit)
	var calls []evm.Call
	for i := p.Next; i < next.Next; i++ {
		calls = append(calls, x.realm.TokenByIndexCall(i))
	}
	answers, err := x.chain.Read(ctx, p.Pin, calls)
	if err != nil {
		return x.repin(ctx, p, err)
	}
	var ids []uint64
	for _, a := range answers {
		x.noteOutside(a)
		id, ok := pet.DecodeUint(a)
		if _, native := pet.HomeRealm(x.kingdom.Realms, id); ok && native {
			ids = append(ids, id)
		}
	}
	if next.Next == p.Limit {
		next = next.afterGuests()
	}
	return x.bootstrap(ctx, p, next, ids)
}

func (x *Indexer) guestsByEvent(ctx context.Context, p Position) (*Batch, error) {
	logs, last, err := x.search(ctx, p.Next, p.Limit-1)
	if err != nil {
		return nil, err
	}
	t := newTouched()
	t.add(x.kingdom, x.realm, logs)
	next := p
	next.Next = last + 1
	ids := t.ids()
	if x.counted() { // then the realm's own pets are already read
		ids = slices.DeleteFunc(ids, x.realm.Native)
	}
	return x.bootstrap(ctx, p, next, ids)
}

// afterGuests returns the position at the start of the next phase.
func (p Position) afterGuests() Position {
	p.Phase, p.Next, p.Limit = phaseAway, 0, 0
	return p
}

// away reads the pets that other realms have in custody, because they may be in this realm.
func (x *Indexer) away(ctx context.Context, p Position) (*Batch, error) {
	var others []string
	for _, r := range x.kingdom.Realms {
		if r.Key != x.realm.Key {
			others = append(others, r.Key)
		}
	}
	ids, err := x.store.PetsInCustody(ctx, others, p.Next, strayIDs)
	if err != nil {
		return nil, err
	}
	next := p
	switch {
	case len(ids) == strayIDs:
		next.Next = ids[strayIDs-1] + 1
	case p.Afresh:
		next.Phase, next.Next = phaseVerify, 0
	default:
		next.Phase, next.Next, next.Block = phaseFollow, 0, p.First
	}
	ids = slices.DeleteFunc(ids, func(id uint64) bool { return x.realm.Native(id) && x.realm.Number(id) < p.Natives })
	return x.bootstrap(ctx, p, next, ids)
}

// verify reads the pets of all stored rows again, because rows from before this bootstrap may be out
// of date. It leaves out the natives, which this bootstrap has read.
func (x *Indexer) verify(ctx context.Context, p Position) (*Batch, error) {
	ids, err := x.store.PetIDs(ctx, x.realm.Key, pet.Span{From: p.Next, To: pet.MaxID}, stepIDs)
	if err != nil {
		return nil, err
	}
	next := p
	if len(ids) == stepIDs {
		next.Next = ids[len(ids)-1] + 1
	} else {
		next.Phase, next.Block = phaseFollow, p.First
	}
	ids = slices.DeleteFunc(ids, func(id uint64) bool { return x.realm.Native(id) && x.realm.Number(id) < p.Natives })
	return x.bootstrap(ctx, p, next, ids)
}

// bootstrap reads the pets with these ids at the pinned block. The returned batch sets the position
// to next.
func (x *Indexer) bootstrap(ctx context.Context, p, next Position, ids []uint64) (*Batch, error) {
	seen, unreadable, err := x.observe(ctx, p.Pin, ids)
	if err != nil {
		return x.repin(ctx, p, err)
	}
	return &Batch{Position: next, At: p.Pin, Observations: seen, Want: x.setAside(seen, unreadable), Bootstrap: true}, nil
}

// repin continues after a read at the pinned block failed. If a reorg removed the block, it reads
// the realm from the start. If the nodes dropped the block's state, it pins a newer block. Pets
// that changed between the two blocks are read again later, because events are followed from
// p.First on. After any other error it returns cause, and the step is tried again.
func (x *Indexer) repin(ctx context.Context, p Position, cause error) (*Batch, error) {
	if ctx.Err() != nil {
		return nil, cause
	}
	head, err := x.pin(ctx)
	if err != nil {
		return nil, cause
	}
	same, err := x.block(ctx, p.Pin.Number)
	switch {
	case err != nil:
		return nil, cause
	case same.Hash != p.Pin.Hash:
		return x.restart(ctx, p.Guests, p.Events)
	case !x.stateGone(ctx, p.Pin, head):
		return nil, cause
	}
	x.log.Warn("pets: the nodes dropped the pinned block's state; continuing at a newer block", "old", p.Pin.Number,
		"new", head.Number, "error", cause)
	p.Pin = head
	if p.Phase == phaseGuests && p.ByIndex {
		p.Next, p.Limit, p.ByIndex = 0, 0, false // the contract's list may have another order now
	}
	return &Batch{Position: p, At: head, Bootstrap: true}, nil
}

// stateGone reports whether the nodes can read at head, but not at an older block. It does not use
// their error messages, because these differ too much.
func (x *Indexer) stateGone(ctx context.Context, at, head evm.Block) bool {
	if at.Number >= head.Number {
		return false
	}
	_, now := x.read(ctx, head, []uint64{0})
	_, then := x.read(ctx, at, []uint64{0})
	return now == nil && then != nil && !errors.Is(then, evm.ErrReorg) && ctx.Err() == nil
}
