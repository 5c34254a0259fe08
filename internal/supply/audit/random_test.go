package audit

import (
	"errors"
	"flag"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/testkit/check"
)

var firstSeed = flag.Uint64("seed", 0, "the first seed of each random test")

// seeds returns n seeds of a random test, or new seeds for four minutes in make soak. The test ends
// at the first seed that fails.
func seeds(t *testing.T, n uint64) iter.Seq2[uint64, *rand.Rand] {
	return func(yield func(uint64, *rand.Rand) bool) {
		first := *firstSeed
		end := time.Now()
		if check.Soak {
			first = rand.Uint64()
			end = end.Add(4 * time.Minute)
		}
		seed := first
		for ; seed-first < n || time.Now().Before(end); seed++ {
			if yield(seed, rand.New(rand.NewPCG(seed, 0))); t.Failed() {
				t.Fatalf("to repeat it: go test ./internal/supply/audit -run '^%s$' -seed %d", t.Name(), seed)
			}
		}
		t.Logf("%d seeds from %d on", seed-first, first)
	}
}

// upTo returns a shorter time than d.
func upTo(r *rand.Rand, d time.Duration) time.Duration { return time.Duration(r.Int64N(int64(d))) }

// Random snapshots and decisions in one log, honest or not. Figures that are served are wrong if the
// latest decision about their snapshot says so. No honest log publishes wrong figures again, or marks
// figures as wrong that a later snapshot has too.
func TestRandomHistories(t *testing.T) {
	token := tokens(1)[0]
	figures := []*supply.Snapshot{measure(t, token, 0), measure(t, token, 24*time.Hour)}
	for seed, r := range seeds(t, 60) {
		s := honest(t)
		equal := []string{s.newest()}
		now, last := 0, 0
		wrong := map[string]bool{} // the latest decision about each snapshot
		invalid := false
		var kept []byte
		for range 3 + r.IntN(12) {
			now++
			at := demo.Start.Add(time.Duration(now) * time.Hour)
			if kept == nil || r.IntN(3) == 0 {
				kept = s.checkpoint()
			}
			newest := s.newest()
			switch r.IntN(10) {
			case 0, 1, 2, 3:
				next := last
				if r.IntN(3) == 0 && last == 0 { // figures do not go back in time
					next = 1
					equal = nil
				}
				invalid = invalid || next == last && wrong[newest]
				last = next
				if at.Before(figures[next].MeasuredAt) {
					at = figures[next].MeasuredAt
				}
				s.publish(s.tokens[0], figures[next], at)
				equal = append(equal, s.newest())
			default:
				id, kind := equal[r.IntN(len(equal))], supply.Wrong
				if r.IntN(2) == 0 || id != newest && r.IntN(4) > 0 {
					kind = supply.Right
				}
				invalid = invalid || kind == supply.Wrong && id != newest && !wrong[newest]
				wrong[id] = kind == supply.Wrong
				s.decide(kind, "jewel", id, at)
			}
		}
		isWrong := invalid || wrong[s.newest()]
		for _, options := range [][]func(*Config){nil, {since(kept)}} {
			_, err := once(t, s, options...)
			if isWrong != (err != nil) || isWrong && !strings.Contains(err.Error(), "as wrong") {
				t.Errorf("seed %d, %d options: %v, want wrong: %v", seed, len(options), err, isWrong)
			}
		}
	}
}

// An honest service publishes, corrects, takes corrections back, loses tokens, and begins logs at random
// moments while it is audited through a slow cache. It is never accused.
func TestRandomRaces(t *testing.T) {
	for _, r := range seeds(t, 40) {
		s := honest(t, tokens(1+r.IntN(3))...)
		states := []state{{0, s}}
		now := time.Duration(0)
		for range 4 + r.IntN(12) {
			now += (5*time.Second + upTo(r, time.Minute)).Truncate(time.Millisecond)
			states = append(states, randomEvent(t, r, states, now))
		}
		ages := map[string]time.Duration{}
		w := &world{states: states, each: upTo(r, time.Second) / time.Duration(1+r.IntN(50)),
			behind: upTo(r, 2*time.Second),
			skew:   upTo(r, time.Minute) - 30*time.Second,
			proxy: func(_ time.Duration, target string) time.Duration {
				if isFresh(target) {
					return upTo(r, 3*time.Second)
				}
				if r.IntN(3) == 0 {
					ages[target] = upTo(r, 90*time.Second)
				}
				return ages[target]
			}}
		report, err := w.audit(t, upTo(r, now)+time.Second)
		if _, isFault := errors.AsType[*Fault](err); isFault {
			t.Errorf("%v; tried again: %q", err, report.Retried)
		}
	}
}

// randomEvent returns the next state of a service. A token loses its figures, or gets them back, at most
// once in five minutes.
func randomEvent(t *testing.T, r *rand.Rand, states []state, now time.Duration) state {
	s := states[len(states)-1].service
	at := demo.Start.Add(now)
	if r.IntN(12) == 0 {
		return state{now, s.restart(at, byte(10+len(states)))} // each with a key of its own
	}
	next := s.clone()
	p := next.tokens[r.IntN(len(next.tokens))]
	isWrong := p.state.Correction != nil
	mayChange := now-p.changed > 5*time.Minute
	has := p.state.Available()
	switch n := r.IntN(10); {
	case !mayChange && (n < 2 || !has):
	case n == 0 && !isWrong:
		next.correct(p.token.Path, at, supply.Wrong)
	case n < 5 && isWrong:
		next.correct(p.token.Path, at, supply.Right)
	case n == 1 && !isWrong:
		p.state.Status = supply.Unavailable
	default:
		paths := []string{}
		for _, other := range next.tokens {
			if other.state.Available() || now-other.changed > 5*time.Minute && other.state.Correction == nil {
				paths = append(paths, other.token.Path)
			}
		}
		if len(paths) > 0 {
			next.refresh(t, now, slices.Compact(paths)...)
		}
	}
	for i, p := range next.tokens {
		if p.state.Available() != s.tokens[i].state.Available() {
			p.changed = now
		}
	}
	return state{now, next}
}
