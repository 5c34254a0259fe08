package index

import (
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"petsupply/internal/pet/collection"
)

// Progress describes the progress of indexing a realm, for people.
type Progress struct {
	Realm string
	Phase string        // natives, listed, events, check or follow
	Share float64       // how much of Phase is done, in percent; 0 if unknown
	Rate  float64       // pets per second, lately
	Left  time.Duration // time left for Phase, or 0 if unknown
	Block uint64        // last block that was followed, or at which pets were read
	Head  uint64        // newest block
	Aside int           // number of pets that were set aside as unreadable and are tried again later
	Unfit error         // why a pet that was set aside is unreadable; nil if none is set aside
	// Outside names a token of the contract whose id is outside every realm's range. nil means that
	// none was seen.
	Outside error
	Fault   error     // error of the last step, or nil
	Moved   time.Time // when a step last made progress, or found nothing to do
}

// Following reports whether the first reading is complete and events are followed.
func (p Progress) Following() bool { return p.Phase == phaseFollow }

// Misfit returns why pets of the contract cannot be served: its answers do not fit the collection,
// or an id is outside every realm's range. nil means that no reason is known.
func (p Progress) Misfit() error {
	for _, err := range []error{p.Unfit, p.Fault} {
		if errors.Is(err, collection.ErrShape) {
			return err
		}
	}
	return p.Outside
}

// maxStandstill is how long a realm may make no progress before it counts as standing still. It is
// long enough for a restart of nodes.
const maxStandstill = 5 * time.Minute

// StandsStill reports whether the realm has made no progress for too long. It returns for how long,
// and the likely reason.
func (p Progress) StandsStill() (d time.Duration, why string, still bool) {
	d = time.Since(p.Moved)
	why = "its nodes are behind the last block that was followed, or on another chain; " +
		"if the chain was reset for good, run petsupply reindex, which reads the realm from the start"
	if p.Fault != nil {
		why = p.Fault.Error()
	}
	return d, why, !p.Moved.IsZero() && d > maxStandstill
}

// Progress returns the indexer's progress. It may be called at any time.
func (x *Indexer) Progress() Progress {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.progress
}

func (x *Indexer) setProgress(fn func(*Progress)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	fn(&x.progress)
}

// A rate measures how many pets per second were read lately.
type rate struct {
	since  time.Time
	pets   uint64
	second float64 // pets per second
}

func (r *rate) add(now time.Time, pets uint64) float64 {
	if r.since.IsZero() {
		r.since = now
		return 0
	}
	r.pets += pets
	if d := now.Sub(r.since).Seconds(); d >= 0.5 {
		latest := float64(r.pets) / d
		if r.second == 0 {
			r.second = latest
		}
		r.second += (latest - r.second) / 4
		r.since = now
		r.pets = 0
	}
	return r.second
}

// count adds a written step to the metrics and the progress.
func (x *Indexer) count(s *Step, did string, out Written) {
	p := s.Position
	n := uint64(len(s.Pets))
	x.metrics.changes.Add(float64(out.Changed))
	x.metrics.drift.Add(float64(out.Drift))
	x.metrics.reads.Add(float64(n))
	if did == DidUndo || did == DidRead && p.Next == 0 && p.Phase == phaseNatives {
		x.metrics.rewinds.Inc()
	}
	rate := x.rate.add(time.Now(), n)
	x.setProgress(func(to *Progress) {
		to.Phase = p.Phase
		to.Share = p.Share()
		to.Rate = rate
		to.Left = 0
		to.Block = s.At.Number
		switch {
		case p.Following():
			to.Block = p.Block.Number
			x.metrics.block.Set(float64(to.Block))
		case p.Limit > p.Next && rate > 0 && p.Phase != phaseEvents:
			to.Left = time.Duration(float64(p.Limit-p.Next) / rate * float64(time.Second))
		}
	})
}

type metrics struct {
	steps                                      *prometheus.CounterVec
	reads, changes, drift, unreadable, rewinds prometheus.Counter
	block, aside                               prometheus.Gauge
}

func newMetrics(realm string) *metrics {
	labels := prometheus.Labels{"realm": realm}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(
			prometheus.CounterOpts{Name: "petsupply_index_" + name, Help: help, ConstLabels: labels})
	}
	return &metrics{
		steps: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "petsupply_index_steps_total",
			Help: "Steps of the indexer, by outcome.", ConstLabels: labels}, []string{"outcome"}),
		reads:      counter("reads_total", "Pets read from the chain."),
		changes:    counter("changes_total", "Changes of pets, as written to the store."),
		drift:      counter("drift_total", "Old rows that differed from the chain though no event said so."),
		unreadable: counter("unreadable_total", "Times that a pet could not be read."),
		rewinds:    counter("rewinds_total", "Times that blocks were undone or a realm was read from the start."),
		block: prometheus.NewGauge(prometheus.GaugeOpts{Name: "petsupply_index_block",
			Help: "Last block followed.", ConstLabels: labels}),
		aside: prometheus.NewGauge(prometheus.GaugeOpts{Name: "petsupply_index_set_aside",
			Help: "Pets that could not be read and are asked for again later.", ConstLabels: labels}),
	}
}

// Collectors returns the indexer's metrics for registration.
func (x *Indexer) Collectors() []prometheus.Collector {
	m := x.metrics
	return []prometheus.Collector{m.steps, m.reads, m.changes, m.drift, m.unreadable, m.rewinds, m.block, m.aside}
}
