package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/supply"
	"petsupply/testkit/faultproxy"
	"petsupply/testkit/kingdom"
)

var update = flag.Bool("update", false, "write the table of docs/FAULTS.md")

// An outcome is the effect of a fault on callers. The test waits for it, so the table says what
// really happened.
type outcome string

const (
	figures outcome = "new, correct figures"
	refused outcome = "the last good figure, then 503"
	other   outcome = "correct figures of the fork"
	lied    outcome = "**undetectable**"
)

// A faultCase is a fault that only a real node can have, with two outcomes: if the only provider has
// it, and if two of three have it. If one of three has it, callers always see the true figures.
type faultCase struct {
	name     string
	fault    func(x *faultyService, c *kingdom.Chain, i int) faultproxy.Fault // a new one for each provider
	one, two outcome
	only     string                             // the chain that has the fault; "" for all chains
	twin     func(node string) faultproxy.Fault // instead of fault: a node with other newest blocks
	forged   bool                               // the other blocks are forged, not a fork
	// nothing is false, but the newest blocks of an on-demand chain are missing
	withheld bool
}

// plain returns a fault that is the same for all providers.
func plain(f func() faultproxy.Fault) func(*faultyService, *kingdom.Chain, int) faultproxy.Fault {
	return func(*faultyService, *kingdom.Chain, int) faultproxy.Fault { return f() }
}

var faultCases = []faultCase{
	{name: "the same wrong digit from every faulty node", fault: plain(faultproxy.Digit), one: refused, two: refused},
	{name: "a different wrong digit from each faulty node",
		fault: func(_ *faultyService, _ *kingdom.Chain, i int) faultproxy.Fault { return digit(i) },
		one:   refused, two: refused},
	{name: "values that are suddenly 50 % higher, and stay so",
		fault: plain(func() faultproxy.Fault { return faultproxy.Scale(150) }), one: refused, two: refused},
	{name: "a reorg after the block was chosen and before it is read", one: other, two: other, twin: faultproxy.Switch},
	{name: "an invented block with its own state", twin: faultproxy.OtherChain, forged: true, one: lied, two: lied},
	{name: "a newest block that is withheld, on an on-demand chain", only: "second", withheld: true,
		one: lied, two: lied,
		fault: func(_ *faultyService, c *kingdom.Chain, _ int) faultproxy.Fault {
			newest, _ := c.Height(context.Background()) // on an error newest is 0, a fault that no case expects
			return faultproxy.Behind(newest)
		}},
	{name: "wrong proofs", fault: plain(faultproxy.BadProofs), one: refused, two: figures},
	{name: "no proofs", fault: plain(faultproxy.NoProofs), one: refused, two: figures},
}

// digit changes the last digit of each figure, by a different amount in each node.
func digit(i int) faultproxy.Fault {
	return faultproxy.Lie("one digit changed", func(r faultproxy.Read) []byte {
		if v := new(big.Int).SetBytes(r.Return); len(r.Return) == 32 && v.BitLen() > 64 && v.BitLen() < 128 {
			r.Return[31] ^= byte(1 + i) // only figures with 18 decimals are that long, and hashes are longer
		}
		return r.Return
	})
}

// A result is the outcome of a fault with a number of faulty providers.
type result struct {
	*faultCase
	faulty, of int
	seen       outcome
	wrong      []string
	err        error
}

// TestFaults tries faults on real nodes with 1 of 1, 1 of 3 and 2 of 3 faulty providers, while their
// chains move on and callers request everything. Proofs are required. Every answer must be the true
// figure of a real block, the last good one with its status, or a 503. testkit/simulate tries all
// other faults.
func TestFaults(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newMovingKingdom(t)
	stop := s.move(t.Context())
	with := shortTimings
	with.stale = 6 * time.Second
	with.refuse = 12 * time.Second
	with.proofs = supply.ProofsRequired
	with.onDemand = true
	kinds := [][2]int{{1, 1}, {1, 3}, {2, 3}}
	services := make([]*faultyService, len(kinds))
	results := make([][]result, len(kinds))
	for i, kind := range kinds {
		services[i] = s.faultyService(t, kind[0], kind[1], with).open(t)
	}
	var all sync.WaitGroup
	for i, x := range services {
		all.Go(func() {
			if err := x.awaitRecovery(t.Context()); err != nil || len(x.wrong)+len(x.lies) > 0 {
				t.Errorf("%s, before any fault: %v, %v, %v", x, err, x.wrong, x.lies)
			}
			for c := range faultCases {
				results[i] = append(results[i], x.tryFault(t.Context(), &faultCases[c]))
			}
		})
	}
	all.Wait()
	if err := stop(); err != nil {
		t.Error(err)
	}
	report(t, results)
}

