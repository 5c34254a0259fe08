package simulate

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/world"
)

// An observer knows the truth, and compares the service with it.
type observer struct {
	*kingdom
	failure   *Failure
	seen      map[string]int
	published map[string][]*supply.Snapshot // by token
	confirmed map[string]confirmation
	failing   failures                    // by token
	cause     map[string]string           // by token: why the last refresh failed
	corrected map[string]*supply.Snapshot // the last snapshot, if it is corrected
	undone    map[string]bool             // whether somebody asked to take the correction back
	held      map[string]bool
	released  map[string]time.Time // AsOf of the first figure after the last hold
	holds     map[string]hold
	unsure    time.Duration // since then writes may have been stored without the observer's knowledge; 0 means never
}

// A confirmation is the time at which figures were last measured.
type confirmation struct {
	said time.Time     // by the instance's clock
	at   time.Duration // virtual time since the start
}

// failures are the beginnings of failed steps in a row: of a token, or of a realm.
type failures map[string][]time.Duration

// add adds a failed step that began at from. If it is at least the third in a row, it returns when
// the first of the last three began.
func (f failures) add(what string, from time.Duration) (first time.Duration, three bool) {
	f[what] = append(f[what], from)
	if n := len(f[what]); n >= 3 {
		return f[what][n-3], true
	}
	return 0, false
}

func newObserver(k *kingdom) *observer {
	return &observer{kingdom: k, seen: map[string]int{}, published: map[string][]*supply.Snapshot{},
		confirmed: map[string]confirmation{}, failing: failures{}, cause: map[string]string{},
		corrected: map[string]*supply.Snapshot{}, undone: map[string]bool{}, held: map[string]bool{},
		released: map[string]time.Time{}, holds: map[string]hold{}}
}

var numbers = regexp.MustCompile(`0x[0-9a-f]+|[0-9][0-9a-f]{7,}|[0-9]+(\.[0-9]+)?`)

// fail records the first broken rule.
func (o *observer) fail(kind, cause, format string, args ...any) {
	if o.failure == nil {
		o.failure = &Failure{Kind: kind, Cause: numbers.ReplaceAllString(cause, "N"), At: o.since(),
			Text: fmt.Sprintf(format, args...)}
	}
}

// check checks everything after a refresh that began at from, when the instance's clock said clock.
func (r *run) check(x *instance, from time.Duration, clock time.Time, refreshed error, requests int64) {
	if requests > 400 {
		r.fail("bounded", "requests", "%d requests in one refresh", requests)
	}
	if now := r.clock(x.number)(); now.After(clock) { // otherwise the clock was set back meanwhile
		clock = now
	}
	lost := refreshed != nil && strings.Contains(refreshed.Error(), errStore.Error())
	if lost {
		r.unsure = cmp.Or(r.unsure, from)
	}
	for i, s := range x.states(r) {
		r.seen[string(s.Status)]++
		if s.Snapshot != nil {
			r.checkState(s, clock)
			r.checkPrevious(x, s)
			r.checkHold(i, s, from, failureOf(refreshed, s.Token.Path))
			r.checkPublished(i, s, from, clock)
		}
		r.checkGoesOn(i, s, from, refreshed)
	}
	if !lost {
		r.unsure = 0
	}
	r.checkPast(x)
	r.checkEvidence(x)
}

