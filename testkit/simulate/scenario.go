// Package simulate runs the service's real code for figures and pets in a model world with faults,
// in virtual time. After every step it checks the rules that must always hold. A Scenario is a world
// with its configuration and its faults. Draw makes one from a seed, Run plays it and returns the
// rule that broke, and Shorten finds the fewest faults that still break the rule.
//
// The answers of providers, and their times, depend only on the scenario, the virtual time and the
// request. So a scenario gives the same trace, except where answers arrive in the same instant.
package simulate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"
)

// A Scenario is everything that a run depends on. StaleAfter, RefuseAfter and HoldFor are in
// seconds.
type Scenario struct {
	Seed        uint64   `json:"seed"`            // seed of latencies and of changes on the chains
	Start       int      `json:"start,omitempty"` // minutes after midnight
	Minutes     int      `json:"minutes"`
	Every       int      `json:"every"` // seconds between refreshes
	StaleAfter  int      `json:"staleAfter"`
	RefuseAfter int      `json:"refuseAfter"`
	HoldFor     int      `json:"holdFor,omitempty"`
	Instances   int      `json:"instances"`
	Busy        int      `json:"busy"`  // seconds between changes of a token, on average
	Slack       int64    `json:"slack"` // slack of bridges, in whole tokens
	Chains      []Chain  `json:"chains"`
	Pets        *PetPlan `json:"pets,omitempty"` // set for a world with pets instead of tokens
	Faults      []Fault  `json:"faults"`
}

// A Chain is the configuration of one chain.
type Chain struct {
	BlockTime int    `json:"blockTime"` // seconds; 0 means that blocks are made on demand
	Finality  string `json:"finality"`
	Depth     uint64 `json:"depth"` // how many blocks finalized is behind latest
	Quorum    int    `json:"quorum"`
	Timeout   int    `json:"timeout"` // seconds
	MaxLag    int    `json:"maxLag"`  // seconds
	Multicall bool   `json:"multicall"`
	// Delays has, for each provider, how many milliseconds after a block's time it has the block.
	// These delays are not faults.
	Delays []int `json:"delays"`
}

// A Fault is something that goes wrong, or that somebody does, from one time to another. From and
// To are in seconds since the start of the run.
type Fault struct {
	Kind     string `json:"kind"`
	From     int    `json:"from"`
	To       int    `json:"to,omitempty"`
	Chain    int    `json:"chain,omitempty"`
	Provider int    `json:"provider,omitempty"`
	Instance int    `json:"instance,omitempty"`
	Token    int    `json:"token,omitempty"`
	Amount   int64  `json:"amount,omitempty"`
}

// The kinds of faults, by what they affect.
var (
	ofProviders = []string{"dead", "hang", "slow", "flaky", "limit", "truncate",
		"lag", "stick", "flap", "claim", "lie", "forget"}
	ofChains    = []string{"reorg", "slowchain"}
	ofInstances = []string{"clock", "before", "after", "restart", "kill", "restore"}
	ofTokens    = []string{"swing", "drip", "jump", "correct", "undo", "ledger", "event"}
)

// liars are the faults that make a provider say something false or outdated.
var liars = []string{"lag", "stick", "flap", "claim", "lie"}

const (
	providers = 3
	// grace is how long after its end a fault may still have an effect, in seconds. A Retry-After
	// can silence a provider for two minutes.
	grace = 150
)

// Draw makes a scenario from a seed: a configuration and a random mix of faults, or the given mix.
func Draw(seed uint64, mix ...string) Scenario {
	r := rand.New(rand.NewPCG(seed, 1))
	s := Scenario{
		Seed: seed, Minutes: pick(r, 50, 70, 110, 160), Every: pick(r, 20, 30, 60, 60),
		StaleAfter: pick(r, 180, 300, 600), RefuseAfter: pick(r, 900, 1200, 1800), Instances: pick(r, 1, 1, 2, 3),
		Busy: pick(r, 30, 90, 300), Slack: pick(r, int64(100), 1000),
	}
	s.HoldFor = pick(r, 60, 120, 600)
	s.Start = pick(r, 0, 23*60, 24*60-s.Minutes/2)
	for range 3 {
		s.Chains = append(s.Chains, drawChain(r))
	}
	kinds := slices.Concat(ofProviders, ofProviders, ofChains, ofInstances, ofInstances, ofTokens)
	kinds = slices.DeleteFunc(kinds, func(kind string) bool { return kind == "event" }) // drawn last
	kinds = pickSome(r, kinds, mix)
	for range 2 + r.IntN(8) {
		s.Faults = append(s.Faults, s.drawFault(r, kinds[r.IntN(len(kinds))]))
	}
	if len(mix) == 0 && r.IntN(3) == 0 {
		s.Faults = append(s.Faults, s.drawFault(r, "event"))
	}
	slices.SortStableFunc(s.Faults, func(a, b Fault) int { return a.From - b.From })
	return s
}

