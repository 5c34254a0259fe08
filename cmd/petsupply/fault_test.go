package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/internal/supply"
	"petsupply/testkit/faultproxy"
	"petsupply/testkit/kingdom"
)

var update = flag.Bool("update", false, "write the tables of docs/FAULTS.md")

// An outcome is the effect of a fault on callers. The test waits for it, so the table says what
// really happened.
type outcome string

const (
	figures outcome = "new, correct figures"
	refused outcome = "the last good figure, then 503"
	partly  outcome = "the last good figure, then 503; new, correct figures for tokens without that chain"
	holding outcome = "the last good figure, marked `held`"
	chance  outcome = "correct figures, some late"
	other   outcome = "correct figures of the fork"
	back    outcome = "the last good figure, then 503, then new, correct figures"
	lied    outcome = "**undetectable**"
	doubted outcome = "**believed**, unless proofs are required"
)

// A faultCase is a fault with two outcomes: if the only provider has it, and if two of three have
// it. If one of three has it, callers always see the true figures.
type faultCase struct {
	name     string
	fault    func(x *faultyService, c *kingdom.Chain, i int) faultproxy.Fault // a new one for each provider
	one, two outcome
	required [2]outcome                         // the same two outcomes if proofs are required; empty if not tried
	only     string                             // the chain that has the fault; "" for all chains
	twin     func(node string) faultproxy.Fault // instead of fault: a node with other newest blocks
	forged   bool                               // the other blocks are forged, not a fork
	// nothing is false, but the newest blocks of an on-demand chain are missing
	withheld bool
	lasts    bool   // it continues until the time releases the held figure
	narrow   string // a check that makes such a lie less likely
}

// plain returns a fault that is the same for all providers.
func plain(f func() faultproxy.Fault) func(*faultyService, *kingdom.Chain, int) faultproxy.Fault {
	return func(*faultyService, *kingdom.Chain, int) faultproxy.Fault { return f() }
}

// atHome returns a fault of all chains but the third, which has only a small part of two tokens. A
// measurement at the end of the fault may see the lie of one chain alone. A lie of the third chain
// alone would be a small change, which the service believes.
func atHome(f faultproxy.Fault) func(*faultyService, *kingdom.Chain, int) faultproxy.Fault {
	return func(_ *faultyService, c *kingdom.Chain, _ int) faultproxy.Fault {
		if c.Name == "third" {
			return faultproxy.None()
		}
		return f
	}
}

// next returns the URL of another chain, with contracts at the same addresses.
func next(x *faultyService, c *kingdom.Chain) string {
	i := slices.Index(x.stage.Chains, c)
	return x.stage.Chains[(i+1)%len(x.stage.Chains)].URL
}

const (
	another = "Add a second provider. It would give another answer."
	more    = "Use more independent providers. With five, three must agree."
	proofs  = "Set `proofs: required`. Every read is then proven against the block's state root."
)

