package pet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/evm"
)

// Latest reads the newest state of a chain. *evm.Chain is one.
type Latest interface {
	// Latest answers all calls at the newest block of a healthy provider.
	Latest(ctx context.Context, calls []evm.Call) (evm.Block, [][]byte, error)
}

// ask reads a pet that is not stored from its chain: once at a time for each
// id, a few at a time over all. That there is no such pet is remembered for
// seconds only, for it may hatch.
func (h *Herd) ask(ctx context.Context, id uint64) (*Kept, error) {
	home, _ := native(h.Realms, id)
	if home.Closed || h.Complete {
		return nil, fmt.Errorf("pet %d is not among those of %s: %w", id, home.Key, ErrNotFound)
	}
	if _, ok := h.none.GetIfPresent(id); ok {
		h.metrics.answers.WithLabelValues("none").Inc()
		return nil, fmt.Errorf("pet %d: %w", id, ErrNotFound)
	}
	answer := h.flight.DoChan(strconv.FormatUint(id, 10), func() (any, error) {
		// One caller's leaving must not fail the others.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), h.Timeout)
		defer cancel()
		return h.readThrough(ctx, home, id)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-answer:
		if a.Err != nil {
			return nil, a.Err
		}
		return a.Val.(*Kept), nil
	}
}

func (h *Herd) readThrough(ctx context.Context, home Realm, id uint64) (*Kept, error) {
	if err := h.asking.Acquire(ctx, 1); err != nil {
		h.metrics.answers.WithLabelValues("busy").Inc()
		return nil, fmt.Errorf("pet %d: too many pets are being looked up: %w", id, ErrUnavailable)
	}
	defer h.asking.Release(1)
	places, err := h.look(ctx, home, id)
	if err != nil {
		h.metrics.answers.WithLabelValues("unavailable").Inc()
		h.Log.Warn("pets: reading one through to its chain", "pet", id, "realm", home.Key, "error", err)
		return nil, fmt.Errorf("pet %d: %w: %w", id, ErrUnavailable, err)
	}
	locate(places, h.Realms)
	p := published(places)
	if p == nil {
		h.none.Set(id, struct{}{})
		h.metrics.answers.WithLabelValues("none").Inc()
		return nil, fmt.Errorf("pet %d: %w", id, ErrNotFound)
	}
	h.metrics.answers.WithLabelValues("chain").Inc()
	k := Keep(*p)
	h.fresh.Set(id, k)
	var realms []string
	for _, at := range places {
		realms = append(realms, at.Realm)
	}
	if err := h.Feed.WantPet(ctx, id, realms); err != nil {
		h.Log.Warn("pets: handing a new one to the indexer", "pet", id, "error", err) // it comes by its events too
	}
	return k, nil
}

// look asks the pet's home, and the other realms only if it may be there: it
// is in custody at home, or has a number there that was given out.
func (h *Herd) look(ctx context.Context, home Realm, id uint64) ([]Place, error) {
	at, next, err := h.lookIn(ctx, home, id)
	if err != nil {
		return nil, err
	}
	var places []Place
	if at != nil {
		places = append(places, *at)
		if at.Hold == Owned {
			return places, nil
		}
	} else if home.Number(id) >= next {
		return nil, nil
	}
	others := slices.DeleteFunc(slices.Clone(h.Realms), func(r Realm) bool { return r.Closed || r.Key == home.Key })
	found := make([]*Place, len(others))
	group, ctx := errgroup.WithContext(ctx)
	for i, r := range others {
		group.Go(func() (err error) {
			found[i], _, err = h.lookIn(ctx, r, id)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, at := range found {
		if at != nil {
			places = append(places, *at)
		}
	}
	return places, nil
}

// lookIn asks one realm, nil if the pet is not there, and for the number that
// the realm's next pet will have, 0 if it does not tell.
func (h *Herd) lookIn(ctx context.Context, r Realm, id uint64) (*Place, uint64, error) {
	chain := h.Chains[r.Chain]
	if chain == nil {
		return nil, 0, fmt.Errorf("asking %s: no chain %q", r.Key, r.Chain)
	}
	calls := append(r.stateCalls([]uint64{id}), evm.Call{To: r.Contract, Data: selNextPetID, MayRevert: true})
	block, answers, err := chain.Latest(ctx, calls)
	if err != nil {
		return nil, 0, fmt.Errorf("asking %s: %w", r.Key, err)
	}
	if len(answers) != len(calls) {
		return nil, 0, fmt.Errorf("asking %s: %d answers to %d calls", r.Key, len(answers), len(calls))
	}
	seen, odd, err := r.sightings([]uint64{id}, answers[:2])
	if err != nil || len(odd) > 0 {
		return nil, 0, errors.Join(err, errStruct)
	}
	next := r.nextNumber(answers[2])
	hold := r.hold(seen[0].Owner)
	if hold == Absent {
		return nil, next, nil
	}
	p := first(seen[0], Sight{Realm: r, Block: block.Number, Time: block.Time.UTC().Truncate(time.Millisecond)}, hold)
	return &p, next, nil
}

// nextNumber reads the answer to nextPetId as a number within the realm; some
// contracts count from their offset, others from zero.
func (r Realm) nextNumber(answer []byte) uint64 {
	n, ok := uintAnswer(answer)
	if !ok || r.Offset == nil {
		return 0
	}
	if n >= *r.Offset {
		n -= *r.Offset
	}
	return min(n, Band)
}
