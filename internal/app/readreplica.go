package app

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"petsupply/internal/store"
)

// A petFeed reads changes from the store that pets are read from, so that pets in memory are never
// older than the changes that were seen. Requests to index a pet go to the primary store, where the
// leader finds them.
type petFeed struct {
	*store.Store
	primary *store.Store
}

// WantPet asks the leader to index a pet.
func (f petFeed) WantPet(ctx context.Context, id uint64, realms []string) error {
	return f.primary.WantPet(ctx, id, realms)
}

// A replica watches the store in the setting store_reads. The lease in this store shows how old its
// data is, because the leader keeps renewing the lease.
type replica struct {
	reads, primary *store.Store
	lease          time.Duration
	fault          atomic.Pointer[error] // result of the last check; nil before the first
}

// step checks the replica and keeps its fault.
func (r *replica) step(ctx context.Context) error {
	err := r.look(ctx)
	r.fault.Store(&err)
	return err
}

// look returns the fault of the replica, or nil if it has none.
func (r *replica) look(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, r.lease/2)
	defer cancel()
	there, err := r.reads.Leader(ctx)
	if err != nil {
		return errors.New("the replica in store_reads does not answer: " +
			"requests for pets that are not in memory get 503")
	}
	here, err := r.primary.Leader(ctx)
	if err == nil && here != "" && there == "" {
		return fmt.Errorf("the replica in store_reads is behind the store: there the leader's lease (%s) has run out, "+
			"but not in the store; pets may be outdated", r.lease)
	}
	return nil
}
