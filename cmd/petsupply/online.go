package main

import (
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/supply"
)

// An audit asks the chains whether a configuration is true of them.
type audit struct {
	*program
	cfg      *config.Config
	chains   map[string]*evm.Chain
	blocks   map[string]evm.Block
	faults   int
	warnings int
}

// checkOnline holds a valid configuration against its chains, and prints what
// every entry says now. Exit code 1 if something cannot be right.
func (p *program) checkOnline(cfg *config.Config) error {
	a := &audit{program: p, cfg: cfg, chains: map[string]*evm.Chain{}, blocks: map[string]evm.Block{}}
	for _, name := range slices.Sorted(maps.Keys(cfg.Chains)) {
		if len(cfg.Chains[name].RPC) == 0 {
			continue
		}
		chain, err := evm.Dial(cfg.Chains[name].EVM(name), nil)
		if err != nil {
			return usageError{err}
		}
		defer chain.Close()
		a.chains[name] = chain
		a.providers(name)
		a.height(name)
	}
	a.code()
	for i := range cfg.Tokens {
		a.token(&cfg.Tokens[i])
	}
	fmt.Fprintf(p.stdout, "faults: %d, warnings: %d\n", a.faults, a.warnings)
	if a.faults > 0 {
		return errNo
	}
	return nil
}

func (a *audit) fault(format string, args ...any) {
	a.faults++
	fmt.Fprintf(a.stdout, "FAULT    "+format+"\n", args...)
}

func (a *audit) warn(format string, args ...any) {
	a.warnings++
	fmt.Fprintf(a.stdout, "warning  "+format+"\n", args...)
}

// providers asks each provider of a chain by itself: a quorum would hide one
// that is of another chain, or not there.
func (a *audit) providers(name string) {
	whole := a.cfg.Chains[name].EVM(name)
	if len(whole.Providers) == 1 {
		return // it is the quorum
	}
	for _, p := range whole.Providers {
		alone := whole
		alone.Providers, alone.Quorum = []evm.Provider{p}, 1
		chain, err := evm.Dial(alone, nil)
		if err == nil {
			_, err = a.reach(chain)
			chain.Close()
		}
		if err != nil {
			a.fault("chain %s, provider %s: %v", name, p, err)
		}
	}
}

// reach pins a chain, which proves its id, its finality and its quorum.
func (a *audit) reach(c *evm.Chain) (evm.Block, error) {
	block, err := c.Pin(a.ctx, time.Time{})
	if err == nil { // a read says itself which chain it comes from
		_, err = c.Read(a.ctx, block, []evm.Call{{To: common.Address{1}, Balance: true}})
	}
	return block, err
}

func (a *audit) height(name string) {
	block, err := a.reach(a.chains[name])
	if err != nil {
		a.fault("chain %s: %v", name, err)
		return
	}
	a.blocks[name] = block
	fmt.Fprintf(a.stdout, "chain %s is %d, block %d of %s\n", name, a.chains[name].ID(), block.Number, block.Time.Format(time.RFC3339))
}

// code demands a contract at every address that is called.
func (a *audit) code() {
	want := map[string][]common.Address{}
	what := map[string]string{}
	add := func(chain string, addr common.Address, name string) {
		key := chain + addr.Hex()
		if _, ok := what[key]; !ok {
			want[chain] = append(want[chain], addr)
		}
		what[key] = name
	}
	for _, t := range a.cfg.Tokens {
		for _, e := range t.Ledger {
			if call, ok, err := e.Read(); ok && err == nil && !call.Balance {
				add(e.Chain, call.To, t.Path+": "+e.Label)
			}
		}
	}
	for _, r := range a.cfg.Realms {
		if !r.Closed {
			add(r.Chain, r.Contract, "realm "+r.Key)
		}
	}
	for _, chain := range slices.Sorted(maps.Keys(want)) {
		addrs := want[chain]
		block, ok := a.blocks[chain]
		if !ok {
			continue
		}
		codes, err := a.chains[chain].Code(a.ctx, block, addrs)
		if err != nil {
			a.fault("reading code on %s: %v", chain, err)
			continue
		}
		for i, addr := range addrs {
			if len(codes[i]) == 0 {
				a.fault("%s: no contract at %s on %s", what[chain+addr.Hex()], addr, chain)
			}
		}
	}
}

