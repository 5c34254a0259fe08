package audit

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"petsupply/internal/demo"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// refreshes returns the states of a service that publishes its tokens again and again.
func refreshes(t *testing.T, list []ledger.Token, times int, every time.Duration) (states []state) {
	s := honest(t, list...)
	states = append(states, state{0, s})
	for i := range times {
		s = s.clone()
		s.refresh(t, time.Duration(i+1)*every)
		states = append(states, state{time.Duration(i+1) * every, s})
	}
	return states
}

// then adds a later state.
func then(states []state, from time.Duration, change func(s *service)) []state {
	s := states[len(states)-1].clone()
	change(s)
	return append(states, state{from, s})
}

// An honest service is not accused, whatever it does while it is audited.
func TestHonestRaces(t *testing.T) {
	at := func(d time.Duration) time.Time { return demo.Start.Add(d) }
	const minute, second = time.Minute, time.Second
	for name, race := range map[string]struct {
		world  func(t *testing.T) *world
		begins time.Duration
		unread string // the audit may end with this instead of a result
	}{
		"nothing happens": {func(t *testing.T) *world { return &world{states: refreshes(t, tokens(2), 1, minute)} },
			time.Hour, ""},
		"50 tokens change ten times during the audit": {func(t *testing.T) *world {
			return &world{states: refreshes(t, tokens(50), 12, minute), each: 300 * time.Millisecond,
				behind: 2 * second}
		}, 30 * second, ""},
		"a cache has figures and evidence of different ages": {func(t *testing.T) *world {
			r := rand.New(rand.NewPCG(1, 2))
			ages := map[string]time.Duration{}
			return &world{states: refreshes(t, tokens(3), 10, 30*second), each: 50 * time.Millisecond,
				proxy: func(_ time.Duration, target string) time.Duration {
					if isFresh(target) {
						return 0
					}
					if _, known := ages[target]; !known {
						ages[target] = time.Duration(r.Int64N(int64(2 * minute)))
					}
					return ages[target]
				}}
		}, 3 * minute, ""},
		"the log is signed two seconds after the figures": {func(t *testing.T) *world {
			return &world{states: refreshes(t, tokens(2), 30, 5*second), each: 100 * time.Millisecond,
				behind: 2 * second}
		}, 20 * second, ""},
		"held figures are released": {func(t *testing.T) *world {
			states := refreshes(t, tokens(1), 2, minute)
			held := measure(t, states[0].tokens[0].token, 3*minute)
			states = then(states, 3*minute, func(s *service) { s.tokens[0].state.Status = supply.Held })
			states = then(states, 40*minute, func(s *service) {
				s.decide(supply.Right, "jewel", held.ID, at(40*minute))
				s.publish(s.tokens[0], held, at(3*minute))
			})
			return &world{states: states, each: 100 * time.Millisecond, proxy: cached("/jewel", 90*second)}
		}, 40*minute + 30*second, ""},
		"figures are corrected during the audit": {func(t *testing.T) *world {
			states := refreshes(t, tokens(2), 1, minute)
			states = then(states, 2*minute, func(s *service) { s.correct("jewel", at(2*minute), supply.Wrong) })
			return &world{states: states, each: 100 * time.Millisecond}
		}, 118 * second, ""},
		"a cache has the answers from before a correction": {func(t *testing.T) *world {
			states := refreshes(t, tokens(2), 1, minute)
			states = then(states, 2*minute, func(s *service) { s.correct("jewel", at(2*minute), supply.Wrong) })
			return &world{states: states, each: 10 * time.Millisecond, proxy: cached("/jewel", 100*second)}
		}, 3 * minute, ""},
		"a correction is undone during the audit": {func(t *testing.T) *world {
			states := refreshes(t, tokens(2), 1, minute)
			states = then(states, 2*minute, func(s *service) { s.correct("jewel", at(2*minute), supply.Wrong) })
			states = then(states, 20*minute, func(s *service) { s.correct("jewel", at(20*minute), supply.Right) })
			return &world{states: states, each: 100 * time.Millisecond}
		}, 20*minute - 3*second, ""},
		"two tokens have one symbol, and one is withdrawn": {func(t *testing.T) *world {
			list := tokens(2)
			list[1].Symbol = list[0].Symbol
			s := honest(t, list...)
			return &world{states: []state{{0, s.correct("jewel", at(minute), supply.Wrong)}}}
		}, time.Hour, ""},
		"the service restarts": {func(t *testing.T) *world {
			return &world{states: refreshes(t, tokens(2), 3, minute), each: 100 * time.Millisecond,
				drop: func(now time.Duration, _ string) bool { return now > 62*second && now < 70*second }}
		}, 58 * second, ""},
		"the leader changes, and the next one is three seconds behind": {func(t *testing.T) *world {
			return &world{states: refreshes(t, tokens(2), 10, 10*second), each: 50 * time.Millisecond,
				proxy: func(now time.Duration, target string) time.Duration {
					if int(now/(100*time.Millisecond))%2 == 0 {
						return 3 * second
					}
					return 0
				}}
		}, 35 * second, ""},
		"the key of the log changes": {func(t *testing.T) *world {
			states := refreshes(t, tokens(2), 1, minute)
			states = append(states, state{2 * minute, states[1].restart(at(2*minute), 9)})
			return &world{states: states, each: 100 * time.Millisecond}
		}, 118 * second, "a new log"},
		"the key of the log changed a moment ago, behind a cache": {func(t *testing.T) *world {
			states := refreshes(t, tokens(2), 3, 20*second)
			next := states[3].restart(at(2*minute), 9)
			next.past = map[string]*supply.Evidence{next.tokens[0].state.Snapshot.ID: next.tokens[0].state.Snapshot.Evidence,
				next.tokens[1].state.Snapshot.ID: next.tokens[1].state.Snapshot.Evidence}
			return &world{states: append(states, state{2 * minute, next}), each: 10 * time.Millisecond,
				proxy: cached("/jewel/totalsupply", 100*second)}
		}, 125 * second, "the log began only"},
		"one token fails": {func(t *testing.T) *world {
			states := refreshes(t, tokens(3), 1, minute)
			for i := range 5 {
				now := time.Duration(2+i) * minute
				states = then(states, now, func(s *service) { s.refresh(t, now, "t1", "t2") })
			}
			states = then(states, 8*minute, func(s *service) { s.token("jewel").state.Status = supply.Unavailable })
			return &world{states: states, each: 100 * time.Millisecond}
		}, 8*minute - 4*second, ""},
		"the configuration changes": {func(t *testing.T) *world {
			states := refreshes(t, tokens(2), 1, minute)
			states = then(states, 2*minute, func(s *service) {
				p := s.token("jewel")
				p.token.Name, p.token.MaxSupply = "Another", nil
				p.state.Ledger = p.token.LedgerDocument(p.versions, p.state.Snapshot.LedgerHash)
			})
			states = then(states, 3*minute, func(s *service) { s.refresh(t, 3*minute) })
			return &world{states: states, each: 100 * time.Millisecond, proxy: cached("/jewel", 90*second)}
		}, 3*minute - 3*second, ""},
		"pages and a pet feed stand beside the figures": {func(t *testing.T) *world {
			s := honest(t)
			pets := tokens(1)[0]
			pets.Path, pets.Symbol = "pets", "PETS"
			none := supply.State{Token: &pets, Status: supply.Unavailable, Ledger: pets.LedgerDocument(nil, "")}
			s.tokens = append(s.tokens, &published{token: *none.Token, state: none})
			for _, target := range []string{"/pets", "/pets/", "/pets?q=total", "/pets/?q=burned"} {
				s.answer[target] = "\n<!doctype html>\n<title>5 pets</title>"
			}
			return &world{states: []state{{0, s}}}
		}, time.Hour, ""},
		"the service's clock is 30 s ahead": {
			func(t *testing.T) *world { return skewed(t, 30*second) }, 3 * minute, ""},
		"the service's clock is 30 s behind": {
			func(t *testing.T) *world { return skewed(t, -30*second) }, 3 * minute, ""},
		"a cache in front is slow": {func(t *testing.T) *world {
			return &world{states: refreshes(t, tokens(2), 10, 30*second), each: 2 * second,
				proxy: func(_ time.Duration, target string) time.Duration {
					if strings.HasSuffix(target, "checkpoint") {
						return 5 * second
					}
					return 0
				}}
		}, 3 * minute, ""},
		"a header is dropped by a cache that keeps figures": {func(t *testing.T) *world {
			w := &world{states: refreshes(t, tokens(1), 8, 30*second), proxy: cached("/jewel/totalsupply", 90*second)}
			for i := range w.states {
				w.states[i].tokens[0].bare = true
			}
			return w
		}, 4 * minute, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := race.world(t).audit(t, race.begins)
			if err != nil && (race.unread == "" || !strings.Contains(err.Error(), race.unread)) {
				t.Errorf("%v; tried again: %q", err, r.Retried)
			}
			if fmt.Sprintf("%T", err) == "*audit.Fault" {
				t.Errorf("a fault: %v", err)
			}
		})
	}
}

// cached returns a proxy that keeps the answers below a path for a time.
func cached(below string, age time.Duration) func(time.Duration, string) time.Duration {
	return func(_ time.Duration, target string) time.Duration {
		if strings.HasPrefix(target, below) && !isFresh(target) {
			return age
		}
		return 0
	}
}

// isFresh reports whether caches keep an address for a few seconds only, or cannot have it from before
// it was first asked for.
func isFresh(target string) bool {
	return strings.HasPrefix(target, "/log/") || strings.Contains(target, "snapshot=")
}

func skewed(t *testing.T, ahead time.Duration) *world {
	return &world{states: refreshes(t, tokens(2), 10, 30*time.Second), each: 50 * time.Millisecond, skew: ahead,
		proxy: cached("/", 90*time.Second)}
}
