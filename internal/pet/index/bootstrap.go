package index

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// again begins the realm afresh, since the blocks that it was read at are no
// more. Guests that came since the given block are looked for by their events.
func (x *Indexer) again(ctx context.Context, byEvent bool, since uint64) error {
	if err := x.begin(ctx, Position{Afresh: true, ByEvent: byEvent, Events: max(since, x.realm.StartBlock)}); err != nil {
		return err
	}
	return ErrReorg
}

// begin pins the block at which the realm is read, and keeps what its last
// blocks touched, so that a reorg of them can be undone later.
func (x *Indexer) begin(ctx context.Context, c Position) error {
	pin, err := x.chain.Pin(ctx, time.Time{})
	if err != nil {
		return err
	}
	natives, err := x.size(ctx, pin)
	if err != nil {
		return err
	}
	t := newTouched()
	keep := pin.Number - min(pin.Number, depth-1)
	for from := keep; from <= pin.Number; {
		logs, last, err := x.search(ctx, from, pin.Number)
		if err != nil {
			return err
		}
		x.collect(t, logs)
		from = last + 1
	}
	t.mark(pin)
	x.log.Info("pets: reading the realm", "block", pin.Number, "natives", natives, "afresh", c.Afresh)
	c.Phase, c.Limit, c.Natives, c.Started, c.First, c.Pin = phaseNatives, natives, natives, time.Now().UTC(), pin, pin
	return x.write(ctx, Batch{Position: c, At: pin, Marks: t.marks(keep), Keep: keep, Bootstrap: true, Undo: new(evm.Block)})
}

// size returns the number that the realm's next pet will have.
func (x *Indexer) size(ctx context.Context, at evm.Block) (uint64, error) {
	if x.realm.Offset == nil {
		return 0, nil
	}
	answers, err := x.chain.Read(ctx, at, []evm.Call{x.realm.NextIDCall()})
	if err != nil {
		return 0, err
	}
	if _, ok := pet.DecodeUint(answers[0]); !ok {
		return 0, fmt.Errorf("nextPetId answered %d bytes; is %s the pet contract?", len(answers[0]), x.realm.Contract)
	}
	return x.realm.NextNumber(answers[0]), nil
}

