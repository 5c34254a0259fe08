package index

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Progress is how far a realm's indexing is, for people.
type Progress struct {
	Realm string
	Phase string        // natives, guests, verify, follow
	Done  uint64        // pets read by the bootstrap so far
	Next  uint64        // how far the bootstrap is on the way to Total
	Total uint64        // 0: not known
	Rate  float64       // pets a second, lately
	Left  time.Duration // of the bootstrap, 0: not known
	Block uint64        // last followed, or read at
	Head  uint64        // newest at the chain's finality
	Fault error         // of the last step, nil if there was none
}

// Following reports whether the bootstrap is over.
func (p Progress) Following() bool { return p.Phase == phaseFollow }

// Progress returns how far the indexer is. It may be called at any time.
func (x *Indexer) Progress() Progress {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.state
}

func (x *Indexer) note(fn func(*Progress)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	fn(&x.state)
}

// pace measures a rate over the last seconds.
type pace struct {
	at   time.Time
	done uint64
	rate float64
}

func (p *pace) tick(now time.Time, n uint64) float64 {
	if p.at.IsZero() {
		p.at = now
		return 0
	}
	p.done += n
	if d := now.Sub(p.at).Seconds(); d >= 0.5 {
		rate := float64(p.done) / d
		if p.rate == 0 {
			p.rate = rate
		}
		p.rate += (rate - p.rate) / 4
		p.at, p.done = now, 0
	}
	return p.rate
}

// advance notes what a written step means for the progress.
func (x *Indexer) advance(b Batch, out Written) {
	c := b.Position
	n := len(b.Observations) + len(b.Swept)
	x.metrics.reads.Add(float64(n))
	rate := x.pace.tick(time.Now(), uint64(n))
	x.note(func(p *Progress) {
		p.Phase, p.Done, p.Next, p.Total, p.Rate, p.Left = c.Phase, c.Done, c.Next, c.Limit, rate, 0
		if p.Block = b.At.Number; c.Phase == phaseFollow {
			p.Block = c.Block.Number
			x.metrics.block.Set(float64(p.Block))
		} else if c.Limit > c.Next && rate > 0 && (c.Phase == phaseNatives || c.ByIndex) {
			p.Left = time.Duration(float64(c.Limit-c.Next) / rate * float64(time.Second))
		}
	})
	if b.Undo != nil {
		x.metrics.undone.Inc()
	}
}

type indexMetrics struct {
	steps                              *prometheus.CounterVec
	reads, changes, drift, odd, undone prometheus.Counter
	block                              prometheus.Gauge
}

func newIndexMetrics(realm string) *indexMetrics {
	labels := prometheus.Labels{"realm": realm}
	counter := func(name, help string) prometheus.Counter {
		return prometheus.NewCounter(prometheus.CounterOpts{Name: "petsupply_index_" + name, Help: help, ConstLabels: labels})
	}
	return &indexMetrics{
		steps: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "petsupply_index_steps_total",
			Help: "Steps of the indexer, by outcome.", ConstLabels: labels}, []string{"outcome"}),
		reads:   counter("reads_total", "Pets read from the chain."),
		changes: counter("changes_total", "Changes in pets that were written."),
		drift:   counter("drift_total", "Old rows that differed from the chain without any event's word."),
		odd:     counter("odd_total", "Answers of the contract that made no sense."),
		undone:  counter("rewinds_total", "Times that blocks were undone, the first reading included."),
		block: prometheus.NewGauge(prometheus.GaugeOpts{Name: "petsupply_index_block",
			Help: "Last block followed.", ConstLabels: labels}),
	}
}

// Collectors returns the indexer's metrics, for main to register.
func (x *Indexer) Collectors() []prometheus.Collector {
	m := x.metrics
	return []prometheus.Collector{m.steps, m.reads, m.changes, m.drift, m.odd, m.undone, m.block}
}