// checkState checks the state of a figure.
func (r *run) checkState(s supply.State, clock time.Time) {
	token := s.Token.Path
	n := s.Snapshot
	if c := r.confirmed[token]; !s.Confirmed.Equal(c.said) {
		r.confirmed[token] = confirmation{said: s.Confirmed, at: r.since()}
	}
	age := r.since() - r.confirmed[token].at
	wrongClock := r.faulty(r.since()-time.Minute, r.since(), func(f Fault) bool { return f.Kind == "clock" })
	switch {
	case s.Hold != nil && s.Hold.Candidate.LedgerHash == n.LedgerHash && s.Hold.Candidate.Figures.Equal(n.Figures):
		r.fail("held", "equal to the published figure", "%s: %s waits beside the equal %s: %s", token,
			s.Hold.Candidate.Total, n.Total, s.Hold.Reason)
	case s.Available() && !wrongClock && age > time.Duration(r.RefuseAfter+r.lag(s.Token))*time.Second:
		r.fail("too old", "served beyond refuse_after", "%s is %s and was last measured %s ago; as of %s, now %s",
			token, s.Status, age, n.AsOf, clock)
	case s.Status == supply.Fresh && !wrongClock && age > time.Duration(r.StaleAfter)*time.Second+time.Minute:
		r.fail("too old", "fresh beyond stale_after", "%s is fresh and was last measured %s ago", token, age)
	}
	switch c := r.corrected[token]; {
	case s.Correction != nil && s.Available():
		r.fail("correction", "not withdrawn", "%s: %s was corrected and is %s", token, n.Total, s.Status)
	case s.Correction != nil:
		r.corrected[token] = n
	case c != nil && !r.undone[token] && c.LedgerHash == n.LedgerHash && c.Figures.Equal(n.Figures):
		r.fail("correction", "lost", "%s: %s was corrected and is published again without it", token, c.Total)
	default:
		delete(r.corrected, token)
		delete(r.undone, token)
	}
}

// A hold is what the observer knows about a held figure.
type hold struct {
	candidate string
	agreed    time.Duration // for how long measurements have agreed with it, or may have
	last      time.Duration // the last one that did; 0 means that the next one is the first
	calm      time.Duration // since then no measurement has failed
}

// agree adds the time until a measurement that agreed. Failures and gaps add at most two refreshes,
// except those in which writes may have been lost.
func (h hold) agree(r *run, at time.Duration) hold {
	gap := at - h.last
	switch {
	case h.last == 0:
		gap = 0
	case r.unsure == 0:
		gap = min(gap, 2*time.Duration(r.Every)*time.Second)
	}
	h.agreed += gap
	h.last = at
	return h
}

// checkHold checks that a figure that must be held was held for HoldFor, and that a held figure that
// all measurements agree with is published soon after.
func (r *run) checkHold(i int, s supply.State, from time.Duration, cause string) {
	token := s.Token.Path
	was := r.holds[token]
	holdFor := time.Duration(r.HoldFor) * time.Second
	if was.candidate == "" && r.unsure > 0 { // it may be held since then
		was.last = r.unsure
	}
	next := was.agree(r, from)
	if r.mustBeHeld(i, s.Snapshot) && next.agreed < holdFor && !r.decides() {
		r.fail("held", "too short", "%s: %s is published after measurements agreed for %s", token, s.Snapshot.Total,
			next.agreed)
	}
	if s.Hold == nil {
		delete(r.holds, token)
		return
	}
	switch {
	case s.Hold.Candidate.ID != was.candidate:
		next = hold{candidate: s.Hold.Candidate.ID, last: cmp.Or(r.unsure, from), calm: r.since()}
		r.seen["held"]++
	case strings.Contains(cause, "rejected") || strings.Contains(cause, "disagree"):
		next = hold{candidate: was.candidate}
	case cause != "" && !strings.HasPrefix(cause, "storing"):
		next = was
	}
	if cause != "" {
		next.calm = r.since()
	}
	r.holds[token] = next
	longest := holdFor + 2*time.Duration(r.Every)*time.Second
	for _, name := range s.Token.Chains() {
		blockTime := r.Chains[slices.Index(names, name)].BlockTime
		longest = max(longest, holdFor+2*time.Duration(r.Every+blockTime)*time.Second)
	}
	troubled := r.faulty(next.calm, r.since(), func(f Fault) bool { return !slices.Contains(ofTokens, f.Kind) })
	if r.since()-next.calm > longest && !troubled && !s.WaitsForAPerson() {
		r.fail("held", "too long", "%s: %s has been held for %s since all measurements agree", token,
			s.Hold.Candidate.Total, r.since()-next.calm)
	}
}