// natives reads the next part of the realm's own band.
func (x *Indexer) natives(ctx context.Context, c Position) error {
	next := c
	next.Next = min(c.Next+stepIDs, c.Limit)
	if next.Next == c.Limit {
		next.Phase, next.Next, next.Limit = phaseGuests, 0, 0
	}
	part := x.ahead
	if x.ahead = nil; part == nil || part.pin != c.Pin || part.from != c.Next {
		part = x.readAhead(ctx, c.Pin, c.Next, c.Limit)
	}
	select {
	case <-part.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if next.Phase == phaseNatives && part.err == nil { // read on while this is written
		x.ahead = x.readAhead(ctx, c.Pin, next.Next, c.Limit)
	}
	return x.found(ctx, c, next, part.seen, part.odd, part.err)
}

// A reading is a part of the natives that is being read.
type reading struct {
	pin  evm.Block
	from uint64
	done chan struct{} // closed when what follows is there
	seen []pet.Observation
	odd  []uint64
	err  error
}

// readAhead begins to read a part of the band. There is never more than one.
func (x *Indexer) readAhead(ctx context.Context, pin evm.Block, from, limit uint64) *reading {
	r := &reading{pin: pin, from: from, done: make(chan struct{})}
	ids := make([]uint64, 0, stepIDs)
	for n := from; n < min(from+stepIDs, limit); n++ {
		ids = append(ids, *x.realm.Offset+n)
	}
	go func() {
		defer close(r.done)
		r.seen, r.odd, r.err = x.states(ctx, pin, ids)
	}()
	return r
}

// bootstrap reads ids at the pinned block and writes them with the next
// cursor.
func (x *Indexer) bootstrap(ctx context.Context, c, next Position, ids []uint64) error {
	seen, odd, err := x.states(ctx, c.Pin, ids)
	return x.found(ctx, c, next, seen, odd, err)
}

// found writes what was read at the pinned block with the next cursor.
func (x *Indexer) found(ctx context.Context, c, next Position, seen []pet.Observation, odd []uint64, err error) error {
	if err != nil {
		return x.repin(ctx, c, err)
	}
	for _, s := range seen {
		if s.Owner != (common.Address{}) {
			next.Done++
		}
	}
	return x.write(ctx, Batch{Position: next, At: c.Pin, Observations: seen, Retry: odd, Bootstrap: true})
}

// repin goes on after a read at the pinned block went wrong. If the block was
// taken back, the realm is begun again. If it is so old that nodes may have
// dropped its state, a newer one is read at: events are followed from the
// first, so what changes in between is read again. Else it was the node.
func (x *Indexer) repin(ctx context.Context, c Position, cause error) error {
	if ctx.Err() != nil {
		return cause
	}
	head, err := x.chain.Pin(ctx, time.Time{})
	if err != nil {
		return cause
	}
	same, err := x.chain.Block(ctx, c.Pin.Number)
	switch {
	case err != nil:
		return cause
	case same.Hash != c.Pin.Hash:
		return x.again(ctx, c.ByEvent, c.Events)
	case head.Number < c.Pin.Number+depth/2:
		return cause
	}
	x.log.Warn("pets: the nodes no longer have the pinned block's state; going on at a newer one", "old", c.Pin.Number, "new", head.Number, "error", cause)
	c.Pin = head
	if c.Phase == phaseGuests && c.ByIndex {
		c.Next, c.Limit, c.ByIndex = 0, 0, false // the order may be another
	}
	return x.write(ctx, Batch{Position: c, At: head, Bootstrap: true})
}

// guests finds pets of other realms that are here: a host lists them by
// tokenByIndex, else they are known by their events since start_block. A realm
// with pets of its own looks only if it has a start_block; its guests are
// asked for by their homes.
func (x *Indexer) guests(ctx context.Context, c Position) error {
	switch {
	case c.ByIndex:
		return x.guestsByIndex(ctx, c)
	case c.Limit > 0:
		return x.guestsByEvent(ctx, c)
	case !c.ByEvent:
		return x.settled(ctx, c)
	}
	next := c
	next.Next, next.Limit = c.Events, c.First.Number+1
	if x.realm.Offset == nil {
		calls := []evm.Call{x.realm.TotalSupplyCall(), x.realm.TokenByIndexCall(0)}
		calls[0].MayRevert, calls[1].MayRevert = true, true
		answers, err := x.chain.Read(ctx, c.Pin, calls)
		if err != nil {
			return x.repin(ctx, c, err)
		}
		total, counts := pet.DecodeUint(answers[0])
		if _, lists := pet.DecodeUint(answers[1]); counts && lists && total > 0 {
			next.Next, next.Limit, next.ByIndex = 0, total, true
		}
	}
	return x.write(ctx, Batch{Position: next, At: c.Pin, Bootstrap: true})
}

func (x *Indexer) guestsByIndex(ctx context.Context, c Position) error {
	next := c
	next.Next = min(c.Next+stepIDs, c.Limit)
	var calls []evm.Call
	for i := c.Next; i < next.Next; i++ {
		calls = append(calls, x.realm.TokenByIndexCall(i))
	}
	answers, err := x.chain.Read(ctx, c.Pin, calls)
	if err != nil {
		return x.repin(ctx, c, err)
	}
	var ids []uint64
	for _, a := range answers {
		if id, ok := pet.DecodeUint(a); ok && x.inBand(id) {
			ids = append(ids, id)
		}
	}
	if next.Next < c.Limit {
		return x.bootstrap(ctx, c, next, ids)
	}
	return x.bootstrap(ctx, c, x.ended(next), ids)
}

func (x *Indexer) guestsByEvent(ctx context.Context, c Position) error {
	if c.Next >= c.Limit {
		return x.settled(ctx, c)
	}
	logs, last, err := x.search(ctx, c.Next, c.Limit-1)
	if err != nil {
		return err
	}
	t := newTouched()
	x.collect(t, logs)
	next := c
	next.Next = last + 1
	ids := slices.DeleteFunc(t.ids(), x.realm.Native)
	return x.bootstrap(ctx, c, next, ids)
}

// verify reads the rows that were there before the realm was read afresh, and
// that nothing has asked about since.
func (x *Indexer) verify(ctx context.Context, c Position) error {
	ids, err := x.book.PetIDs(ctx, x.realm.Key, pet.Span{From: c.Next, To: pet.MaxID}, stepIDs)
	if err != nil {
		return err
	}
	next := c
	next.Phase, next.Block = phaseFollow, c.First
	if len(ids) == stepIDs {
		next.Phase, next.Next, next.Block = phaseVerify, ids[len(ids)-1]+1, evm.Block{}
	}
	ids = slices.DeleteFunc(ids, func(id uint64) bool { return x.realm.Native(id) && x.realm.Number(id) < c.Natives })
	return x.bootstrap(ctx, c, next, ids)
}

// settled ends the search for guests.
func (x *Indexer) settled(ctx context.Context, c Position) error {
	return x.write(ctx, Batch{Position: x.ended(c), At: c.Pin, Bootstrap: true})
}

// ended returns the cursor of the phase after the guests.
func (x *Indexer) ended(c Position) Position {
	c.Next, c.Limit = 0, 0
	if c.Phase = phaseFollow; c.Afresh {
		c.Phase = phaseVerify
		return c
	}
	c.Block = c.First
	return c
}

// inBand reports whether id may be a pet's at all.
func (x *Indexer) inBand(id uint64) bool {
	_, ok := pet.HomeRealm(x.realms, id)
	return ok
}
