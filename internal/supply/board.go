package supply

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A Policy says how long a figure may be answered with. Zero: for ever.
type AgePolicy struct {
	StaleAfter  time.Duration // from then on its status is stale
	RefuseAfter time.Duration // from then on it is not answered any more
}

// A Publication is what is published of all tokens at one time, in configured
// order. It never changes once made.
type Publication struct {
	At     time.Time
	States []State

	now time.Time // At, by both clocks
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

// An Update is what a refresh or the store found out about one token.
type Update struct {
	Token    string // path
	Seq      int64  // of the store's write; what is older than the board's is ignored
	Snapshot *Snapshot
	Hold     *Hold
	Ledgers  []Ledger // published so far, oldest first

	at time.Time // when the board took it
}

// A Board holds what is published. Refresher or Follower set it; readers take
// Now, which never waits; subscribers get every publication in order. While Run
// runs it publishes again, unasked, whenever a status changes by time alone.
type Board struct {
	policy AgePolicy
	demo   bool
	now    atomic.Pointer[Publication]
	wake   chan struct{} // Set tells Run that the next deadline has moved

	mu    sync.Mutex // held while publishing, so that subscribers see one order
	slots []Update   // by configured order
	token []*Token
	subs  []func(*Publication)
}

// NewBoard returns a board on which every token is still unavailable.
func NewBoard(tokens []Token, policy AgePolicy, demo bool) *Board {
	b := &Board{policy: policy, demo: demo, wake: make(chan struct{}, 1)}
	for _, t := range tokens {
		b.token = append(b.token, &t)
		b.slots = append(b.slots, Update{Token: t.Path})
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.publish()
	return b
}

// Now returns the newest publication.
func (b *Board) Now() *Publication { return b.now.Load() }

// Subscribe calls fn with the present publication, and then with each later
// one, in order and one at a time. fn must not call the board.
func (b *Board) Subscribe(fn func(*Publication)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.subs = append(b.subs, fn)
	fn(b.now.Load())
}

// Set publishes the updates together; tokens that are not named stay as they
// are, and tokens that are not configured are ignored. A leader's refresher and
// follower may both set it: of each write only the first update counts.
func (b *Board) Set(updates ...Update) {
	b.mu.Lock()
	defer b.mu.Unlock()
	news := false
	for _, u := range updates {
		for i := range b.slots {
			if b.slots[i].Token == u.Token && (u.Seq == 0 || u.Seq > b.slots[i].Seq) {
				u.at = time.Now()
				b.slots[i], news = u, true
			}
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

// rewind lets writes count that are older than what was set before.
func (b *Board) rewind() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.slots {
		b.slots[i].Seq = 0
	}
}

// Run re-publishes when a figure becomes stale or too old, until ctx ends.
func (b *Board) Run(ctx context.Context) error {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		if next := b.Now().next(); next.IsZero() {
			timer.Stop()
		} else {
			timer.Reset(time.Until(next))
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

// publish makes a publication of what the slots hold. The caller holds mu.
func (b *Board) publish() {
	now := time.Now() // UTC would take the clock away that only runs forward
	p := &Publication{At: now.UTC(), States: make([]State, len(b.slots)), now: now}
	for i, u := range b.slots {
		p.States[i] = b.state(b.token[i], u, now)
	}
	b.now.Store(p)
	for _, fn := range b.subs {
		fn(p)
	}
}

func (b *Board) state(t *Token, u Update, now time.Time) State {
	s := State{Token: t, Snapshot: u.Snapshot, Hold: u.Hold, Status: Unavailable}
	if u.Snapshot == nil {
		s.Ledger = ledgerDoc(t, u.Ledgers, "")
		return s
	}
	s.Ledger = ledgerDoc(t, u.Ledgers, u.Snapshot.LedgerHash)
	if b.demo || u.Snapshot.Demo {
		s.Status = Demo
		return s
	}
	s.StaleAt = after(u.Snapshot.AsOf, b.policy.StaleAfter)
	s.RefuseAt = after(u.Snapshot.AsOf, b.policy.RefuseAfter)
	// A figure ages by the wall clock and by the one that only runs forward,
	// whichever is sooner: a wall clock that was set back makes nothing fresh.
	s.staleDue, s.refuseDue = steady(s.StaleAt, u.at), steady(s.RefuseAt, u.at)
	switch {
	case past(s.RefuseAt, now) || past(s.refuseDue, now):
		s.Status = Unavailable
	case u.Hold != nil:
		s.Status = Held
	case past(s.StaleAt, now) || past(s.staleDue, now):
		s.Status = Stale
	default:
		s.Status = Fresh
	}
	return s
}

// next is when the first status changes by time alone; zero: never.
func (p *Publication) next() (next time.Time) {
	for _, s := range p.States {
		for _, t := range []time.Time{s.staleDue, s.refuseDue} {
			if !t.IsZero() && t.After(p.now) && (next.IsZero() || t.Before(next)) {
				next = t
			}
		}
	}
	return next
}

func after(t time.Time, d time.Duration) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return t.Add(d)
}

// steady is the same deadline, as seen at at, on the clock that only runs
// forward.
func steady(deadline, at time.Time) time.Time {
	if deadline.IsZero() {
		return deadline
	}
	return at.Add(deadline.Sub(at))
}

func past(deadline, now time.Time) bool { return !deadline.IsZero() && !now.Before(deadline) }