// token measures one token and prints its entries.
func (a *audit) token(t *supply.Token) {
	a.twice(t)
	if !a.answers(t) {
		return // what is wrong has been said
	}
	chains := map[string]supply.Chain{}
	for name := range a.blocks {
		chains[name] = a.chains[name]
	}
	r := supply.Measure(a.ctx, []supply.Token{*t}, chains, time.Now())[0]
	if r.Err != nil {
		a.fault("%v", r.Err)
		return
	}
	w := tabwriter.NewWriter(a.stdout, 0, 8, 2, ' ', 0)
	for _, x := range r.Snapshot.Evidence.Entries {
		note := ""
		if x.Decimals != t.Decimals {
			note = fmt.Sprintf("%d decimals, published with %d", x.Decimals, t.Decimals)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", t.Path, x.Entry.Bucket, x.Entry.Label, x.Entry.Chain, x.Amount, note)
	}
	fmt.Fprintf(w, "%s\t\ttotal\t\t%s\t\n%s\t\tcirculating\t\t%s\t\n", t.Path, r.Snapshot.Total, t.Path, r.Snapshot.Circulating)
	w.Flush()
	for _, x := range r.Snapshot.Evidence.Entries {
		excluded := x.Entry.Bucket == supply.Burned || x.Entry.Bucket == supply.Locked || x.Entry.Bucket == supply.Reserved
		if excluded && x.Amount.Sign() == 0 {
			a.warn("%s: %q holds nothing; is the address right?", t.Path, x.Entry.Label)
		}
	}
}

// answers says whether every call of a token gets a number, and names those
// that do not.
func (a *audit) answers(t *supply.Token) bool {
	fine := true
	for _, name := range t.Chains() {
		block, ok := a.blocks[name]
		if !ok {
			fine = false // the chain is at fault
			continue
		}
		var asked []supply.Entry
		var calls []evm.Call
		for _, e := range t.Ledger {
			if call, ok, err := e.Read(); ok && err == nil && e.Chain == name {
				call.MayRevert = true
				asked, calls = append(asked, e), append(calls, call)
			}
		}
		words, err := a.chains[name].Read(a.ctx, block, calls)
		if err != nil {
			a.fault("%s: %v", t.Path, err)
			fine = false
			continue
		}
		for i, e := range asked {
			if len(words[i]) != 32 {
				a.fault("%s: %q: %s on %s does not answer with a number", t.Path, e.Label, calls[i].To, name)
				fine = false
			}
		}
	}
	return fine
}

// twice finds addresses that stand in two buckets of one chain: what they hold
// would be taken away twice. One that a call is asked about may hold there what
// its balance does not show.
func (a *audit) twice(t *supply.Token) {
	type mention struct {
		supply.Entry
		asked bool
	}
	seen := map[string]mention{}
	for _, e := range t.Ledger {
		for i, text := range append([]string{e.Holder, e.Native}, e.Args...) {
			at, err := supply.ParseAddress(text)
			if err != nil {
				continue // no address, or none at all
			}
			now, key := mention{e, i > 1}, e.Chain+at.Hex()
			before, known := seen[key]
			seen[key] = now
			if !known || before.Bucket == e.Bucket {
				continue
			}
			say := a.fault
			if before.asked || now.asked {
				say = a.warn
			}
			say("%s: %s is %s as %q and %s as %q on %s", t.Path, at, before.Bucket, before.Label, e.Bucket, e.Label, e.Chain)
		}
	}
}
