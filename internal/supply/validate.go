package supply

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"
)

// A Fault is one thing wrong with a token's configuration. Path leads to it
// from the token, such as ledger[3].erc20; "" is the token itself.
type Fault struct {
	Path string
	Text string
}

func (f Fault) Error() string {
	if f.Path == "" {
		return f.Text
	}
	return f.Path + ": " + f.Text
}

var tokenPath = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// faults collects what is wrong.
type faults []Fault

func (f *faults) add(path, format string, args ...any) {
	*f = append(*f, Fault{path, fmt.Sprintf(format, args...)})
}

// SetDefaults prepares a token for being read from a file.
func (t *Token) SetDefaults() { t.Decimals = 18 }

// Validate returns every fault of the token, given the names of the chains
// that exist. A token without faults can be measured.
func (t *Token) Validate(chains []string) []Fault {
	var f faults
	if !tokenPath.MatchString(t.Path) {
		f.add("path", "%q: want lower-case letters, digits and hyphens, at most 32", clip(t.Path))
	}
	for _, x := range []struct{ key, value string }{{"symbol", t.Symbol}, {"name", t.Name}} {
		if x.value == "" || len(x.value) > 100 {
			f.add(x.key, "want 1 to 100 characters")
		}
	}
	if t.Decimals < 0 || t.Decimals > MaxDecimals {
		f.add("decimals", "%d: want 0 to %d", t.Decimals, MaxDecimals)
		return f // nothing below can be judged without them
	}
	t.validateAmount(&f, "max_supply", t.MaxSupply)
	if t.MaxSupply != nil && t.MaxSupply.Sign() <= 0 {
		f.add("max_supply", "must be above 0; leave it out where there is none")
	}
	if t.MaxChange < 0 {
		f.add("max_change", "must be above 0%%")
	}
	t.validateExpected(&f)
	t.validateLedger(&f, chains)
	t.validateBridges(&f)
	return f
}

// validateAmount checks that a, if it is given, fits the token's decimals.
func (t *Token) validateAmount(f *faults, path string, a *Amount) {
	if a == nil {
		return
	}
	if _, err := a.Rescale(t.Decimals); err != nil {
		f.add(path, "%v", err)
	}
}

func (t *Token) validateExpected(f *faults) {
	for i, e := range t.Expected {
		at := fmt.Sprintf("expected[%d]", i)
		if e.From.IsZero() || e.To.IsZero() || !e.From.Before(e.To) {
			f.add(at, "want from and to, and from before to")
		}
		if e.Change <= 0 {
			f.add(at, "want change, such as 30%%")
		}
		if e.Reason == "" {
			f.add(at, "want a reason")
		}
	}
}

func (t *Token) validateLedger(f *faults, chains []string) {
	if !slices.ContainsFunc(t.Ledger, func(e Entry) bool { return e.Bucket == Issued && e.counted(t.Bridges) }) {
		f.add("ledger", "no issued entry counts towards the total")
	}
	labels, reads := map[string]int{}, map[string]int{}
	for i, e := range t.Ledger {
		at := fmt.Sprintf("ledger[%d]", i)
		if e.Label == "" || len(e.Label) > 200 {
			f.add(at, "want a label of 1 to 200 characters")
		} else if j, twice := labels[e.Label]; twice {
			f.add(at+".label", "ledger[%d] is called %q too", j, clip(e.Label))
		} else {
			labels[e.Label] = i
		}
		if !slices.Contains(Buckets, e.Bucket) {
			f.add(at+".bucket", "%q: want one of %v", clip(string(e.Bucket)), Buckets)
		}
		if e.Since != "" {
			if _, err := time.Parse(time.DateOnly, e.Since); err != nil {
				f.add(at+".since", "%q: want a date such as 2024-01-31", clip(e.Since))
			}
		}
		t.validateSource(f, at, e, chains)
		t.validateEntryBridge(f, at, e)
		if call, ok, err := e.ChainCall(); err == nil && ok {
			key := fmt.Sprintf("%s %s %x %v", e.Chain, call.To, call.Data, call.Balance)
			if j, twice := reads[key]; twice {
				f.add(at, "reads the same as ledger[%d]: it would be counted twice", j)
			} else {
				reads[key] = i
			}
		}
	}
}

