package app

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"petsupply/internal/store"
)

// A petFeed reads changes from the same store as pets, so that pets in memory are
// never older than the changes that were seen. It asks for pets in the primary store,
// where the leader looks.
type petFeed struct {
	*store.Store
	primary *store.Store
}

// WantPet asks the leader to index a pet.
func (f petFeed) WantPet(ctx context.Context, id uint64, realms []string) error {
	return f.primary.WantPet(ctx, id, realms)
}

// A replica watches the store that store_reads names. The lease, which the leader
// renews all the time, shows how old the data there is.
type replica struct {
	reads, primary *store.Store
	lease          time.Duration
	log            *slog.Logger
	fault          atomic.Pointer[string] // what is wrong, "" if nothing is; nil before the first look
}

// run watches until ctx ends.
func (r *replica) run(ctx context.Context) error {
	tick := time.NewTicker(r.lease / 2)
	defer tick.Stop()
	for {
		fault := r.look(ctx)
		if was := r.fault.Swap(&fault); ctx.Err() == nil && fault != "" && (was == nil || *was != fault) {
			r.log.Warn(fault)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// look returns what is wrong with the replica, "" if nothing is.
func (r *replica) look(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, r.lease/2)
	defer cancel()
	there, err := r.reads.Leader(ctx)
	if err != nil {
		return "the replica that store_reads names does not answer: pets that are not in memory are 503"
	}
	here, err := r.primary.Leader(ctx)
	if err == nil && here != "" && there == "" {
		return fmt.Sprintf("the replica that store_reads names is more than %s behind the store: "+
			"pets are shown as they were then", r.lease)
	}
	return ""
}
