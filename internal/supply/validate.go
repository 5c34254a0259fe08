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

func (f *faults) say(path, format string, args ...any) {
	*f = append(*f, Fault{path, fmt.Sprintf(format, args...)})
}

// SetDefaults prepares a token for being read from a file.
func (t *Token) SetDefaults() { t.Decimals = 18 }

// Validate returns every fault of the token, given the names of the chains
// that exist. A token without faults can be measured.
func (t *Token) Validate(chains []string) []Fault {
	var f faults
	if !tokenPath.MatchString(t.Path) {
		f.say("path", "%q: want lower-case letters, digits and hyphens, at most 32", clip(t.Path))
	}
	for _, x := range []struct{ key, value string }{{"symbol", t.Symbol}, {"name", t.Name}} {
		if x.value == "" || len(x.value) > 100 {
			f.say(x.key, "want 1 to 100 characters")
		}
	}
	if t.Decimals < 0 || t.Decimals > MaxDecimals {
		f.say("decimals", "%d: want 0 to %d", t.Decimals, MaxDecimals)
		return f // nothing below can be judged without them
	}
	if t.MaxSupply != nil {
		t.validateAmount(&f, "max_supply", *t.MaxSupply)
		if t.MaxSupply.Sign() <= 0 {
			f.say("max_supply", "must be above 0; leave it out where there is none")
		}
	}
	if t.MaxChange < 0 {
		f.say("max_change", "must be above 0%%")
	}
	t.validateExpected(&f)
	t.validateLedger(&f, chains)
	t.validateBridges(&f)
	return f
}

func (t *Token) validateAmount(f *faults, path string, a Amount) {
	if _, err := a.Rescale(t.Decimals); err != nil {
		f.say(path, "%v", err)
	}
}

func (t *Token) validateExpected(f *faults) {
	for i, e := range t.Expected {
		at := fmt.Sprintf("expected[%d]", i)
		if e.From.IsZero() || e.To.IsZero() || !e.From.Before(e.To) {
			f.say(at, "want from and to, and from before to")
		}
		if e.Change <= 0 {
			f.say(at, "want change, such as 30%%")
		}
		if e.Reason == "" {
			f.say(at, "want a reason")
		}
	}
}

func (t *Token) validateLedger(f *faults, chains []string) {
	if !slices.ContainsFunc(t.Ledger, func(e Entry) bool { return e.Bucket == Issued && t.counted(e) }) {
		f.say("ledger", "no issued entry counts towards the total")
	}
	labels, reads := map[string]int{}, map[string]int{}
	for i, e := range t.Ledger {
		at := fmt.Sprintf("ledger[%d]", i)
		if e.Label == "" || len(e.Label) > 200 {
			f.say(at, "want a label of 1 to 200 characters")
		} else if j, twice := labels[e.Label]; twice {
			f.say(at+".label", "ledger[%d] is called %q too", j, clip(e.Label))
		} else {
			labels[e.Label] = i
		}
		if !slices.Contains(Buckets, e.Bucket) {
			f.say(at+".bucket", "%q: want one of %v", clip(string(e.Bucket)), Buckets)
		}
		if e.Since != "" {
			if _, err := time.Parse(time.DateOnly, e.Since); err != nil {
				f.say(at+".since", "%q: want a date such as 2024-01-31", clip(e.Since))
			}
		}
		t.validateSource(f, at, e, chains)
		t.validateBelonging(f, at, e)
		if call, ok, err := e.Read(); err == nil && ok {
			key := fmt.Sprintf("%s %s %x %v", e.Chain, call.To, call.Data, call.Balance)
			if j, twice := reads[key]; twice {
				f.say(at, "reads the same as ledger[%d]: it would be counted twice", j)
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
		f.say(at, "has %d sources: want one of amount, erc20, native or call", sources)
		return
	}
	if e.Holder != "" && e.ERC20 == "" {
		f.say(at+".holder", "goes with erc20 only")
	}
	if e.Call == "" && (e.To != "" || len(e.Args) > 0) {
		f.say(at, "to and args go with call only")
	}
	if e.Decimals != nil && e.Call == "" {
		f.say(at+".decimals", "goes with call only; erc20 contracts are asked, and gas tokens have %d", nativeDecimals)
	} else if e.Decimals != nil && (*e.Decimals < 0 || *e.Decimals > MaxDecimals) {
		f.say(at+".decimals", "%d: want 0 to %d", *e.Decimals, MaxDecimals)
	}
	if e.Amount != nil {
		t.validateAmount(f, at+".amount", *e.Amount)
		if e.Chain != "" {
			f.say(at+".chain", "a declared amount is on no chain")
		}
		return
	}
	switch {
	case e.Chain == "":
		f.say(at, "want chain, one of %v", chains)
	case !slices.Contains(chains, e.Chain):
		f.say(at+".chain", "%q is not configured: want one of %v", clip(e.Chain), chains)
	}
	if _, _, err := e.Read(); err != nil {
		f.say(at, "%v", err)
	}
}

// validateBelonging checks the entry against the bridge that it names.
func (t *Token) validateBelonging(f *faults, at string, e Entry) {
	bridge, known := t.Bridges[e.Bridge]
	switch {
	case e.Bridge == "" && e.Bucket == Escrowed:
		f.say(at, "an escrowed entry wants the bridge that it belongs to")
	case e.Bridge == "":
	case !known:
		f.say(at+".bridge", "%q is not among the token's bridges", clip(e.Bridge))
	case e.Bucket == Escrowed && bridge.Count == CountSum:
		f.say(at+".bridge", "%s counts both sides, so it can hold no escrow: want count: source, or another bucket", e.Bridge)
	case e.Bucket != Issued && e.Bucket != Escrowed:
		f.say(at+".bridge", "only issued and escrowed entries belong to a bridge; tokens that are %s count wherever they are", e.Bucket)
	}
}

func (t *Token) validateBridges(f *faults) {
	for _, name := range slices.Sorted(maps.Keys(t.Bridges)) {
		at, bridge := "bridges."+name, t.Bridges[name]
		if bridge.Count != CountSource && bridge.Count != CountSum {
			f.say(at+".count", "%q: want source (lock and mint) or sum (burn and mint)", clip(string(bridge.Count)))
		}
		if bridge.Slack != nil {
			t.validateAmount(f, at+".slack", *bridge.Slack)
		}
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
				f.say(fmt.Sprintf("ledger[%d].bridge", i), "is issued on the chain that holds %s's escrow: the source's own issue carries no bridge", name)
			}
		}
		switch {
		case remote == 0 && len(escrow) == 0:
			f.say(at, "no issued or escrowed entry carries this bridge")
		case bridge.Count == CountSource && remote > 0 && len(escrow) == 0:
			f.say(at, "remote supply has no escrow to be checked against")
		}
	}
}
