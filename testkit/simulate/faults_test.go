package simulate

import (
	"flag"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
	"petsupply/internal/world"
	"petsupply/testkit/faultproxy"
)

var update = flag.Bool("update", false, "write the table of docs/FAULTS.md")

// A faultCase is one row of the table: a fault of providers. It is tried with one provider, which
// has the fault, and with three, of which one or two have it.
type faultCase struct {
	name  string
	fault func(x *faultTrial, chain, provider int) faultproxy.Fault // a new one for each provider
	only  int                                                       // the number of the one faulty chain; 0 means all
	// short is set if held figures are released while the fault lasts.
	short bool
	// onDemand is set if the second chain makes blocks on demand.
	onDemand bool
}

// plain is a fault that is the same for all providers.
func plain(f func() faultproxy.Fault) func(*faultTrial, int, int) faultproxy.Fault {
	return func(*faultTrial, int, int) faultproxy.Fault { return f() }
}

// given is plain for a fault with an argument.
func given[T any](f func(T) faultproxy.Fault, arg T) func(*faultTrial, int, int) faultproxy.Fault {
	return func(*faultTrial, int, int) faultproxy.Fault { return f(arg) }
}

// neighbour is the URL of another chain, with contracts at the same addresses.
func neighbour(chain int) string { return "http://" + names[(chain+1)%3] }

var faultCases = []faultCase{
	{name: "connection refused", fault: plain(faultproxy.Refused)},
	{name: "no answer", fault: plain(faultproxy.Hang)},
	{name: "an answer that comes byte by byte", fault: given(faultproxy.Drip, 100*time.Millisecond)},
	{name: "an answer that is cut off in the middle", fault: plain(faultproxy.CutOff)},
	{name: "status 429 with HTML", fault: plain(faultproxy.TooMany)},
	{name: "status 500", fault: plain(faultproxy.Broken)},
	{name: "truncated JSON", fault: plain(faultproxy.Truncated)},
	{name: "an answer with an id that was not sent", fault: plain(faultproxy.WrongID)},
	{name: "JSON-RPC error", fault: plain(faultproxy.RPCError)},
	{name: "state of an older block, whatever block was requested", fault: given(faultproxy.TagOlder, uint64(15))},
	{name: "a node that is hours behind", fault: func(x *faultTrial, chain, _ int) faultproxy.Fault {
		return faultproxy.Behind(x.newest(chain) - 3600)
	}},
	{name: "answers of another chain", fault: func(_ *faultTrial, chain, _ int) faultproxy.Fault {
		return faultproxy.OtherChain(neighbour(chain))
	}},
	{name: "state of another chain with correct headers", fault: func(_ *faultTrial, chain, _ int) faultproxy.Fault {
		return faultproxy.OtherReads(neighbour(chain))
	}},
	{name: "empty returns (`0x`), at random", fault: given(faultproxy.Empty, 4)},
	{name: "empty returns (`0x`), always", fault: given(faultproxy.Empty, 1)},
	{name: "the same wrong digit from every faulty node", fault: plain(faultproxy.Digit)},
	{name: "a different wrong digit from each faulty node", fault: func(_ *faultTrial, _, provider int) faultproxy.Fault {
		return faultproxy.Lie("one digit changed", func(r faultproxy.Read) []byte {
			if v := new(big.Int).SetBytes(r.Return); len(r.Return) == 32 && v.BitLen() > 32 && v.BitLen() < 128 {
				r.Return[31] ^= byte(1 + provider)
			}
			return r.Return
		})
	}},
	{name: "block tag `finalized` not supported", fault: plain(faultproxy.NoFinalized)},
	{name: "other decimals than before", fault: given(faultproxy.Decimals, byte(8))},
	{name: "a balance above the total supply", fault: plain(faultproxy.BalanceAboveTotal)},
	{name: "values that are suddenly 50 % higher", fault: given(faultproxy.Scale, int64(150))},
	{name: "values that are suddenly 50 % lower", fault: given(faultproxy.Scale, int64(50))},
	{name: "values that are suddenly 50 % higher, and stay so",
		fault: given(faultproxy.Scale, int64(150)), short: true},
	{name: "a newest block that is withheld, on an on-demand chain", only: 1, onDemand: true,
		fault: func(x *faultTrial, chain, _ int) faultproxy.Fault { return faultproxy.Behind(x.newest(chain)) }},
	{name: "connection refused on one of three chains", fault: plain(faultproxy.Refused), only: 1},
	{name: "status 500 for a while",
		fault: func(*faultTrial, int, int) faultproxy.Fault { return faultproxy.Times(20, faultproxy.Broken()) }},
}