// mustBeHeld reports whether n may not follow the last figure of token i at once. It may if it differs
// by no more than a tenth, or by no more than an expected event allows. During an event, it may also
// not differ by more than the event's change from the last figure before the event.
func (r *run) mustBeHeld(i int, n *supply.Snapshot) bool {
	list := r.published[r.tokens[i].Path]
	if len(list) == 0 {
		return false
	}
	last := list[len(list)-1]
	exceeds := false // an event
	for _, e := range r.tokens[i].Expected {
		if n.AsOf.Before(e.From) || last.AsOf.After(e.To) {
			continue
		}
		before := list[0]
		for _, p := range list {
			if p.AsOf.Before(e.From) {
				before = p
			}
		}
		rise := max(tenth, ledger.Percent(e.Change))
		fall := max(tenth, ledger.Percent(-e.Change))
		if differs(before, last, rise, fall) { // a hold was released, so the event counts no more
			continue
		}
		if !differs(before, n, rise, fall) && !differs(last, n, rise, fall) {
			return false
		}
		exceeds = exceeds || !n.AsOf.After(e.To) && differs(before, n, rise, fall)
	}
	if exceeds {
		r.seen["beyond an event"]++
	}
	return exceeds || differs(last, n, tenth, tenth)
}

const tenth = ledger.Percent(100_000)

// differs reports whether the total or circulating supply rose or fell by more than the limits.
func differs(old, now *supply.Snapshot, rise, fall ledger.Percent) bool {
	beyond := func(old, now ledger.Amount) bool {
		limit := rise
		if now.Cmp(old) < 0 {
			limit = fall
		}
		return !limit.Allows(now.Sub(old), old)
	}
	return beyond(old.Total, now.Total) || beyond(old.Circulating, now.Circulating)
}

// decides reports whether a decision, or a fault that undoes one or changes a clock, may have ended a
// hold.
func (r *run) decides() bool {
	return r.since() >= time.Duration(r.Minutes*60-r.quiet())*time.Second || r.faulty(0, r.since(), func(f Fault) bool {
		return slices.Contains([]string{"clock", "restore", "correct", "undo"}, f.Kind)
	})
}

// lag returns the largest max_lag of a token's chains, in seconds.
func (k *kingdom) lag(t *ledger.Token) (lag int) {
	for _, name := range t.Chains() {
		lag = max(lag, k.Chains[slices.Index(names, name)].MaxLag)
	}
	return lag
}

// checkPublished compares a new figure with the truth.
func (r *run) checkPublished(i int, s supply.State, from time.Duration, clock time.Time) {
	token := s.Token.Path
	n := s.Snapshot
	list := r.published[token]
	wasHeld := r.held[token]
	r.held[token] = s.Hold != nil
	if len(list) > 0 && list[len(list)-1].ID == n.ID {
		return
	}
	r.published[token] = append(list, n)
	r.seen["published"]++
	for other := range r.Instances { // another instance may have published it, by its own clock
		if now := r.clock(other)(); now.After(clock) {
			clock = now
		}
	}
	if n.AsOf.After(clock.Add(time.Millisecond)) {
		r.fail("as of", "after every clock", "%s is as of %s, but it is %s", token, n.AsOf, clock)
	}
	r.checkBridge(token, n, wasHeld)
	if r.liarsWin(i, from-time.Minute, r.since()) {
		return
	}
	sum, err := r.figures(n, from)
	if err != nil {
		r.fail("wrong", "no truth", "%s: %v", token, err)
		return
	}
	if !sum.Equal(n.Figures) {
		r.fail("wrong", "figures", "%s is published as %v, the chains say %v at %v", token, n.Figures, sum, n.Blocks)
	}
	r.checkAsOf(token, n, from)
}

