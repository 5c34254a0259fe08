package app

import (
	"context"
	"fmt"
	"time"

	"petsupply/internal/store"
)

// A petFeed reads changes where pets are read, so that memory is never older
// than what it was told of, and asks for pets where the leader looks.
type petFeed struct {
	*store.Store
	primary *store.Store
}

func (f petFeed) WantPet(ctx context.Context, id uint64, realms []string) error {
	return f.primary.WantPet(ctx, id, realms)
}

// watchReads looks at the replica until ctx ends, and keeps in words what is
// amiss with it. The lease, which the leader renews all the time, says there how
// old its data is.
func (v *Service) watchReads(ctx context.Context) error {
	tick := time.NewTicker(v.Settings.Lease / 2)
	defer tick.Stop()
	for {
		fault := v.lookAtReads(ctx)
		if was := v.readsFault.Swap(&fault); ctx.Err() == nil && fault != "" && (was == nil || *was != fault) {
			v.log.Warn(fault)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// lookAtReads says what is amiss with the replica, "" if nothing is.
func (v *Service) lookAtReads(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, v.Settings.Lease/2)
	defer cancel()
	there, err := v.reads.Leader(ctx)
	if err != nil {
		return "the replica that store_reads names does not answer: pets that are not in memory are 503"
	}
	here, err := v.Store.Leader(ctx)
	if err == nil && here != "" && there == "" {
		return fmt.Sprintf("the replica that store_reads names is more than %s behind the store: pets are shown as they were then", v.Settings.Lease)
	}
	return ""
}