// outcome returns the effect on callers if this many of the providers are faulty.
func (r *faultCase) outcome(faulty, of int) outcome {
	switch {
	case of == 1:
		return r.one
	case faulty == 2:
		return r.two
	}
	return figures
}

// tryFault makes the providers of the service fail, waits until callers see the outcome of the
// case, and ends the fault.
func (x *faultyService) tryFault(ctx context.Context, r *faultCase) result {
	out := result{faultCase: r, faulty: x.faulty, of: x.providers, seen: r.outcome(x.faulty, x.providers)}
	x.reset()
	out.err = x.injectFault(ctx, r, out.seen)
	x.fail(faultproxy.None)
	if out.err == nil && out.seen != figures { // true figures were served all the time
		if err := x.awaitRecovery(ctx); err != nil {
			out.err = fmt.Errorf("after it: %w", err)
		}
	}
	out.wrong = x.wrong
	if out.seen != lied || r.withheld {
		out.wrong = append(out.wrong, x.lies...)
	}
	return out
}

// awaitRecovery waits for new figures of all tokens after the end of the fault.
func (x *faultyService) awaitRecovery(ctx context.Context) error {
	return x.until(ctx, "new figures", x.newer())
}

func (x *faultyService) injectFault(ctx context.Context, r *faultCase, want outcome) error {
	fault := r.fault
	if r.twin != nil {
		twins, err := x.stage.fork(ctx, r.forged)
		if err != nil {
			return err
		}
		fault = func(_ *faultyService, c *kingdom.Chain, _ int) faultproxy.Fault { return r.twin(twins[c.Name]) }
	}
	for _, c := range x.stage.Chains {
		if r.only != "" && r.only != c.Name {
			continue
		}
		for i, p := range x.proxies[c.Name][:x.faulty] {
			p.Set(fault(x, c, i))
		}
	}
	return x.await(ctx, r, want)
}

// await waits until callers have seen the outcome.
func (x *faultyService) await(ctx context.Context, r *faultCase, want outcome) error {
	down := func() bool { return len(x.refused) == len(x.truth.tokens) }
	switch want {
	case figures:
		return errors.Join(x.until(ctx, "new figures", x.newer()), x.until(ctx, "more of them", x.newer()))
	case refused:
		return x.until(ctx, "503", down)
	case other:
		return x.until(ctx, "figures of the fork", func() bool { return x.any(func(v *view) bool { return v.forked }) })
	case lied:
		if r.withheld {
			return x.until(ctx, "figures without the newest block", x.withheld(r.only))
		}
		return x.until(ctx, "the lie", func() bool { return len(x.lies) > 0 })
	}
	return fmt.Errorf("the test cannot recognise the outcome %q", want)
}

// report compares the table with the one in the document, or writes it there with -update.
func report(t *testing.T, results [][]result) {
	var table strings.Builder
	table.WriteString("| fault | 1 of 1 faulty | 1 of 3 | 2 of 3 |\n|---|---|---|---|\n")
	for i, c := range faultCases {
		fmt.Fprintf(&table, "| %s |", c.name)
		for _, list := range results {
			r := list[i]
			name := fmt.Sprintf("%s, %d of %d", r.name, r.faulty, r.of)
			if r.err != nil {
				t.Errorf("%s: %v", name, r.err)
			}
			if len(r.wrong) > 0 {
				some := strings.Join(r.wrong[:min(3, len(r.wrong))], "\n")
				t.Errorf("%s: %d wrong answers, such as\n%s", name, len(r.wrong), some)
			}
			fmt.Fprintf(&table, " %s |", r.seen)
		}
		table.WriteString("\n")
	}
	const file, begin, end = "../../docs/FAULTS.md", "<!-- proofs: begin -->\n", "<!-- proofs: end -->"
	page, err := os.ReadFile(file)
	must(t, err)
	before, rest, _ := strings.Cut(string(page), begin)
	was, after, found := strings.Cut(rest, end)
	switch {
	case !found:
		t.Errorf("%s has no table of faults with proofs", file)
	case was != table.String() && !*update:
		t.Errorf("the table of %s does not say what was seen; run this test with -update\n%s", file, &table)
	case was != table.String() && !t.Failed():
		must(t, os.WriteFile(file, []byte(before+begin+table.String()+end+after), 0o644))
	}
}