// figures returns the true figures at the blocks of a snapshot, which was measured since the time
// from.
func (r *run) figures(n *supply.Snapshot, from time.Duration) (supply.Figures, error) {
	none := ledger.Zero(6)
	sum := supply.Figures{Total: none, Burned: none, Locked: none, Reserved: none}
	by, known := r.ledgers[n.LedgerHash]
	if !known {
		return sum, fmt.Errorf("nobody configured the ledger %s", n.LedgerHash)
	}
	for _, e := range by.Ledger {
		at, ok := r.block(n, e.Chain, from)
		if !ok {
			return sum, fmt.Errorf("nobody had one of the blocks %v", n.Blocks)
		}
		amount, err := r.truth(slices.Index(names, e.Chain), at, e)
		if err != nil {
			return sum, err
		}
		switch bucket := e.Bucket; {
		case bucket == ledger.Issued && e.Counted(by.Bridges):
			sum.Total = sum.Total.Add(amount)
		case bucket == ledger.Burned:
			sum.Burned = sum.Burned.Add(amount)
		case bucket == ledger.Locked:
			sum.Locked = sum.Locked.Add(amount)
		case bucket == ledger.Reserved:
			sum.Reserved = sum.Reserved.Add(amount)
		}
	}
	sum.Total = sum.Total.Sub(sum.Burned)
	sum.Circulating = sum.Total.Sub(sum.Locked).Sub(sum.Reserved)
	return sum, nil
}

// block returns the block that a snapshot names for a chain. It reports false if the chain never
// had this block since one minute before the time from.
func (r *run) block(n *supply.Snapshot, chain string, from time.Duration) (world.Block, bool) {
	i := slices.Index(names, chain)
	for _, b := range n.Blocks {
		if b.Chain != chain {
			continue
		}
		for _, at := range []time.Duration{from - time.Minute, from - r.delay, from, r.since() - r.delay, r.since()} {
			if block, ok := (world.View{Chain: r.chains[i], At: r.start.Add(at)}).ByHash(b.Hash); ok {
				return block, true
			}
		}
	}
	return world.Block{}, false
}

// checkAsOf checks that the figures belong to their moment: the next block of each chain was made
// after that moment.
func (r *run) checkAsOf(token string, n *supply.Snapshot, from time.Duration) {
	if r.faulty(from-time.Minute, r.since(), func(f Fault) bool { return f.Kind == "clock" || f.Kind == "reorg" }) {
		return
	}
	for _, b := range n.Blocks {
		c := r.chains[slices.Index(names, b.Chain)]
		limit := n.AsOf
		if b.OnDemand {
			limit = limit.Add(-r.delay - time.Second)
		}
		if c.Blocks.Newest(limit) > b.Number && c.Blocks.Time(b.Number+1).Before(limit) {
			r.fail("as of", "after a later block",
				"%s is as of %s, read at block %d of %s, but block %d was made at %s",
				token, n.AsOf, b.Number, b.Chain, b.Number+1, c.Blocks.Time(b.Number+1))
		}
	}
}

// checkBridge checks that the sum of a burn-and-mint bridge's sides rose by no more than twice its
// slack in about an hour, or since the last hold ended.
func (r *run) checkBridge(token string, n *supply.Snapshot, wasHeld bool) {
	if wasHeld {
		r.released[token] = n.AsOf
	}
	issued := func(s *supply.Snapshot) (sum ledger.Amount) {
		for _, x := range s.Evidence.Entries {
			if x.Entry.Bridge == "relay" && x.Entry.Bucket == ledger.Issued {
				sum = sum.Add(x.Amount)
			}
		}
		return sum
	}
	before := r.published[token][:len(r.published[token])-1] // without n
	// The service compares n with an earlier snapshot. Which one depends on when it measured, and
	// on how a hold ended. So the check fails only if n is too high above each possible one.
	since := func(t time.Time) []*supply.Snapshot {
		return slices.DeleteFunc(slices.Clone(before), func(s *supply.Snapshot) bool {
			return s.AsOf.Before(t) || s.AsOf.After(n.AsOf) // later than n if a clock was ahead
		})
	}
	if b, ok := n.Evidence.Bridges["relay"]; ok {
		least := b.Slack.Add(*b.Slack).Add(ledger.Whole(1, 6))
		for _, t := range []time.Time{n.AsOf.Add(-65 * time.Minute), n.AsOf.Add(-50 * time.Minute), r.released[token]} {
			rise := ledger.Zero(6)
			if list := since(t); len(list) > 0 {
				rise = issued(n).Sub(issued(list[0]))
			}
			if rise.Cmp(least) < 0 {
				least = rise
			}
		}
		if least.Cmp(b.Slack.Add(*b.Slack)) > 0 {
			r.fail("bridge", "rose by more than its slack in an hour",
				"%s: the sides rose by more than twice the slack of %s", token, b.Slack)
		}
	}
}