// quiet returns how many seconds without faults there are at the end of a run.
func (s Scenario) quiet() int {
	if s.Pets != nil {
		return 8 * 60
	}
	return 20 * 60
}

// pickSome returns two to seven kinds of faults, or the mix if there is one.
func pickSome(r *rand.Rand, kinds, mix []string) []string {
	r.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
	kinds = kinds[:2+r.IntN(6)]
	if len(mix) > 0 {
		return mix
	}
	return kinds
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func drawChain(r *rand.Rand) Chain {
	c := Chain{BlockTime: pick(r, 0, 0, 1, 1, 2, 5, 12), Depth: uint64(2 + r.IntN(20)),
		Quorum: pick(r, 2, 2, 2, 2, 1, 3), Timeout: pick(r, 2, 5, 10, 25), Multicall: r.IntN(2) == 0}
	c.Finality = pick(r, "latest", "latest", "latest-3", "latest-12", "safe", "finalized")
	if c.BlockTime == 0 {
		c.Finality = "latest"
	}
	c.MaxLag = 60 + 40*max(1, c.BlockTime)
	for range providers {
		delay := r.IntN(400)
		if r.IntN(3) == 0 {
			delay = 500 + r.IntN(2500)
		}
		c.Delays = append(c.Delays, delay)
	}
	return c
}

func (s Scenario) drawFault(r *rand.Rand, kind string) Fault {
	last := s.Minutes*60 - s.quiet()
	f := Fault{Kind: kind, From: 120 + r.IntN(last-240)}
	f.To = min(last, f.From+pick(r, 20, 60, 300, 900, 3600))
	f.Chain = r.IntN(3)
	f.Provider = r.IntN(providers)
	f.Instance = r.IntN(s.Instances)
	f.Token = r.IntN(3)
	switch kind {
	case "slow":
		f.Amount = int64(s.Chains[f.Chain].Timeout) * 1000 * int64(1+r.IntN(12)) / 10
	case "slowchain":
		f.Amount = int64(s.Chains[f.Chain].Timeout) * 1000 * int64(4+r.IntN(6)) / 10
	case "flaky":
		f.Amount = pick(r, int64(20), 50, 90)
	case "limit":
		f.Amount = pick(r, int64(0), 1, 30)
	case "lag", "flap":
		f.Amount = pick(r, int64(2), 5, 30, 600)
	case "claim":
		f.Amount = pick(r, int64(1), 3, 1000, 1<<40)
	case "lie":
		f.Amount = pick(r, int64(1), 1_000_000)
	case "forget":
		f.Amount = pick(r, int64(1), 3, 30)
	case "clock":
		f.Amount = pick(r, int64(-3600), -60, 60, 1800, 36000)
	case "reorg":
		f.Amount = int64(1 + r.IntN(8))
	case "correct":
		f.Amount = pick(r, int64(0), 0, 1) // 0 is the newest snapshot, 1 the one before it
	case "kill":
		f.Amount = pick(r, int64(0), 0, 1, 1) // 0 is before the commit, 1 after it
	case "swing":
		f.Amount = -int64(60 + r.IntN(39)) // thousandths of the supply, which are burned at From and minted again at To
	case "event": // thousandths of the supply that are expected
		f.Token = 0
		f.Amount = pick(r, int64(-300), -150, 150, 600)
	case "jump":
		f.Amount = pick(r, int64(-300), 50, 200, 900)
	}
	return f
}

// at reports whether the fault is active at a time.
func (f Fault) at(since time.Duration) bool {
	return since >= time.Duration(f.From)*time.Second && since < time.Duration(f.To)*time.Second
}

// during reports whether the fault may have an effect between two times.
func (f Fault) during(from, to time.Duration) bool {
	end := max(f.From, f.To) + grace
	switch f.Kind {
	case "reorg", "restart", "ledger":
		end = f.From + grace
	}
	return time.Duration(f.From)*time.Second <= to && time.Duration(end)*time.Second > from
}

func (f Fault) String() string {
	where := fmt.Sprintf("chain %d provider %d", f.Chain, f.Provider)
	switch {
	case slices.Contains(ofChains, f.Kind):
		where = fmt.Sprintf("chain %d", f.Chain)
	case slices.Contains(ofInstances, f.Kind):
		where = fmt.Sprintf("instance %d", f.Instance)
	case slices.Contains(ofTokens, f.Kind):
		where = fmt.Sprintf("token %d", f.Token)
	}
	return fmt.Sprintf("%s of %s from %d to %d s, %d", f.Kind, where, f.From, f.To, f.Amount)
}
