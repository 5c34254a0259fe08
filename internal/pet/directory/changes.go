package directory

import (
	"context"
	"errors"
	"slices"
	"time"

	"petsupply/internal/pet"
)

// Subscribe registers fn. fn is called with the ids of every batch of changes, in order, after
// memory has forgotten these pets. ids is nil if any pet may have changed. fn must return quickly.
func (d *Directory) Subscribe(fn func(ids []uint64)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.subscribers = append(d.subscribers, fn)
}

// Run follows the store's changes until ctx ends, and removes changed pets from memory. While the
// store is unreachable, memory still answers.
func (d *Directory) Run(ctx context.Context) error {
	var last pet.FeedMark
	tick := time.NewTicker(d.Poll)
	defer tick.Stop()
	for begun := false; ; {
		var err error
		if !begun {
			if last, err = d.Feed.LastPetChange(ctx); err == nil {
				begun = true
				d.mu.Lock()
				d.generation++ // pets that are being read now may be older than the latest change
				d.following = true
				d.mu.Unlock()
			}
		}
		if begun {
			last, err = d.applyChanges(ctx, last)
		}
		if errors.Is(err, pet.ErrFeedReset) {
			d.drop(nil, false) // the store was restored, or is another one now
			begun = false
		}
		if err != nil && ctx.Err() == nil {
			d.metrics.polls.WithLabelValues("error").Inc()
			d.Log.Warn("pets: changes could not be read", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// applyChanges forgets the pets that changed after a mark, and tells the subscribers.
func (d *Directory) applyChanges(ctx context.Context, last pet.FeedMark) (pet.FeedMark, error) {
	const batch = 1000
	for {
		marks, err := d.Feed.PetChanges(ctx, last, batch)
		if err != nil {
			return last, err
		}
		d.metrics.polls.WithLabelValues("ok").Inc()
		if len(marks) > 0 {
			d.forget(marks)
			last = marks[len(marks)-1]
		}
		if len(marks) < batch {
			return last, nil
		}
	}
}

// forget forgets the pets that changed, or all of them if a realm was read again.
func (d *Directory) forget(marks []pet.FeedMark) {
	ids := make([]uint64, len(marks))
	for i, m := range marks {
		ids[i] = m.ID
	}
	if slices.Contains(ids, pet.NoID) {
		ids = nil
	}
	d.drop(ids, true)
}

// drop forgets the pets with these ids, or all pets if ids is nil, and tells the subscribers. If
// following is false, memory keeps nothing new until Run follows the feed again.
func (d *Directory) drop(ids []uint64, following bool) {
	d.mu.Lock()
	d.generation++
	d.following = following
	if ids == nil {
		d.memory.Clear()
	} else {
		for _, id := range ids {
			d.memory.Delete(id)
		}
	}
	subscribers := d.subscribers
	d.mu.Unlock()
	for _, fn := range subscribers {
		fn(ids)
	}
}