// faulty reports whether a fault that matches has an effect between two times.
func (k *kingdom) faulty(from, to time.Duration, matches func(Fault) bool) bool {
	return slices.ContainsFunc(k.Faults, func(f Fault) bool { return matches(f) && f.during(from, to) })
}

// providersWith counts the providers of a chain that have a matching fault between two times.
func (k *kingdom) providersWith(chain int, from, to time.Duration, matches func(Fault) bool) (n int) {
	for p := range providers {
		if k.faulty(from, to, func(f Fault) bool { return matches(f) && f.befalls(chain, p) }) {
			n++
		}
	}
	return n
}

// liarsWin reports whether a quorum of providers may have told the same lie on a chain of token i.
func (k *kingdom) liarsWin(i int, from, to time.Duration) bool {
	return slices.ContainsFunc(k.tokens[i].Chains(), func(name string) bool {
		chain := slices.Index(names, name)
		lies := k.providersWith(chain, from, to, func(f Fault) bool { return slices.Contains(liars, f.Kind) })
		return lies >= k.Chains[chain].Quorum
	})
}

// checkGoesOn checks that a token does not fail three times in a row while enough providers are
// healthy. It also checks why a result could not be stored. Faults of other tokens and chains are
// no reason for that.
func (r *run) checkGoesOn(i int, s supply.State, from time.Duration, refreshed error) {
	token := s.Token.Path
	cause := failureOf(refreshed, token)
	r.cause[token] = cause
	if cause == "" {
		delete(r.failing, token)
		r.seen["refreshed"]++
		return
	}
	r.seen["failed"]++
	first, three := r.failing.add(token, from)
	chains := s.Token.Chains()
	own := func(f Fault) bool {
		switch {
		case slices.Contains(ofInstances, f.Kind):
			return true
		case slices.Contains(ofTokens, f.Kind):
			return f.Token == i
		}
		return slices.Contains(chains, names[f.Chain])
	}
	since := from - 3*time.Duration(r.Every)*time.Second
	// A leader notices a restored store only when it writes next, which may be minutes later.
	restored := r.seen["restored"] > 0 && strings.Contains(cause, "the store was restored")
	if strings.HasPrefix(cause, "storing") && !restored && !r.faulty(since, r.since(), own) &&
		r.faulty(since, r.since(), func(Fault) bool { return true }) {
		r.fail("concerns", cause, "%s uses %v, which have no fault: %s", token, chains, cause)
	}
	if !three {
		return
	}
	first -= time.Duration(r.Every) * time.Second
	others := func(f Fault) bool {
		return slices.Contains([]string{"before", "after", "clock"}, f.Kind) ||
			slices.Contains(ofChains, f.Kind) && slices.Contains(chains, names[f.Chain])
	}
	rejected := strings.Contains(cause, "rejected") && r.faulty(0, r.since(), own) && !r.onlyClock()
	if rejected || r.faulty(first, r.since(), others) || r.liarsWin(i, first, r.since()) {
		return
	}
	for _, name := range chains {
		chain := slices.Index(names, name)
		faulty := r.providersWith(chain, first, r.since(), func(Fault) bool { return true })
		if faulty > providers-r.Chains[chain].Quorum {
			return
		}
	}
	r.fail("stops", cause, "%s failed three times in a row: %s", token, cause)
}

// onlyClock reports whether only a clock can have caused a rejection.
func (r *run) onlyClock() bool {
	return !r.faulty(0, r.since(), func(f Fault) bool {
		return slices.Contains(liars, f.Kind) || f.Kind == "reorg" || slices.Contains(ofTokens, f.Kind)
	})
}

