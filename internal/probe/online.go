package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// Audit holds a valid configuration against its chains. It writes what every
// entry says now, with every fault and warning, and returns the number of
// faults.
func Audit(ctx context.Context, cfg *config.Config, chains map[string]*evm.Chain, out io.Writer) (faults int) {
	a := &audit{cfg: cfg, out: out, chains: chains, blocks: map[string]evm.Block{}, away: map[string]bool{}, limits: map[string][]evm.Limits{}}
	for _, name := range slices.Sorted(maps.Keys(chains)) {
		a.checkProviders(ctx, name)
		a.checkChain(ctx, name)
		a.checkLimits(ctx, name)
	}
	a.checkRealms(ctx)
	for i := range cfg.Tokens {
		a.checkToken(ctx, &cfg.Tokens[i])
	}
	a.printCosts(ctx)
	fmt.Fprintf(out, "faults: %d, warnings: %d\n", a.faults, a.warnings)
	return a.faults
}

// checkProviders asks each provider of a chain by itself: a quorum would hide
// one that is of another chain, or not there.
func (a *audit) checkProviders(ctx context.Context, name string) {
	whole := a.cfg.Chains[name].EVM(name)
	if len(whole.Providers) == 1 {
		return // it is the quorum
	}
	for _, p := range whole.Providers {
		alone := whole
		alone.Providers, alone.Quorum = []evm.Provider{p}, 1
		chain, err := evm.Dial(alone, nil)
		if err == nil {
			_, err = reach(ctx, chain)
			chain.Close()
		}
		if err != nil {
			a.fault("chain %s, provider %s: %v", name, p, err)
			a.away[name+" "+p.Name] = true
		}
	}
}

func (a *audit) checkChain(ctx context.Context, name string) {
	block, err := reach(ctx, a.chains[name])
	if err != nil {
		a.fault("chain %s: %v", name, err)
		return
	}
	a.blocks[name] = block
	fmt.Fprintf(a.out, "chain %s is %d, block %d of %s\n", name, a.chains[name].ID(), block.Number, block.Time.Format(time.RFC3339))
}

// checkToken measures one token and prints its entries.
func (a *audit) checkToken(ctx context.Context, t *ledger.Token) {
	a.findDoubles(t)
	if !a.checkCalls(ctx, t) {
		return // what is wrong has been said
	}
	chains := map[string]supply.Chain{}
	for name := range a.blocks {
		chains[name] = a.chains[name]
	}
	r := supply.Measure(ctx, []ledger.Token{*t}, chains, time.Now())[0]
	if errors.Is(r.Err, evm.ErrPruned) {
		a.fault("%v; chains that a bridge joins are read at one moment, that of the slowest: give it a nearer finality, or the others archive nodes", r.Err)
		return
	}
	if r.Err != nil {
		a.fault("%v", r.Err)
		return
	}
	a.checkMoment(t, r.Snapshot.Evidence)
	entries := r.Snapshot.Evidence.Entries
	a.checkProofs(ctx, t, r.Snapshot)
	w := tabwriter.NewWriter(a.out, 0, 8, 2, ' ', 0)
	for _, x := range entries {
		note := ""
		if x.Decimals != t.Decimals {
			note = fmt.Sprintf("%d decimals, published with %d", x.Decimals, t.Decimals)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.Path, x.Entry.Bucket, x.Entry.Label, x.Entry.Chain, x.Amount, note)
	}
	fmt.Fprintf(w, "%s\t\ttotal\t\t%s\t\n%s\t\tcirculating\t\t%s\t\n", t.Path, r.Snapshot.Total, t.Path, r.Snapshot.Circulating)
	w.Flush()
	for _, x := range entries {
		excluded := x.Entry.Bucket == ledger.Burned || x.Entry.Bucket == ledger.Locked || x.Entry.Bucket == ledger.Reserved
		if excluded && x.Amount.Sign() == 0 {
			a.warn("%s: %q holds nothing; is the address right?", t.Path, x.Entry.Label)
		}
	}
}

// checkCalls says whether every read of a token gets a number, and names those
// that do not.
func (a *audit) checkCalls(ctx context.Context, t *ledger.Token) bool {
	before := a.faults
	for _, name := range t.Chains() {
		block, ok := a.blocks[name]
		if !ok {
			return false // that the chain cannot be reached has been said
		}
		var entries []ledger.Entry
		var calls []evm.Call
		var targets []common.Address
		for _, e := range t.Ledger {
			if call, ok, err := e.ChainCall(); ok && err == nil && e.Chain == name {
				call.MayRevert = true
				entries, calls, targets = append(entries, e), append(calls, call), append(targets, call.To)
			}
		}
		words, err := a.chains[name].Read(ctx, block, calls)
		if err != nil {
			a.fault("%s: %v", t.Path, err)
			continue
		}
		codes, err := a.chains[name].Code(ctx, block, targets)
		if err != nil {
			a.fault("reading code on %s: %v", name, err)
			continue
		}
		for i, e := range entries {
			if !calls[i].Balance && len(codes[i]) == 0 {
				a.fault("%s: %s: no contract at %s on %s", t.Path, e.Label, targets[i], name)
			} else if len(words[i]) != 32 {
				a.fault("%s: %q: %s on %s does not answer with a number", t.Path, e.Label, targets[i], name)
			}
		}
	}
	return a.faults == before
}

// findDoubles finds addresses that stand in two buckets of one chain: what they
// hold would be taken away twice. It is only a warning where one is the argument
// of a call, which may tell of something that the balance does not show.
func (a *audit) findDoubles(t *ledger.Token) {
	type mention struct {
		ledger.Entry
		argument bool
	}
	seen := map[string]mention{}
	for _, e := range t.Ledger {
		for i, text := range append([]string{e.Holder, e.Native}, e.Args...) {
			at, err := ledger.ParseAddress(text)
			if err != nil {
				continue // empty, or no address
			}
			now, key := mention{e, i > 1}, e.Chain+at.Hex()
			before, known := seen[key]
			seen[key] = now
			if !known || before.Bucket == e.Bucket {
				continue
			}
			say := a.fault
			if before.argument || now.argument {
				say = a.warn
			}
			say("%s: %s is %s as %q and %s as %q on %s", t.Path, at, before.Bucket, before.Label, e.Bucket, e.Label, e.Chain)
		}
	}
}
