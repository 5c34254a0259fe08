package ledger

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A fault is one thing that is wrong with a token's configuration. Path is relative to the token,
// such as ledger[3].erc20; "" is the token itself.
type fault struct {
	Path string
	Text string
}

func (f fault) Error() string {
	if f.Path == "" {
		return f.Text
	}
	return f.Path + ": " + f.Text
}

var tokenPath = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

// faults collects faults.
type faults []fault

// refuse adds a fault if the condition is true.
func (f *faults) refuse(when bool, path, format string, args ...any) {
	if when {
		*f = append(*f, fault{path, fmt.Sprintf(format, args...)})
	}
}

// refuseError adds err as a fault, unless it is nil.
func (f *faults) refuseError(err error, path string) { f.refuse(err != nil, path, "%v", err) }

// SetDefaults sets a token's defaults before it is read from a file.
func (t *Token) SetDefaults() {
	t.Decimals = 18
	t.Release = ByTime
}

// MaxChains is how many chains a ledger may read. It keeps the leaf of a snapshot below 65,536
// bytes.
const MaxChains = 128

// MaxExact is the largest number that all readers of JSON read exactly, even as a double.
const MaxExact = 1<<53 - 1

const (
	maxBridges = 256
	maxEntries = 10_000
	// maxEvidence limits the bytes of all entries in evidence. A verifier reads at most 8 MB. An
	// entry has more bytes in evidence than in the ledger: those of its calldata, and up to
	// readBytes more. A share has up to shareBytes more instead.
	maxEvidence = 8_000_000
	readBytes   = 400
	shareBytes  = 700
	// maxFaults is how many faults are collected before the other entries of the ledger are
	// skipped. The faults of a hostile file would otherwise take all memory.
	maxFaults = 100
)

// IsPath reports whether text can be the path of a token.
func IsPath(text string) bool { return tokenPath.MatchString(text) && text != logPath }

// logPath is the path of the log of publications.
const logPath = "log"

// Validate returns all faults of the token, given the names of the chains. A token without faults
// can be measured.
func (t *Token) Validate(chains []string) []fault {
	var f faults
	f.refuse(!tokenPath.MatchString(t.Path), "path",
		"%q: want at most 32 lower-case letters, digits and hyphens, without a hyphen at the start", Clip(t.Path))
	f.refuse(t.Path == logPath, "path", "\"log\" is the address of the log of publications; choose another path")
	f.refuse(t.Symbol == "" || len(t.Symbol) > 100, "symbol", "want 1 to 100 characters")
	f.refuse(t.Name == "" || len(t.Name) > 100, "name", "want 1 to 100 characters")
	f.refuse(!isName(t.Symbol), "symbol", "%q: want valid UTF-8 without control characters", Clip(t.Symbol))
	f.refuse(!isName(t.Name), "name", "%q: want valid UTF-8 without control characters", Clip(t.Name))
	if t.Decimals < 0 || t.Decimals > MaxDecimals {
		f.refuse(true, "decimals", "%d: want 0 to %d", t.Decimals, MaxDecimals)
		return f // the checks below need valid decimals
	}
	if n := len(t.Bridges); n > maxBridges {
		f.refuse(true, "", "has %d bridges; at most %d are allowed", n, maxBridges)
		return f // the checks below compare each bridge with every entry, which would take too long
	}
	if n := len(t.Ledger); n > maxEntries {
		f.refuse(true, "ledger", "has %d entries; at most %d are allowed", n, maxEntries)
		return f
	}
	t.validateAmount(&f, "max_supply", t.MaxSupply)
	f.refuse(t.MaxSupply != nil && t.MaxSupply.Sign() <= 0, "max_supply",
		"must be above 0; leave it out if there is no maximum")
	f.refuse(t.MaxChange < 0, "max_change", "must be above 0%%")
	f.refuse(!slices.Contains([]ReleaseRule{"", ByTime, ByHand}, t.Release), "release", "%q: want %s or %s",
		Clip(string(t.Release)), ByTime, ByHand)
	for i, e := range t.Expected {
		at := fmt.Sprintf("expected[%d]", i)
		f.refuse(e.From.IsZero() || e.To.IsZero(), at, "\"from\" or \"to\" is missing")
		f.refuse(!e.To.IsZero() && !e.From.Before(e.To), at+".to", "%s is not after \"from\", which is %s",
			e.To.Format(time.RFC3339), e.From.Format(time.RFC3339))
		f.refuse(e.Change == 0, at, "change is missing: want a percentage such as +30%% or -30%%")
		twin := slices.IndexFunc(t.Expected, e.Same)
		f.refuse(twin != i, at, "is the same event as expected[%d]; an event lets only one change pass", twin)
		f.refuse(e.Reason == "", at, "reason is missing")
	}
	t.validateLedger(&f, chains)
	n := len(t.Chains())
	f.refuse(n > MaxChains, "ledger", "reads %d chains; at most %d are allowed", n, MaxChains)
	names := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(t.Bridges)) {
		lower := strings.ToLower(name)
		f.refuse(names[lower] != "", "bridges."+name,
			"it differs from %s only in case, and some readers of JSON ignore case", names[lower])
		names[lower] = name
		t.validateBridge(&f, name)
	}
	return f
}

