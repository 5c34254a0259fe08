package evm

import (
	"fmt"
	"sync"
	"time"

	"petsupply/internal/evm/jsonrpc"
)

const (
	minBackoff    = time.Second      // pause after one failure; each further failure doubles it
	maxBackoff    = time.Minute      // longest pause
	downAfter     = 5                // failures in a row after which a provider counts as down
	maxRetryAfter = 2 * time.Minute  // longest Retry-After that is obeyed
	showPruned    = 10 * time.Minute // how long Health shows that state was missing
)

// Health describes one provider. Nothing in it is secret.
type Health struct {
	Name          string
	Height        uint64    // newest block that it reported
	HeightTime    time.Time // time of that block
	Latency       time.Duration
	Errors        uint64
	Disagreements uint64
	State         string // ok, backoff, down
	LastError     string // contains no text of the provider, so it may be published
	Pruned        string // which state it lacked lately; may be published
}

// health tracks how one provider behaved. Several goroutines may call its methods. After a failure
// there is a pause in which the provider is asked only if necessary. Each further failure doubles
// the pause. After several failures in a row, the log and Health say that the provider is down.
type health struct {
	jitter func(time.Duration) time.Duration // as in Config

	mu           sync.Mutex
	shown        Health
	failures     int       // number of failures in a row
	backoffUntil time.Time // until then it is asked only if a quorum needs it
	overdue      bool      // it was slow to answer, and has not answered any question since then
	silentUntil  time.Time // until then it is not asked at all, because of Retry-After
	prunedUntil  time.Time // until then Health shows Pruned
}

func (h *health) snapshot(now time.Time) Health {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.shown
	switch {
	case h.failures >= downAfter:
		s.State = "down"
	case h.failures > 0 && now.Before(h.backoffUntil):
		s.State = "backoff"
	default:
		s.State = "ok"
	}
	if now.After(h.prunedUntil) {
		s.Pruned = ""
	}
	return s
}

// ready reports whether the provider may be asked at once, and not only if a quorum needs it.
func (h *health) ready(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return !now.Before(h.backoffUntil) && !now.Before(h.silentUntil)
}

// silenced reports whether the provider's last Retry-After still applies.
func (h *health) silenced(now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return now.Before(h.silentUntil)
}

// rank returns the values that byRank compares.
func (h *health) rank() (failures int, latency time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.failures, h.shown.Latency
}

// succeeded forgets earlier failures and reports whether the provider was down.
func (h *health) succeeded() (recovered bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	recovered = h.failures >= downAfter
	h.failures = 0
	h.backoffUntil = time.Time{}
	h.overdue = false
	return recovered
}

// delayed starts a pause because the provider is slow to answer. An answer ends the pause.
func (h *health) delayed(until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.overdue = true
	if h.backoffUntil.Before(until) {
		h.backoffUntil = until
	}
}

// hangs reports whether an answer of the provider is overdue.
func (h *health) hangs() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.overdue
}

// failed records a failure. It reports whether the provider counts as down because of this failure.
func (h *health) failed(now time.Time, f *jsonrpc.Fault) (down bool) {
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
	return h.failures == downAfter
}

// lacked records which state the provider dropped. news is true if Health did not show a dropped
// state until now.
func (h *health) lacked(now time.Time, what string) (news bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	news = now.After(h.prunedUntil)
	h.shown.Pruned = what
	h.prunedUntil = now.Add(showPruned)
	return news
}

// prunedFault returns a fault that names the block whose state is missing, and how far this block
// is before the provider's newest one.
func (h *health) prunedFault(at Block, said *jsonrpc.Fault) *jsonrpc.Fault {
	h.mu.Lock()
	defer h.mu.Unlock()
	f := *said
	f.Text = fmt.Sprintf("keeps no state of block %d", at.Number)
	if h.shown.Height > at.Number {
		f.Text += fmt.Sprintf(", which is %d blocks before its newest", h.shown.Height-at.Number)
	}
	return &f
}

// backoff returns the pause after the failures so far. The pause doubles with each failure, up to
// maxBackoff. A random amount, up to half of the pause, is added or taken off, so that several
// instances do not ask again at the same moment.
func (h *health) backoff() time.Duration {
	d := maxBackoff
	if h.failures < 7 {
		d = min(d, minBackoff<<(h.failures-1))
	}
	return d/2 + h.jitter(d)
}

// observeLatency adds a duration to the average. Newer durations weigh more.
func (h *health) observeLatency(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shown.Latency == 0 {
		h.shown.Latency = d
		return
	}
	h.shown.Latency += (d - h.shown.Latency) / 4
}

// observeHead records the newest block that the provider reported.
func (h *health) observeHead(b Block) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shown.Height = b.Number
	h.shown.HeightTime = b.Time
}
