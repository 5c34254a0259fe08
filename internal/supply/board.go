package supply

import (
	"context"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"petsupply/internal/supply/ledger"
)

// An AgePolicy says how long a figure is served. A zero duration means forever.
type AgePolicy struct {
	StaleAfter  time.Duration // a figure becomes stale when this time has passed since it was last confirmed
	RefuseAfter time.Duration // a figure is no longer served when this time has passed since its AsOf
	// MaxLag is how old the newest block of a chain may be, by chain name. The AsOf of a fresh
	// figure may be as old as StaleAfter plus this lag.
	MaxLag map[string]time.Duration
	// Now is our clock; nil means time.Now.
	Now func() time.Time
}

// lag returns the largest MaxLag of the blocks' chains. Chains with blocks on demand count as 0.
func (p AgePolicy) lag(blocks []Block) (lag time.Duration) {
	for _, b := range blocks {
		if !b.OnDemand {
			lag = max(lag, p.MaxLag[b.Chain])
		}
	}
	return lag
}

// clockSkew is how far the clocks of two instances may differ. A figure further in the future is
// not fresh.
const clockSkew = 10 * time.Second

// A Publication has the published states of all tokens at one time, in configured order. It never
// changes.
type Publication struct {
	At     time.Time
	States []State

	now time.Time // the same time as At, with a reading of the monotonic clock
}

// State returns the state of the token with this path.
func (p *Publication) State(path string) (State, bool) {
	for _, s := range p.States {
		if s.Token.Path == path {
			return s, true
		}
	}
	return State{}, false
}

// A received record is the latest record of a token, and when the board received it.
type received struct {
	Record
	at time.Time
}

// A Board has the current publication. A Poller sets it. Readers call Now, which never waits.
// Subscribers get every publication in order. While Run runs, the board also publishes when a status
// changes by time alone.
type Board struct {
	policy AgePolicy
	demo   bool
	now    atomic.Pointer[Publication]
	wake   chan struct{} // Set tells Run that the next deadline has changed

	mu     sync.Mutex // held while publishing, so that subscribers see one order
	tokens []ledger.Token
	latest []received        // by token, in the order of tokens
	logged map[string]string // proofs that snapshots are in the log, by snapshot id
	subs   []func(*Publication)
}

// NewBoard returns a board on which every token is still unavailable.
func NewBoard(tokens []ledger.Token, policy AgePolicy, demo bool) *Board {
	b := &Board{policy: policy, demo: demo, wake: make(chan struct{}, 1),
		tokens: slices.Clone(tokens), latest: make([]received, len(tokens))}
	b.publish() // no lock: nobody else has b yet
	return b
}

// Now returns the newest publication.
func (b *Board) Now() *Publication { return b.now.Load() }

// Subscribe calls fn with the current publication, and then with each later one, in order and one
// at a time. fn must not call the board.
func (b *Board) Subscribe(fn func(*Publication)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs = append(b.subs, fn)
	fn(b.now.Load())
}

// Set publishes the records together. Tokens without a record stay unchanged, and unknown tokens
// are ignored.
func (b *Board) Set(records ...Record) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range records {
		i := slices.IndexFunc(b.tokens, func(t ledger.Token) bool { return t.Path == r.Token })
		if i < 0 {
			continue
		}
		at := clock(b.policy.Now)
		if was := b.latest[i]; was.Snapshot != nil && !was.publishes(r) && was.Confirmed.Equal(r.Confirmed) {
			at = was.at // a hold or a rejection does not make the figure newer
		}
		b.latest[i] = received{r, at}
	}
	b.publish()
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// SetInclusions replaces the inclusion proofs, by snapshot id. If they differ from the old ones, it
// publishes.
func (b *Board) SetInclusions(proofs map[string]string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !maps.Equal(b.logged, proofs) {
		b.logged = proofs
		b.publish()
	}
}

// Run publishes again when a status changes by time alone, until ctx ends.
func (b *Board) Run(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if next := b.Now().next(); next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(next.Sub(clock(b.policy.Now)))
		}
		select {
		case <-ctx.Done():
			return nil
		case <-b.wake:
		case <-timer.C:
			b.mu.Lock()
			b.publish()
			b.mu.Unlock()
		}
	}
}

// publish makes a publication from the latest records. The caller holds mu.
func (b *Board) publish() {
	now := clock(b.policy.Now) // UTC would remove the reading of the monotonic clock
	p := &Publication{At: now.UTC(), States: make([]State, len(b.latest)), now: now}
	for i, r := range b.latest {
		p.States[i] = b.state(&b.tokens[i], r).At(now)
	}
	b.now.Store(p)
	for _, fn := range b.subs {
		fn(p)
	}
}

// state returns the state of t with the record r, as of the time at which the board received r.
func (b *Board) state(t *ledger.Token, r received) State {
	s := State{Token: t, Snapshot: r.Snapshot, Hold: r.Hold, Status: Unavailable}
	if r.Failed != nil && r.Failed.Times > 1 {
		s.Failed = r.Failed
	}
	if r.Snapshot == nil {
		s.Ledger = t.LedgerDocument(r.Ledgers, "")
		return s
	}
	s.Ledger = t.LedgerDocument(r.Ledgers, r.Snapshot.LedgerHash)
	if ev := r.Snapshot.Evidence; ev != nil { // the configuration may have changed since the measurement
		shown := *t
		shown.Symbol = ev.Symbol
		shown.Decimals = ev.Decimals
		s.Ledger.Symbol = ev.Symbol
		s.Token = &shown
	}
	s.Confirmed = r.Confirmed
	s.Inclusion = b.logged[r.Snapshot.ID]
	s.Correction = r.Correction
	switch {
	case r.Correction != nil:
		s.Status = Withdrawn
		return s
	case b.demo:
		s.Status = Demo
		return s
	case r.Hold != nil:
		s.Status = Held
	default:
		s.Status = Fresh
	}
	n := r.Snapshot
	s.freshFrom = later(s.Confirmed, n.AsOf).Add(-clockSkew)
	if age := b.policy.StaleAfter; age > 0 {
		s.StaleAt, s.staleDue = deadline(r, earlier(s.Confirmed.Add(age), n.AsOf.Add(age+b.policy.lag(n.Blocks))))
	}
	if age := b.policy.RefuseAfter; age > 0 {
		// An AsOf in the future must not delay the refusal.
		s.RefuseAt, s.refuseDue = deadline(r, earlier(n.AsOf, r.at).Add(age))
	}
	return s
}

// deadline returns the given time twice: as wall-clock time, and with a reading of the monotonic
// clock. This reading is computed from the one in r.at.
func deadline(r received, at time.Time) (wall, monotonic time.Time) {
	return at, r.at.Add(at.Sub(r.at))
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// next returns the next time at which a status changes by time alone; zero means never.
func (p *Publication) next() (next time.Time) {
	for _, s := range p.States {
		for _, t := range []time.Time{s.freshFrom, s.staleDue, s.refuseDue} {
			if !t.IsZero() && t.After(p.now) && (next.IsZero() || t.Before(next)) {
				next = t
			}
		}
	}
	return next
}