// validateAmount checks that a, if set, fits the token's decimals.
func (t *Token) validateAmount(f *faults, path string, a *Amount) {
	if a != nil {
		_, err := a.Rescale(t.Decimals)
		f.refuseError(err, path)
	}
}

func (t *Token) validateLedger(f *faults, chains []string) {
	counts := func(e Entry) bool { // an unknown bridge is a separate fault, so its entries count here
		_, known := t.Bridges[e.Bridge]
		return e.Bucket == Issued && (e.Counted(t.Bridges) || !known)
	}
	f.refuse(!slices.ContainsFunc(t.Ledger, counts), "ledger", "no issued entry counts towards the total")
	labels := map[string]int{}
	reads := map[string]int{}
	size := 0
	for i, e := range t.Ledger {
		if len(*f) >= maxFaults {
			return
		}
		at := fmt.Sprintf("ledger[%d]", i)
		f.refuse(e.Label == "" || len(e.Label) > 200, at, "want a label of 1 to 200 characters")
		for _, name := range []string{e.Label, e.Bridge, e.Chain} {
			f.refuse(!isName(name), at, "%q: want valid UTF-8 without control characters", Clip(name))
		}
		if e.Label != "" {
			j, twice := first(labels, e.Label, i)
			f.refuse(twice, at+".label", "ledger[%d] is called %q too", j, Clip(e.Label))
		}
		f.refuse(!slices.Contains(Buckets, e.Bucket), at+".bucket", "%q: want one of %v",
			Clip(string(e.Bucket)), Buckets)
		if e.Since != "" {
			_, err := time.Parse(time.DateOnly, e.Since)
			f.refuse(err != nil, at+".since", "%q: want a date such as 2024-01-31", Clip(e.Since))
		}
		t.validateSource(f, at, e, chains)
		t.validateEntryBridge(f, at, e)
		text, _ := json.Marshal(e)
		size += len(text) + readBytes
		if call, ok, err := e.ChainCall(); err == nil && ok {
			size += 2 * len(call.Data)
			key := fmt.Sprintf("%s %s %x %v", e.Chain, call.To, call.Data, call.Balance)
			if e.Share != nil {
				size += shareBytes - readBytes
				key = strings.ToLower(key + " " + e.Share.Token + " " + e.Share.Holder)
			}
			j, twice := first(reads, key, i)
			f.refuse(twice, at, "reads the same as ledger[%d]: it would be counted twice", j)
		}
	}
	f.refuse(size > maxEvidence, "ledger", "its evidence could become larger than the 8 MB that verify reads: "+
		"want fewer entries or shorter reasons")
}

// first returns the index at which key was seen first, and true. If key is new, first records i as
// its index and returns false.
func first(seen map[string]int, key string, i int) (int, bool) {
	if j, ok := seen[key]; ok {
		return j, true
	}
	seen[key] = i
	return i, false
}