// TestFaults tries every fault in virtual time, while the chains move on. Every figure must be the
// true one of a real block, except where the document says that a lie is believed. After the fault,
// new figures must follow.
func TestFaults(t *testing.T) {
	var rows []string               // what callers saw, in the order of the faults
	faults := map[string][]string{} // by row
	for _, c := range faultCases {
		row := ""
		for _, way := range []struct{ faulty, of int }{{1, 1}, {1, 3}, {2, 3}} {
			row += " | " + c.try(t, way.faulty, way.of)
		}
		if faults[row] == nil {
			rows = append(rows, row)
		}
		faults[row] = append(faults[row], c.name)
	}
	var table strings.Builder
	table.WriteString("| fault | 1 of 1 faulty | 1 of 3 | 2 of 3 |\n|---|---|---|---|\n")
	for _, row := range rows {
		fmt.Fprintf(&table, "| %s%s |\n", strings.Join(faults[row], "<br>"), row)
	}
	const file, begin, end = "../../docs/FAULTS.md", "<!-- faults: begin -->\n", "<!-- faults: end -->"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(page), begin)
	was, after, found := strings.Cut(rest, end)
	switch {
	case !found:
		t.Errorf("%s has no table of faults", file)
	case was != table.String() && !*update:
		t.Errorf("the table of %s does not say what was seen; run this test with -update\n%s", file, &table)
	case was != table.String():
		if err := os.WriteFile(file, []byte(before+begin+table.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A faultTrial is a service whose providers can be made to fail.
type faultTrial struct {
	*run
	t       *testing.T
	service *instance
	proxies [3][]*faultproxy.Proxy

	lies    []string
	held    bool
	late    bool            // a refresh gave no new figure of some token
	refused map[string]bool // tokens that were unavailable
	current map[string]bool // tokens that the last refresh confirmed
}

const refreshEvery = 20 * time.Second

// try returns what callers see of the fault.
func (c *faultCase) try(t *testing.T, faulty, of int) (seen string) {
	what := fmt.Sprintf("%s, %d of %d", c.name, faulty, of)
	dir := storeDirectory(t)
	defer os.RemoveAll(dir)
	synctest.Test(t, func(t *testing.T) {
		x := c.begin(t, dir, of)
		defer x.end()
		if x.refresh(5); !x.allCurrent() {
			t.Errorf("%s: before it there are no figures", what)
		}
		x.forget()
		for chain, proxies := range x.proxies {
			for i, p := range proxies[:faulty] {
				if c.only == 0 || c.only == chain {
					p.Set(c.fault(x, chain, i))
				}
			}
		}
		x.refresh(20)
		seen = x.seen()
		for _, proxies := range x.proxies {
			for _, p := range proxies {
				p.Set(faultproxy.None())
			}
		}
		x.refresh(12)
		x.forget()
		if x.refresh(2); !x.allCurrent() || len(x.lies) > 0 {
			t.Errorf("%s: after it there are no new figures; %v", what, x.lies)
		}
	})
	return seen
}

// begin starts a service with this many providers for each of three chains.
func (c *faultCase) begin(t *testing.T, dir string, providers int) *faultTrial {
	s := Scenario{Seed: 3, Minutes: 30, Every: int(refreshEvery.Seconds()), StaleAfter: 60, RefuseAfter: 120,
		HoldFor:   3600,
		Instances: 1, Busy: 30, Slack: 1000}
	if c.short {
		s.HoldFor = 120
	}
	for i := range 3 {
		chain := Chain{BlockTime: 2, Finality: "finalized", Depth: 5, Quorum: providers/2 + 1, Timeout: 5, MaxLag: 140,
			Multicall: true, Delays: []int{100, 200, 300}}
		if c.onDemand && i == 1 {
			chain.BlockTime = 0
			chain.Finality = "latest"
		}
		s.Chains = append(s.Chains, chain)
	}
	x := &faultTrial{t: t, run: newRun(s, dir)}
	x.forget()
	x.service = x.open(t.Context(), 0)
	nodes := world.Nodes{}
	for i := range s.Chains {
		nodes[names[i]] = &node{kingdom: x.kingdom, chain: i, asked: &x.asked}
	}
	for i := range s.Chains {
		x.service.chains[names[i]].Close()
		x.service.chains[names[i]] = x.through(i, providers, nodes)
	}
	if _, err := x.service.db.Campaign(t.Context(), "trial", 24*time.Hour); err != nil {
		t.Fatal(err)
	}
	x.service.refresher = x.refresher(x.service)
	return x
}

// through dials a chain through proxies.
func (x *faultTrial) through(i, providers int, nodes world.Nodes) *evm.Chain {
	proxies := map[string]http.RoundTripper{}
	cfg := x.config(0, i, x.Chains[i])
	for p := range providers {
		name := fmt.Sprintf("%s-%d", names[i], p)
		proxy := faultproxy.Around("http://"+names[i], nodes)
		proxies[name] = proxy
		x.proxies[i] = append(x.proxies[i], proxy)
		cfg.Providers = append(cfg.Providers, evm.Provider{Name: name, URL: "http://" + name})
	}
	cfg.Transport = world.Nodes(proxies)
	chain, err := evm.Dial(cfg, x.log)
	if err != nil {
		x.t.Fatal(err)
	}
	return chain
}

func (x *faultTrial) end() {
	x.service.close()
	time.Sleep(2 * time.Hour) // wait for reads that go on after their callers have left
}

// newest returns the newest block of a chain.
func (x *faultTrial) newest(chain int) uint64 { return x.chains[chain].Blocks.Newest(time.Now()) }

func (x *faultTrial) forget() {
	x.lies = nil
	x.held = false
	x.late = false
	x.refused = map[string]bool{}
	x.current = map[string]bool{}
}

// refresh lets the service measure some times, and looks at all figures after each.
func (x *faultTrial) refresh(times int) {
	for range times {
		from := x.since()
		began := time.Now()
		x.service.refresher.Step(x.t.Context()) // its error shows in the figures
		for _, s := range x.service.states(x.run) {
			x.look(s, from, began)
		}
		time.Sleep(max(0, refreshEvery-(x.since()-from)))
	}
}

func (x *faultTrial) look(s supply.State, from time.Duration, began time.Time) {
	token := s.Token.Path
	x.current[token] = !s.Confirmed.Before(began)
	x.late = x.late || !x.current[token]
	x.held = x.held || s.Hold != nil
	if !s.Available() {
		x.refused[token] = true
		return
	}
	if !x.current[token] || s.Hold != nil {
		return // it was looked at when it was published
	}
	truth, err := x.figures(s.Snapshot, from)
	if err != nil || !truth.Equal(s.Snapshot.Figures) {
		x.lies = append(x.lies, fmt.Sprintf("%s is %v, in truth %v (%v)", token, s.Snapshot.Figures, truth, err))
	}
	for _, b := range s.Snapshot.Blocks {
		chain := x.chains[slices.Index(names, b.Chain)]
		if b.OnDemand && chain.Blocks.Newest(s.Snapshot.AsOf.Add(-time.Second)) > b.Number {
			x.lies = append(x.lies,
				fmt.Sprintf("%s is of block %d of %s, which has newer ones", token, b.Number, b.Chain))
		}
	}
}

// allCurrent reports whether the last refresh confirmed every token.
func (x *faultTrial) allCurrent() bool {
	return !slices.ContainsFunc(x.tokens, func(t ledger.Token) bool { return !x.current[t.Path] })
}

// seen says what callers saw since forget.
func (x *faultTrial) seen() string {
	back := 0
	for _, is := range x.current {
		if is {
			back++
		}
	}
	switch refused := len(x.refused); {
	case len(x.lies) > 0:
		return "**believed**"
	case x.held:
		return "the last good figure, marked `held`, then 503"
	case refused == len(x.tokens) && x.allCurrent():
		return "the last good figure, then 503, then new, correct figures"
	case refused == len(x.tokens):
		return "the last good figure, then 503"
	case refused > 0 && back == len(x.tokens)-refused:
		return "the last good figure, then 503; new, correct figures for tokens that are not affected"
	case refused > 0:
		return "correct figures, then 503"
	case x.late:
		return "correct figures, some late"
	}
	return "new, correct figures"
}