var faultCases = []faultCase{
	{name: "connection refused", fault: plain(faultproxy.Refused), one: refused, two: refused},
	{name: "no answer", fault: plain(faultproxy.Hang), one: refused, two: refused},
	{name: "an answer that comes byte by byte",
		fault: plain(func() faultproxy.Fault { return faultproxy.Drip(10 * time.Millisecond) }),
		one:   refused, two: refused},
	{name: "an answer that is cut off in the middle", fault: plain(faultproxy.CutOff), one: refused, two: refused},
	{name: "status 429 with HTML", fault: plain(faultproxy.TooMany), one: refused, two: refused},
	{name: "status 500", fault: plain(faultproxy.Broken), one: refused, two: refused},
	{name: "truncated JSON", fault: plain(faultproxy.Truncated), one: refused, two: refused},
	{name: "an answer with an id that was not sent", fault: plain(faultproxy.WrongID), one: refused, two: refused},
	{name: "JSON-RPC error", fault: plain(faultproxy.RPCError), one: refused, two: refused},
	{name: "an answer of 200 MB",
		fault: plain(func() faultproxy.Fault { return faultproxy.Huge(200 << 20) }), one: refused,
		two: refused},
	{name: "state of the newest block, whatever block was requested",
		fault: plain(func() faultproxy.Fault { return faultproxy.TagOlder(0) }), one: refused, two: refused},
	{name: "state of an older block, whatever block was requested",
		fault: plain(func() faultproxy.Fault { return faultproxy.TagOlder(5) }),
		one:   refused, two: refused},
	{name: "a node that is hours behind", one: refused, two: refused,
		fault: func(_ *faultyService, c *kingdom.Chain, _ int) faultproxy.Fault { return faultproxy.Behind(c.Old) }},
	{name: "answers of another chain", one: refused, two: refused,
		fault: func(x *faultyService, c *kingdom.Chain, _ int) faultproxy.Fault {
			return faultproxy.OtherChain(next(x, c))
		}},
	{name: "state of another chain with correct headers", one: refused, two: refused,
		fault: func(x *faultyService, c *kingdom.Chain, _ int) faultproxy.Fault {
			return faultproxy.OtherReads(next(x, c))
		}},
	{name: "empty returns (`0x`), at random",
		fault: plain(func() faultproxy.Fault { return faultproxy.Empty(3) }), one: chance, two: chance},
	{name: "empty returns (`0x`), always",
		fault: plain(func() faultproxy.Fault { return faultproxy.Empty(1) }), one: refused, two: refused},
	{name: "the same wrong digit from every faulty node", fault: plain(faultproxy.Digit), one: lied, two: lied,
		required: [2]outcome{refused, refused}, narrow: proofs + " " + more},
	{name: "a different wrong digit from each faulty node",
		fault: func(_ *faultyService, _ *kingdom.Chain, i int) faultproxy.Fault { return digit(i) },
		one:   lied, two: refused, required: [2]outcome{refused, refused}, narrow: proofs + " " + another},
	{name: "block tag `finalized` not supported", fault: plain(faultproxy.NoFinalized), one: refused, two: refused},
	{name: "a reorg after the block was chosen and before it is read", one: other, two: other, twin: faultproxy.Switch},
	{name: "other decimals than before",
		fault: plain(func() faultproxy.Fault { return faultproxy.Decimals(6) }), one: refused,
		two: refused},
	{name: "a balance above the total supply", fault: plain(faultproxy.BalanceAboveTotal), one: refused, two: refused},
	{name: "values that are suddenly 50 % higher",
		fault: atHome(faultproxy.Scale(150)), one: holding, two: holding},
	{name: "values that are suddenly 50 % lower",
		fault: atHome(faultproxy.Scale(50)), one: holding, two: holding},
	{name: "values that are suddenly 50 % higher, and stay so",
		fault: plain(func() faultproxy.Fault { return faultproxy.Scale(150) }), one: lied, two: lied,
		required: [2]outcome{refused, refused}, lasts: true,
		narrow: proofs + " Set `release: by-hand`, which waits for an operator. Choose a longer `hold_for` (12s in " +
			"this test), so that an operator has more time. " + more},
	{name: "an invented block with its own state", twin: faultproxy.OtherChain, forged: true, one: lied, two: lied,
		required: [2]outcome{lied, lied},
		narrow:   more + " Run `verify --block` with the block's hash from another source."},
	{name: "a newest block that is withheld, on an on-demand chain", only: "second", withheld: true, one: lied, two: lied,
		fault: func(_ *faultyService, c *kingdom.Chain, _ int) faultproxy.Fault {
			newest, _ := c.Height(context.Background()) // on an error newest is 0, a fault that no case expects
			return faultproxy.Behind(newest)
		},
		required: [2]outcome{lied, lied},
		narrow: more + " If the chain makes blocks all the time, set `blocks: steady`. The service then refuses a " +
			"newest block older than `max_lag`."},
	{name: "wrong proofs", fault: plain(faultproxy.BadProofs), one: figures, two: figures,
		required: [2]outcome{refused, figures}},
	{name: "no proofs", fault: plain(faultproxy.NoProofs), one: figures, two: figures,
		required: [2]outcome{refused, figures}},
	{name: "connection refused on one of three chains",
		fault: plain(faultproxy.Refused), only: "second", one: partly, two: partly},
	{name: "status 500 for a while", one: back, two: back,
		fault: plain(func() faultproxy.Fault { return faultproxy.Times(12, faultproxy.Broken()) })},
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
	faultCase       *faultCase
	faulty, of      int
	required        bool // proofs are required
	seen            outcome
	answers, missed int
	wrong           []string
	err             error
}