// failureOf returns why a refresh failed for a token, "" if it did not.
func failureOf(refreshed error, token string) string {
	if refreshed == nil {
		return ""
	}
	list := []error{refreshed}
	if many, ok := refreshed.(interface{ Unwrap() []error }); ok {
		list = many.Unwrap()
	}
	for _, err := range list {
		text := err.Error()
		if strings.HasPrefix(text, "measuring "+token+":") || strings.HasPrefix(text, "checking "+token+":") {
			return text
		}
	}
	for _, err := range list {
		if text := err.Error(); !strings.HasPrefix(text, "measuring ") && !strings.HasPrefix(text, "checking ") {
			return text
		}
	}
	return ""
}

// checkPast checks the answer for a past time.
func (r *run) checkPast(x *instance) {
	if r.steps%25 != 0 || r.faulty(0, r.since(), func(f Fault) bool { return f.Kind == "clock" }) {
		return
	}
	for _, t := range r.tokens {
		list := r.published[t.Path]
		if len(list) < 2 {
			continue
		}
		was := list[mix(r.Seed^uint64(r.steps))%uint64(len(list))]
		want := was
		for _, n := range list {
			if !n.AsOf.After(was.AsOf) {
				want = n
			}
		}
		got, err := x.db.PublishedAt(r.ctx, t.Path, supply.Moment{At: was.AsOf})
		if err != nil || got.ID != want.ID {
			r.fail("past", "another snapshot", "%s at %s is %+v, %v; it was %s", t.Path, was.AsOf, got.Snapshot, err,
				want.ID)
		}
	}
}

// checkPrevious checks that the store has the predecessor of a new snapshot.
func (r *run) checkPrevious(x *instance, s supply.State) {
	token := s.Token.Path
	n := s.Snapshot
	previous := n.Evidence.Previous
	list := r.published[token]
	if previous == "" || len(list) > 0 && slices.Contains([]string{n.ID, previous}, list[len(list)-1].ID) {
		return
	}
	if _, err := x.db.PublishedAt(r.ctx, token, supply.Moment{Snapshot: previous}); err != nil {
		r.fail("past", "a snapshot follows one that was not published", "%s of %s follows %s: %v", token, n.AsOf,
			previous, err)
	}
}

// checkEvidence checks that snapshots keep their evidence: the first of each day, and one of the
// newest keepEvidence. It takes that one from the middle, because the observer may have missed some
// snapshots.
func (r *run) checkEvidence(x *instance) {
	if r.steps%5 != 0 || r.faulty(0, r.since(), func(f Fault) bool { return f.Kind == "clock" }) {
		return
	}
	for _, t := range r.tokens {
		list := r.published[t.Path]
		var kept []*supply.Snapshot
		for i, n := range list {
			if i == 0 || len(list)-i == keepEvidence/2 ||
				n.AsOf.YearDay() != list[i-1].AsOf.YearDay() && n.Evidence.Previous == list[i-1].ID {
				kept = append(kept, n)
			}
		}
		for _, n := range kept {
			if _, err := x.db.Evidence(r.ctx, t.Path, n.ID); err != nil {
				r.fail("evidence", "lost", "%s of %s has no evidence any more: %v", t.Path, n.AsOf, err)
			}
		}
	}
}

// checkEnd checks that every figure is fresh when all faults are long over.
func (r *run) checkEnd(instances []*instance) {
	for _, x := range instances {
		if err := x.poller.Step(r.ctx); err != nil {
			r.fail("store", "polling", "%v", err)
		}
		for i, s := range x.states(r) {
			if s.Status == supply.Fresh {
				continue
			}
			cause := cmp.Or(r.cause[s.Token.Path], "nothing failed")
			if s.Hold != nil {
				cause = "held"
			}
			if strings.Contains(cause, "went back") && r.liarsWin(i, 0, r.since()) ||
				strings.Contains(cause, "remote supply") {
				continue // an operator has to decide
			}
			r.fail("in the end", string(s.Status)+": "+cause, "%s is %s on instance %d: %s",
				s.Token.Path, s.Status, x.number, cause)
		}
	}
}
