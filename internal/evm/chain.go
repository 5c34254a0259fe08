package evm

import (
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// A Chain is one network, seen through several providers. It may be used by
// many goroutines. The caller that dialled it closes it.
type Chain struct {
	name      string
	id        uint64
	quorum    int
	finality  Finality
	timeout   time.Duration
	maxLag    time.Duration
	multicall common.Address
	providers []*provider
	log       *slog.Logger
	metrics   *metrics
	now       func() time.Time // what block times are held against

	// pinned is the highest number that Pin returned.
	pinned atomic.Uint64

	mu     sync.Mutex // guards closed, and with it the first Add of working
	closed bool
	done   chan struct{} // closed by Close
	// working counts conversations under way; some outlive the question that
	// began them, to learn whether a late provider agrees.
	working sync.WaitGroup
}

// Dial makes a Chain. It checks cfg and sends nothing yet.
func Dial(cfg Config, log *slog.Logger) (*Chain, error) {
	cfg, finality, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	c := &Chain{
		name:      cfg.Name,
		id:        cfg.ID,
		quorum:    cfg.Quorum,
		finality:  finality,
		timeout:   cfg.Timeout,
		maxLag:    cfg.MaxLag,
		multicall: cfg.Multicall,
		log:       log.With("chain", cfg.Name),
		now:       time.Now,
		done:      make(chan struct{}),
	}
	for _, p := range cfg.Providers {
		c.providers = append(c.providers, newProvider(p, cfg.Timeout, c.took))
	}
	c.metrics = newMetrics(c)
	return c, nil
}

// Name is the chain's name in the configuration.
func (c *Chain) Name() string { return c.name }

// ID is the chain id that every answer must name.
func (c *Chain) ID() uint64 { return c.id }

// Quorum is how many providers must agree.
func (c *Chain) Quorum() int { return c.quorum }

func (c *Chain) String() string { return fmt.Sprintf("%s (%d)", c.name, c.id) }

// Health tells of every provider, in configured order.
func (c *Chain) Health() []Health {
	now := time.Now()
	var all []Health
	for _, p := range c.providers {
		all = append(all, p.snapshot(now))
	}
	return all
}

// Close ends every conversation under way and waits until all have ended.
// Later questions are answered with ErrClosed.
func (c *Chain) Close() {
	c.mu.Lock()
	first := !c.closed
	c.closed = true
	c.mu.Unlock()
	if first {
		close(c.done)
	}
	c.working.Wait()
	for _, p := range c.providers {
		p.close()
	}
}

// over reports whether the Chain is closed.
func (c *Chain) over() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// start runs f unless the Chain is closed. Close waits for f.
func (c *Chain) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	c.working.Go(f)
	return true
}

func (c *Chain) took(p *provider, d time.Duration) {
	p.health.took(d)
	c.metrics.trips.WithLabelValues(p.name).Observe(d.Seconds())
}

// note remembers how a conversation with p ended.
func (c *Chain) note(p *provider, err error) {
	if err == nil {
		c.metrics.count(p, fine)
		c.recovered(p)
		return
	}
	f := asFault(err)
	c.metrics.count(p, f.kind)
	switch f.kind {
	case cancelled:
	case absent, moved:
		c.recovered(p)
	default:
		c.failed(p, f)
	}
}

func (c *Chain) recovered(p *provider) {
	if p.succeeded() {
		c.log.Info("provider is back", "provider", p.name)
	}
}

func (c *Chain) failed(p *provider, f *fault) {
	if p.failed(time.Now(), f) {
		c.log.Warn("provider keeps failing and is asked only when it is needed", "provider", p.name, "fault", f.text)
		return
	}
	c.log.Debug("provider gave no usable answer", "provider", p.name, "outcome", string(f.kind), "fault", f.text)
}

// blame counts a disagreement against p.
func (c *Chain) blame(p *provider, doing string) {
	c.metrics.count(p, odd)
	c.failed(p, faultf(odd, "disagreed on %s", doing))
	c.log.Warn("provider disagrees with the others", "provider", p.name, "on", doing)
}