// TestFaults tries every fault with 1 of 1, 1 of 3 and 2 of 3 faulty providers, on real nodes,
// while their chains move on and callers request everything. If a quorum could lie, it tries the
// fault again with proofs required. Every answer must be the true figure of a real block, the last
// good one with its status, or a 503.
func TestFaults(t *testing.T) {
	t.Parallel() // it mostly waits
	s := newMovingKingdom(t)
	stop := s.move(t.Context())
	workers := s.workers(t)
	results := make([][]result, len(workers))
	var all sync.WaitGroup
	for i, l := range workers {
		all.Go(func() {
			x := l.faultyService
			if err := x.awaitRecovery(t.Context()); err != nil || len(x.wrong)+len(x.lies) > 0 {
				t.Errorf("%s, before any fault: %v, %v, %v", x, err, x.wrong, x.lies)
			}
			for _, r := range l.faultCases {
				results[i] = append(results[i], x.tryFault(t.Context(), r))
			}
			if i%perKind != 0 { // one of each kind is enough for the next step
				if code := x.stop(); code != exitOK {
					t.Errorf("%s ended with %d:\n%s", x, code, x.out)
				}
			}
		})
	}
	all.Wait()
	if err := stop(); err != nil {
		t.Error(err)
	}
	for i := 0; i < len(workers); i += perKind {
		compareWithKingdom(t, s, workers[i].faultyService)
	}
	report(t, slices.Concat(results...))
}

const (
	hasty   = 2         // this many services of each kind have short timings
	perKind = hasty + 2 // plus a patient one, and one that requires proofs
)

// A worker is a service and the cases that it tries, one after the other.
type worker struct {
	*faultyService
	faultCases []*faultCase
}

// workers starts services of each kind, and divides the cases among them. Cases in which figures
// must be refused need short timings. With the patient service, even a slow machine sees a case
// before figures are refused or confirmed.
func (s *movingKingdom) workers(t *testing.T) (out []worker) {
	const patient = hasty // the service after the hasty ones
	slow := shortTimings
	slow.stale, slow.refuse, slow.holdFor, slow.onDemand = 20*time.Second, 40*time.Second, time.Hour, true
	required := shortTimings
	required.stale, required.refuse, required.proofs, required.onDemand = 6*time.Second, 12*time.Second,
		supply.ProofsRequired, true
	for _, kind := range [][2]int{{1, 1}, {1, 3}, {2, 3}} {
		strict := worker{faultyService: s.faultyService(t, kind[0], kind[1], required).open(t)}
		own := make([]worker, perKind-1)
		for i := range own {
			with := shortTimings
			if i == patient {
				with = slow
			}
			own[i].faultyService = s.faultyService(t, kind[0], kind[1], with).open(t)
		}
		for i := range faultCases {
			r := &faultCases[i]
			n := i % len(own) // not the patient service, where "a node that is hours behind" is no fault
			switch r.outcome(kind[0], kind[1], false) {
			case holding, lied, other:
				n = patient
				if r.lasts {
					n = i % hasty
				}
			case refused, partly, back:
				n = i % hasty
			}
			if r.withheld {
				n = patient // the service with the on-demand chain
			}
			own[n].faultCases = append(own[n].faultCases, r)
			if r.required[0] != "" {
				strict.faultCases = append(strict.faultCases, r)
			}
		}
		out = append(append(out, own...), strict)
	}
	return out
}