// validateSource checks that the entry has one complete source and no keys of another source.
func (t *Token) validateSource(f *faults, at string, e Entry, chains []string) {
	sources := 0
	for _, given := range []bool{e.Amount != nil, e.ERC20 != "", e.Native != "", e.Call != "", e.Share != nil} {
		if given {
			sources++
		}
	}
	if sources != 1 {
		f.refuse(true, at, "has %d sources: want one of amount, erc20, native, call or share", sources)
		return
	}
	f.refuse(e.Holder != "" && e.ERC20 == "", at+".holder", "can only be used with erc20")
	f.refuse(e.Call == "" && (e.To != "" || len(e.Args) > 0), at, "\"to\" and \"args\" can only be used with \"call\"")
	if e.Decimals != nil && e.Call == "" {
		f.refuse(true, at+".decimals",
			"can only be used with \"call\"; erc20 contracts report theirs, and gas tokens have %d", nativeDecimals)
	} else if e.Decimals != nil {
		f.refuse(*e.Decimals < 0 || *e.Decimals > MaxDecimals, at+".decimals", "%d: want 0 to %d",
			*e.Decimals, MaxDecimals)
	}
	if e.Share != nil {
		f.refuse(e.Share.Token == "" || e.Share.Holder == "", at+".share", "needs \"token\", \"holder\" and \"of\"")
		_, _, err := e.ShareCalls()
		f.refuseError(err, at+".share")
		t.validateSource(f, at+".share.of", e.Whole(), chains)
		return
	}
	if e.Amount != nil {
		t.validateAmount(f, at+".amount", e.Amount)
		f.refuse(e.Chain != "", at+".chain", "remove it: a declared amount is not on a chain")
		return
	}
	if !slices.Contains(chains, e.Chain) {
		list := Clip(fmt.Sprint(chains))
		f.refuse(e.Chain == "", at, "chain is missing: want one of %s", list)
		f.refuse(e.Chain != "", at+".chain", "%q is not configured: want one of %s", Clip(e.Chain), list)
	}
	_, _, err := e.ChainCall()
	f.refuseError(err, at)
}

// validateEntryBridge checks the entry against its bridge.
func (t *Token) validateEntryBridge(f *faults, at string, e Entry) {
	if e.Bridge == "" {
		f.refuse(e.Bucket == Escrowed, at, "an escrowed entry needs \"bridge\", the bridge that it belongs to")
		return
	}
	switch bridge, known := t.Bridges[e.Bridge]; {
	case !known:
		f.refuse(true, at+".bridge", "%q is not a key of bridges: want one of %s, or add it there",
			Clip(e.Bridge), Clip(fmt.Sprint(slices.Sorted(maps.Keys(t.Bridges)))))
	case e.Bucket == Escrowed:
		f.refuse(bridge.Count == CountSum, at+".bridge",
			"bridge %s counts all sides, so it has no escrow; write \"count: source\" for the bridge, "+
				"or give the entry another bucket", e.Bridge)
	default:
		f.refuse(e.Bucket != Issued, at+".bridge",
			"only issued and escrowed entries can have a bridge; this one is %s", e.Bucket)
	}
}

func (t *Token) validateBridge(f *faults, name string) {
	at := "bridges." + name
	bridge := t.Bridges[name]
	f.refuse(bridge.Count != CountSource && bridge.Count != CountSum, at+".count",
		"%q: want source (lock and mint) or sum (burn and mint)", Clip(string(bridge.Count)))
	t.validateAmount(f, at+".slack", bridge.Slack)
	escrow := map[string]bool{}
	remote := 0
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
		f.refuse(bridge.Count == CountSource && escrow[e.Chain] && e.Chain != "", fmt.Sprintf("ledger[%d].bridge", i),
			"this issued entry is on the source chain of bridge %s, where its escrow is; "+
				"remove \"bridge\" from the entry", name)
	}
	f.refuse(remote == 0 && len(escrow) == 0, at, "no issued or escrowed entry has this bridge")
	f.refuse(bridge.Count == CountSource && remote > 0 && len(escrow) == 0, at,
		"it has issued entries, but no escrowed entry to compare them with")
	f.refuse(bridge.Count == CountSum && bridge.Slack == nil, at,
		"\"count: sum\" needs \"slack\", the most that may be in flight or minted in an hour; a larger rise is held")
}
