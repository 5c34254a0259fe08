package main

import (
	"fmt"
	"log/slog"
	"strings"
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
	quiet := slog.New(slog.DiscardHandler)
	for name, c := range cfg.Chains {
		if len(c.RPC) == 0 {
			continue
		}
		chain, err := evm.Dial(c.EVM(name), quiet)
		if err != nil {
			return usageError{fmt.Errorf("chain %s: %w", name, err)}
		}
		defer chain.Close()
		a.chains[name] = chain
	}
	a.heights()
	a.code()
	for i := range cfg.Tokens {
		a.token(&cfg.Tokens[i])
	}
	fmt.Fprintf(p.stdout, "%d faults, %d warnings\n", a.faults, a.warnings)
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

// heights pins each chain, which proves its id, its finality and its quorum.
func (a *audit) heights() {
	for name, c := range a.chains {
		block, err := c.Pin(a.ctx, time.Time{})
		if err == nil { // a read says itself which chain it comes from
			_, err = c.Read(a.ctx, block, []evm.Call{{To: common.Address{1}, Balance: true}})
		}
		if err != nil {
			a.fault("chain %s: %v", name, err)
			continue
		}
		a.blocks[name] = block
		fmt.Fprintf(a.stdout, "chain %s is %d, block %d of %s\n", name, c.ID(), block.Number, block.Time.Format(time.RFC3339))
	}
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
	for chain, addrs := range want {
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

// twice finds holders that stand in two buckets of one chain: what they hold
// would be taken away twice.
func (a *audit) twice(t *supply.Token) {
	seen := map[string]supply.Entry{}
	for _, e := range t.Ledger {
		holder := e.Holder
		if holder == "" {
			holder = e.Native
		}
		if holder == "" {
			continue
		}
		key := e.Chain + strings.ToLower(holder) + strings.ToLower(e.ERC20)
		if other, ok := seen[key]; ok && other.Bucket != e.Bucket {
			a.fault("%s: %s is %s as %q and %s as %q on %s", t.Path, holder, other.Bucket, other.Label, e.Bucket, e.Label, e.Chain)
		}
		seen[key] = e
	}
}