// outcome returns the effect on callers if this many of the providers are faulty.
func (r *faultCase) outcome(faulty, of int, required bool) outcome {
	want := [2]outcome{r.one, r.two}
	if required {
		want = r.required
	}
	switch {
	case of == 1:
		return want[0]
	case faulty == 2:
		return want[1]
	}
	return figures
}

// tryFault makes the providers of the service fail, waits until callers see the outcome of the
// case, and ends the fault.
func (x *faultyService) tryFault(ctx context.Context, r *faultCase) result {
	out := result{faultCase: r, faulty: x.faulty, of: x.providers, required: x.timings.proofs == supply.ProofsRequired}
	out.seen = r.outcome(x.faulty, x.providers, out.required)
	x.reset()
	out.err = x.injectFault(ctx, r, out.seen)
	out.err = errors.Join(out.err, x.fail(faultproxy.None))
	if out.err == nil && out.seen != figures { // true figures were served all the time
		if out.err = x.awaitRecovery(ctx); out.err != nil {
			out.err = fmt.Errorf("after it: %w", out.err)
		}
	}
	out.answers, out.missed, out.wrong = x.answers, x.missed, x.wrong
	if out.seen != lied || r.withheld {
		out.wrong = append(out.wrong, x.lies...)
	}
	return out
}

// awaitRecovery waits for new figures of all tokens after the end of the fault.
func (x *faultyService) awaitRecovery(ctx context.Context) error {
	return x.until(ctx, "new figures", x.newer(nil))
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
			if err := p.Set(fault(x, c, i)); err != nil {
				return err
			}
		}
	}
	return x.await(ctx, r, want)
}

// await waits until callers have seen the outcome.
func (x *faultyService) await(ctx context.Context, r *faultCase, want outcome) error {
	needs := func(path string) bool {
		token := x.truth.tokens[path]
		return r.only == "" || slices.Contains(token.Chains(), r.only)
	}
	some := func(of map[string]bool) func() bool {
		return func() bool { return len(of) > 0 }
	}
	down := func() bool {
		for path := range x.truth.tokens {
			if needs(path) && !x.refused[path] {
				return false
			}
		}
		return true
	}
	switch want {
	case figures:
		return errors.Join(x.until(ctx, "new figures", x.newer(nil)), x.until(ctx, "more of them", x.newer(nil)))
	case refused:
		return x.until(ctx, "503", down)
	case partly:
		return errors.Join(x.until(ctx, "503", down), x.until(ctx, "new figures of the others", x.newer(needs)))
	case holding:
		return x.until(ctx, "held", some(trueOnly(x.held)))
	case chance:
		return x.until(ctx, "four refreshes", x.refreshed(ctx, 4))
	case back:
		return errors.Join(x.until(ctx, "503", down), x.until(ctx, "new figures", x.newer(nil)))
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

// report prints the table, and compares it with the one in the documents.
func report(t *testing.T, results []result) {
	wrong, answers, missed := 0, 0, 0
	for _, r := range results {
		name := fmt.Sprintf("%s, %d of %d, proofs required: %t", r.faultCase.name, r.faulty, r.of, r.required)
		if r.err != nil {
			t.Errorf("%s: %v", name, r.err)
		}
		if len(r.wrong) > 0 {
			t.Errorf("%s: %d wrong answers, such as\n%s", name, len(r.wrong), strings.Join(r.wrong[:min(3, len(r.wrong))], "\n"))
		}
		wrong, answers, missed = wrong+len(r.wrong), answers+r.answers, missed+r.missed
	}
	text := faultTable(results)
	t.Logf("\n%s\n%d answers were checked (%d more had gone before their document was seen).", text, answers-missed,
		missed)
	t.Logf("tried %d faults: %d wrong answers", len(results), wrong)
	if !t.Failed() {
		section(t, "faults", text)
	}
}
