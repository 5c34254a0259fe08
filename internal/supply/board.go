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

// An Update is news about one token from a refresh or the store. The board accepts it only if its
// Seq is 0, or higher than that of the token's latest update.
type Update struct {
	Record
	Ledgers []ledger.Version // ledgers published so far, oldest first

	at time.Time // when the board received it
}

// A Board has the current publication. Refresher and Poller set it. Readers call Now, which never
// waits. Subscribers get every publication in order. While Run runs, the board also publishes when
// a status changes by time alone.
type Board struct {
	policy AgePolicy
	demo   bool
	now    atomic.Pointer[Publication]
	wake   chan struct{} // Set tells Run that the next deadline has changed

	mu     sync.Mutex // held while publishing, so that subscribers see one order
	tokens []ledger.Token
	latest []Update          // the latest update of each token
	logged map[string]string // proofs that snapshots are in the log, by snapshot id
	subs   []func(*Publication)
}

// NewBoard returns a board on which every token is still unavailable.
func NewBoard(tokens []ledger.Token, policy AgePolicy, demo bool) *Board {
	b := &Board{policy: policy, demo: demo, wake: make(chan struct{}, 1),
		tokens: slices.Clone(tokens), latest: make([]Update, len(tokens))}
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

// Set publishes the updates together. Tokens without an update stay unchanged, and unknown tokens
// are ignored. A leader's refresher and poller may both bring an update of the same write. The
// second one is ignored.
func (b *Board) Set(updates ...Update) {
	b.mu.Lock()
	defer b.mu.Unlock()
	news := false
	for _, u := range updates {
		i := slices.IndexFunc(b.tokens, func(t ledger.Token) bool { return t.Path == u.Token })
		if i >= 0 && (u.Seq == 0 || u.Seq > b.latest[i].Seq) {
			u.at = clock(b.policy.Now)
			if was := b.latest[i]; was.Snapshot != nil && !was.publishes(u.Record) && was.Confirmed.Equal(u.Confirmed) {
				u.at = was.at // a hold or a rejection does not make the figure newer
			}
			b.latest[i] = u
			news = true
		}
	}
	if !news {
		return
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

// acceptOlder makes the board accept the next update of each token, whatever its Seq is.
func (b *Board) acceptOlder() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.latest {
		b.latest[i].Seq = 0
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

// publish makes a publication from the latest updates. The caller holds mu.
func (b *Board) publish() {
	now := clock(b.policy.Now) // UTC would remove the reading of the monotonic clock
	p := &Publication{At: now.UTC(), States: make([]State, len(b.latest)), now: now}
	for i, u := range b.latest {
		p.States[i] = b.state(&b.tokens[i], u).At(now)
	}
	b.now.Store(p)
	for _, fn := range b.subs {
		fn(p)
	}
}

// state returns the state of t after u, as of the time at which the board received u.
func (b *Board) state(t *ledger.Token, u Update) State {
	s := State{Token: t, Snapshot: u.Snapshot, Hold: u.Hold, Status: Unavailable}
	if u.Failed != nil && u.Failed.Times > 1 {
		s.Failed = u.Failed
	}
	if u.Snapshot == nil {
		s.Ledger = t.LedgerDocument(u.Ledgers, "")
		return s
	}
	s.Ledger = t.LedgerDocument(u.Ledgers, u.Snapshot.LedgerHash)
	if ev := u.Snapshot.Evidence; ev != nil { // the configuration may have changed since the measurement
		shown := *t
		shown.Symbol = ev.Symbol
		shown.Decimals = ev.Decimals
		s.Ledger.Symbol = ev.Symbol
		s.Token = &shown
	}
	s.Confirmed = u.Confirmed
	s.Inclusion = b.logged[u.Snapshot.ID]
	s.Correction = u.Correction
	switch {
	case u.Correction != nil:
		s.Status = Withdrawn
		return s
	case b.demo:
		s.Status = Demo
		return s
	case u.Hold != nil:
		s.Status = Held
	default:
		s.Status = Fresh
	}
	n := u.Snapshot
	s.freshFrom = later(s.Confirmed, n.AsOf).Add(-clockSkew)
	if age := b.policy.StaleAfter; age > 0 {
		s.StaleAt, s.staleDue = deadline(u, earlier(s.Confirmed.Add(age), n.AsOf.Add(age+b.policy.lag(n.Blocks))))
	}
	if age := b.policy.RefuseAfter; age > 0 {
		// An AsOf in the future must not delay the refusal.
		s.RefuseAt, s.refuseDue = deadline(u, earlier(n.AsOf, u.at).Add(age))
	}
	return s
}

// deadline returns the given time twice: as wall-clock time, and with a reading of the monotonic
// clock. This reading is computed from the one in u.at.
func deadline(u Update, at time.Time) (wall, monotonic time.Time) {
	return at, u.at.Add(at.Sub(u.at))
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
