package evm

import (
	"fmt"
	"sync"
	"time"

	"petsupply/internal/evm/jsonrpc"
)

const (
	minBackoff    = time.Second     // after one failure, doubled by each further one
	maxBackoff    = time.Minute     // and no longer than this
	breakerLimit  = 5               // failures in a row that open the breaker
	maxRetryAfter = 2 * time.Minute // the most that Retry-After is granted
	showPruned    = 10 * time.Minute
)

// Health is what is known of one provider. Nothing in it is secret.
type Health struct {
	Name          string
	Height        uint64    // newest block that it reported
	HeightTime    time.Time // of that block
	Latency       time.Duration
	Errors        uint64
	Disagreements uint64
	State         string // ok, backoff, open, unconfirmed
	LastError     string // in our own words, which callers may see
	Pruned        string // which state it lacked lately, likewise
}

// health remembers how one provider behaved. Several goroutines may call its methods.
// A provider that fails is left alone for a time that doubles with every failure.
// After several failures in a row the breaker opens, and one request at a time tries
// whether the provider is back.
type health struct {
	jitter func(time.Duration) time.Duration // as in Config

	mu           sync.Mutex
	shown        Health
	failures     int       // in a row
	backoffUntil time.Time // not asked before this unless a quorum needs it
	silentUntil  time.Time // not asked before this at all: the provider said so
	prunedUntil  time.Time // how long Pruned is shown
	head         Block     // the newest block that it reported
	headAt       time.Time // and when
	claims       claims
}

func (h *health) snapshot(now time.Time) Health {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.shown
	switch {
	case h.claims.refuted >= falseClaims:
		s.State = "unconfirmed"
	case h.failures >= breakerLimit:
		s.State = "open"
	case now.Before(h.backoffUntil):
		s.State = "backoff"
	default:
		s.State = "ok"
	}
	if now.After(h.prunedUntil) {
		s.Pruned = ""
	}
	return s
}

// ready reports whether the provider may be asked freely. With an open breaker
// a true answer is given once, and again only when that trial had its time.
func (h *health) ready(now time.Time, trial time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if now.Before(h.backoffUntil) || now.Before(h.silentUntil) {
		return false
	}
	if h.failures >= breakerLimit {
		h.backoffUntil = now.Add(trial)
	}
	return true
}

// silenced reports whether the provider asked to be left alone.
func (h *health) silenced(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return now.Before(h.silentUntil)
}

// rank orders providers for work that not all of them need to do: fewer recent
// failures first, then the quicker one.
func (h *health) rank() (failures int, latency time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failures, h.shown.Latency
}

// succeeded forgets earlier failures and reports whether they had opened the breaker.
func (h *health) succeeded() (recovered bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	recovered = h.failures >= breakerLimit
	h.failures, h.backoffUntil = 0, time.Time{}
	return recovered
}

// failed reports whether this failure opened the breaker.
func (h *health) failed(now time.Time, f *jsonrpc.Fault) (opened bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.failures++
	h.shown.LastError = f.Text
	if f.Kind == jsonrpc.Outvoted {
		h.shown.Disagreements++
	} else {
		h.shown.Errors++
	}
	h.backoffUntil = now.Add(h.backoff())
	if f.Wait > 0 {
		h.silentUntil = now.Add(min(f.Wait, maxRetryAfter))
	}
	return h.failures == breakerLimit
}

// lacked remembers that the provider has no state of a block any more, and
// reports whether that is news.
func (h *health) lacked(now time.Time, what string) (news bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	news = now.After(h.prunedUntil)
	h.shown.Pruned, h.prunedUntil = what, now.Add(showPruned)
	return news
}

// prunedFault returns the fault with the block whose state is gone, and how far back
// it is.
func (h *health) prunedFault(at Block, said *jsonrpc.Fault) *jsonrpc.Fault {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := *said
	f.Text = fmt.Sprintf("keeps no state of block %d", at.Number)
	if h.shown.Height > at.Number {
		f.Text += fmt.Sprintf(", %d before its newest", h.shown.Height-at.Number)
	}
	return &f
}

// backoff is how long to wait after so many failures in a row: half to one and a half
// times the doubled first pause, so that instances do not return together.
func (h *health) backoff() time.Duration {
	d := maxBackoff
	if h.failures < 7 {
		d = min(d, minBackoff<<(h.failures-1))
	}
	return d/2 + h.jitter(d)
}

// observeLatency remembers how long an answer took, the newer ones weighing more.
func (h *health) observeLatency(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shown.Latency == 0 {
		h.shown.Latency = d
		return
	}
	h.shown.Latency += (d - h.shown.Latency) / 4
}

// observeHead remembers the newest block that the provider reported.
func (h *health) observeHead(b Block) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown.Height, h.shown.HeightTime = b.Number, b.Time
	h.head, h.headAt = b, time.Now()
}
