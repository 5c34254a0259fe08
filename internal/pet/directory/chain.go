package directory

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
)

// Chain reads the newest state of a chain. *evm.Chain implements it.
type Chain interface {
	// Latest answers all calls at the newest block that a quorum of providers has.
	Latest(ctx context.Context, calls []evm.Call) (evm.Block, [][]byte, error)
}

// askChain looks on the chain for a pet that is not in the store. It reads an id only once even if
// many callers ask, and only a few ids at a time. It remembers a missing pet for a while. If the
// pet's number may not be assigned yet, it remembers this for a few seconds only, because the pet
// may hatch.
func (d *Directory) askChain(ctx context.Context, id uint64) (*pet.Prepared, error) {
	home, _ := pet.HomeRealm(d.Realms, id)
	if home.Closed {
		return nil, fmt.Errorf("the realm %s has no pet %d: %w", home.Key, id, pet.ErrNotFound)
	}
	_, missing := d.memory.missing.GetIfPresent(id)
	if end, known := d.endOf(home); missing || known && home.Number(id) >= end {
		d.metrics.lookups.WithLabelValues("none").Inc()
		return nil, fmt.Errorf("pet %d: %w", id, pet.ErrNotFound)
	}
	answer := d.flight.DoChan(strconv.FormatUint(id, 10), func() (found any, err error) {
		defer func() {
			if p := recover(); p != nil { // this goroutine has no other recover
				err = fmt.Errorf("reading pet %d panicked: %v\n%s", id, p, debug.Stack())
			}
		}()
		// A caller that leaves must not end the read for the others.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), d.Timeout)
		defer cancel()
		return d.readChain(ctx, home, id)
	})
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case a := <-answer:
		if a.Err != nil {
			return nil, a.Err
		}
		return a.Val.(*pet.Prepared), nil
	}
}

// readChain looks up a pet on the chains, remembers it, and tells the indexers.
func (d *Directory) readChain(ctx context.Context, home pet.Realm, id uint64) (*pet.Prepared, error) {
	leave, err := d.chainReads.Enter(ctx)
	if err != nil {
		d.metrics.lookups.WithLabelValues("busy").Inc()
		return nil, fmt.Errorf("pet %d: %w: %w", id, pet.ErrUnavailable, err)
	}
	defer leave()
	places, err := d.places(ctx, home, id)
	if err != nil {
		d.metrics.lookups.WithLabelValues("unavailable").Inc()
		d.warn("pets: a pet could not be read from its chain", "pet", id, "realm", home.Key, "error", err)
		return nil, fmt.Errorf("pet %d: %w: %w", id, pet.ErrUnavailable, err)
	}
	p := pet.Published(places)
	if p == nil {
		absence := missingFor
		if end, known := d.endOf(home); !known || home.Number(id) >= end {
			absence = endFor // the pet may hatch soon
		}
		d.memory.missing.Set(id, absence)
		d.metrics.lookups.WithLabelValues("none").Inc()
		return nil, fmt.Errorf("pet %d: %w", id, pet.ErrNotFound)
	}
	d.metrics.lookups.WithLabelValues("chain").Inc()
	prepared := pet.Prepare(d.Collection, *p)
	d.memory.unindexed.Set(id, prepared)
	var realms []string
	for _, at := range places {
		realms = append(realms, at.Realm)
	}
	// After an error the indexer still finds the pet by its events.
	if err := d.Feed.WantPet(ctx, id, realms); err != nil {
		d.warn("pets: the indexer could not be asked to read a new pet", "pet", id, "error", err)
	}
	return prepared, nil
}

// endFor is how long an end is used before it is read again.
const endFor = 3 * time.Second

// An end is the number that a realm's next pet will get, as of a moment ago.
type end struct {
	number uint64
	until  time.Time // when to ask again
}

// endOf returns the number that the realm's next pet will get, if it was read lately.
func (d *Directory) endOf(r pet.Realm) (number uint64, known bool) {
	e, ok := d.ends.Load(r.Key)
	if !ok || time.Now().After(e.(end).until) {
		return 0, false
	}
	return e.(end).number, true
}

// places returns the places of a pet. It asks the pet's home realm first. If a bridge or nobody
// owns the pet there, it also asks the other realms, unless the home realm has not assigned the
// pet's number yet.
func (d *Directory) places(ctx context.Context, home pet.Realm, id uint64) ([]pet.Place, error) {
	at, next, err := d.askRealm(ctx, home, id)
	if err != nil {
		return nil, err
	}
	if next > 0 {
		d.ends.Store(home.Key, end{next, time.Now().Add(endFor)})
	}
	if next > 0 && home.Number(id) >= next { // not assigned yet, whatever the contract answered for the pet
		return nil, nil
	}
	places, _ := d.Settle(nil, at.Observation, at.ObservedAt)
	if p := pet.Published(places); p != nil && !p.InTransit {
		return places, nil
	}
	answers := make([]answer, len(d.Realms))
	group, ctx := errgroup.WithContext(ctx)
	for i, r := range d.Realms {
		if r.Closed || r.Key == home.Key {
			continue
		}
		group.Go(func() (err error) {
			answers[i], _, err = d.askRealm(ctx, r, id)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, a := range answers {
		places, _ = d.Settle(places, a.Observation, a.ObservedAt)
	}
	return places, nil
}

// An answer is the state of a pet in one realm.
type answer struct {
	pet.Observation
	pet.ObservedAt
}

// askRealm asks one realm for a pet, and for the number that the realm's next pet will get. The
// number is 0 if it is unknown.
func (d *Directory) askRealm(ctx context.Context, r pet.Realm, id uint64) (answer, uint64, error) {
	chain := d.Chains[r.Chain]
	if chain == nil {
		return answer{}, 0, fmt.Errorf("asking %s for pet %d: there is no chain %q", r.Key, id, r.Chain)
	}
	calls := d.StateCalls(r, []uint64{id})
	state := len(calls)
	count, counts := d.CountCall(r)
	if counts {
		calls = append(calls, count)
	}
	block, words, err := chain.Latest(ctx, calls)
	if err != nil {
		return answer{}, 0, fmt.Errorf("asking %s for pet %d: %w", r.Key, id, err)
	}
	if len(words) != len(calls) {
		return answer{}, 0, fmt.Errorf("asking %s for pet %d: got %d answers to %d calls", r.Key, id, len(words), len(calls))
	}
	seen, bad, err := d.Observations(r, []uint64{id}, words[:state])
	if err != nil || len(bad.IDs) > 0 {
		return answer{}, 0, fmt.Errorf("asking %s for pet %d: %w", r.Key, id, errors.Join(err, bad.First))
	}
	if d.Imported != nil {
		if err := d.Imported(ctx, &seen[0]); err != nil {
			return answer{}, 0, err
		}
	}
	next := uint64(0)
	if counts {
		next = d.NextNumber(r, words[state])
	}
	return answer{seen[0], pet.ObservedAt{Realm: r, Block: block.Number, Time: block.Time}}, next, nil
}