// validateSource checks that the entry has one source, whole, and nothing that
// belongs to another.
func (t *Token) validateSource(f *faults, at string, e Entry, chains []string) {
	sources := 0
	for _, given := range []bool{e.Amount != nil, e.ERC20 != "", e.Native != "", e.Call != ""} {
		if given {
			sources++
		}
	}
	if sources != 1 {
		f.add(at, "has %d sources: want one of amount, erc20, native or call", sources)
		return
	}
	if e.Holder != "" && e.ERC20 == "" {
		f.add(at+".holder", "goes with erc20 only")
	}
	if e.Call == "" && (e.To != "" || len(e.Args) > 0) {
		f.add(at, "to and args go with call only")
	}
	if e.Decimals != nil && e.Call == "" {
		f.add(at+".decimals", "goes with call only; erc20 contracts are asked, and gas tokens have %d", nativeDecimals)
	} else if e.Decimals != nil && (*e.Decimals < 0 || *e.Decimals > MaxDecimals) {
		f.add(at+".decimals", "%d: want 0 to %d", *e.Decimals, MaxDecimals)
	}
	if e.Amount != nil {
		t.validateAmount(f, at+".amount", e.Amount)
		if e.Chain != "" {
			f.add(at+".chain", "a declared amount is on no chain")
		}
		return
	}
	switch {
	case e.Chain == "":
		f.add(at, "want chain, one of %v", chains)
	case !slices.Contains(chains, e.Chain):
		f.add(at+".chain", "%q is not configured: want one of %v", clip(e.Chain), chains)
	}
	if _, _, err := e.ChainCall(); err != nil {
		f.add(at, "%v", err)
	}
}

// validateEntryBridge checks the entry against the bridge that it names.
func (t *Token) validateEntryBridge(f *faults, at string, e Entry) {
	bridge, known := t.Bridges[e.Bridge]
	switch {
	case e.Bridge == "" && e.Bucket == Escrowed:
		f.add(at, "an escrowed entry wants the bridge that it belongs to")
	case e.Bridge == "":
	case !known:
		f.add(at+".bridge", "%q is not among the token's bridges", clip(e.Bridge))
	case e.Bucket == Escrowed && bridge.Count == CountSum:
		f.add(at+".bridge", "%s counts both sides, so it can hold no escrow: want count: source, or another bucket", e.Bridge)
	case e.Bucket != Issued && e.Bucket != Escrowed:
		f.add(at+".bridge", "only issued and escrowed entries belong to a bridge; tokens that are %s count wherever they are", e.Bucket)
	}
}

func (t *Token) validateBridges(f *faults) {
	for _, name := range slices.Sorted(maps.Keys(t.Bridges)) {
		at, bridge := "bridges."+name, t.Bridges[name]
		if bridge.Count != CountSource && bridge.Count != CountSum {
			f.add(at+".count", "%q: want source (lock and mint) or sum (burn and mint)", clip(string(bridge.Count)))
		}
		t.validateAmount(f, at+".slack", bridge.Slack)
		escrow, remote := map[string]bool{}, 0
		for _, e := range t.Ledger {
			if e.Bridge == name && e.Bucket == Escrowed {
				escrow[e.Chain] = true
			}
		}
		for i, e := range t.Ledger {
			if e.Bridge != name || e.Bucket != Issued {
				continue
			}
			remote++
			if bridge.Count == CountSource && escrow[e.Chain] && e.Chain != "" {
				f.add(fmt.Sprintf("ledger[%d].bridge", i), "is issued on the chain that holds %s's escrow: the source's own issue carries no bridge", name)
			}
		}
		switch {
		case remote == 0 && len(escrow) == 0:
			f.add(at, "no issued or escrowed entry carries this bridge")
		case bridge.Count == CountSource && remote > 0 && len(escrow) == 0:
			f.add(at, "remote supply has no escrow to be checked against")
		}
	}
}
