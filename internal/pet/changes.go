package pet

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Subscribe makes fn be called with the ids of every batch of changes, in
// order, after memory forgot them. It must return soon.
func (h *Herd) Subscribe(fn func(ids []uint64)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.subscribers = append(h.subscribers, fn)
}

// Run follows the store's changes until ctx ends, and keeps memory true to
// them. While the store is away memory goes on answering.
func (h *Herd) Run(ctx context.Context) error {
	var seq uint64
	begun := false
	tick := time.NewTicker(h.Poll)
	defer tick.Stop()
	for {
		var err error
		if !begun {
			if seq, err = h.Feed.LastPetChange(ctx); err == nil {
				begun = true
				h.mu.Lock()
				h.live = true
				h.mu.Unlock()
			}
		}
		if begun {
			seq, err = h.follow(ctx, seq)
		}
		if err != nil && ctx.Err() == nil {
			h.metrics.polls.WithLabelValues("error").Inc()
			h.Log.Warn("pets: following changes", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// follow forgets what changed after seq, and tells the subscribers.
func (h *Herd) follow(ctx context.Context, seq uint64) (uint64, error) {
	const batch = 1000
	for {
		ids, next, err := h.Feed.PetChanges(ctx, seq, batch)
		if err != nil {
			return seq, err
		}
		h.metrics.polls.WithLabelValues("ok").Inc()
		if len(ids) == 0 {
			return next, nil
		}
		h.forget(ids)
		seq = next
		if len(ids) < batch {
			return seq, nil
		}
	}
}

func (h *Herd) forget(ids []uint64) {
	h.mu.Lock()
	h.turn++
	for _, id := range ids {
		h.known.Invalidate(id)
		h.fresh.Invalidate(id)
		h.none.Invalidate(id)
	}
	subscribers := h.subscribers
	h.mu.Unlock()
	for _, fn := range subscribers {
		fn(ids)
	}
}

type herdMetrics struct {
	answers *prometheus.CounterVec
	memory  prometheus.Counter // answers from memory, the usual case
	polls   *prometheus.CounterVec
}

func newHerdMetrics() *herdMetrics {
	m := &herdMetrics{
		answers: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "petsupply_pet_lookups_total",
			Help: "Pets looked up, by where the answer came from."}, []string{"from"}),
		polls: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "petsupply_pet_polls_total",
			Help: "Looks into the store for changes, by outcome."}, []string{"outcome"}),
	}
	m.memory = m.answers.WithLabelValues("memory")
	return m
}

// Collectors returns the herd's metrics, for main to register.
func (h *Herd) Collectors() []prometheus.Collector {
	return []prometheus.Collector{h.metrics.answers, h.metrics.polls}
}
