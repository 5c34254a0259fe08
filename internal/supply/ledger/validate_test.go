package ledger

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestValidateFindsEveryFaultAndNamesItsPlace(t *testing.T) {
	minus, six, one := -1, 6, Whole(1, 0)
	fine, err := ParseAmount("1.0000000000000000001") // 19 decimals
	if err != nil {
		t.Fatal(err)
	}
	token := Token{
		Path: "Gem!", Decimals: 18, MaxSupply: &fine, Release: "never",
		Expected: []Event{{From: day, To: day}, {From: day, To: day.Add(time.Hour), Change: 1, Reason: "x"},
			{From: day, To: day.Add(time.Hour), Change: 1, Reason: "y"}},
		Bridges: map[string]Bridge{"a": {Count: CountSource}, "b": {Count: "both"},
			"c": {Count: CountSum, Slack: &fine},
			"C": {Count: CountSum}},
		Ledger: []Entry{
			{Label: "no source", Bucket: Issued},
			{Label: "two sources", Bucket: Issued, Chain: "first", ERC20: address("x"), Native: address("x")},
			{Label: "two sources", Bucket: "minted", Chain: "first", ERC20: address("x")},
			{Bucket: Burned, Chain: "first", ERC20: address("x")},
			{Label: "chain", Bucket: Locked, Chain: "nowhere", Native: "0x12"},
			{Label: "checksum", Bucket: Locked, Chain: "first", Native: swap(address("x"))},
			{Label: "holder", Bucket: Locked, Chain: "first", Native: address("x"), Holder: address("y"),
				Since: "yesterday"},
			{Label: "args", Bucket: Locked, Chain: "first", Call: "f(uint8)", To: address("x"), Args: []string{"256"}},
			{Label: "call", Bucket: Locked, Chain: "first", Call: "f(uint7)", To: address("x"), Args: []string{"1"}},
			{Label: "decimals", Bucket: Locked, Chain: "first", ERC20: address("z"), Decimals: &six},
			{Label: "decimals, negative", Bucket: Locked, Chain: "first", Call: "g()", To: address("x"),
				Decimals: &minus},
			{Label: "amount", Bucket: Issued, Amount: &one, Chain: "first"},
			{Label: "escrow without a bridge", Bucket: Escrowed, Chain: "first", Native: address("q")},
			{Label: "bridge unknown", Bucket: Issued, Bridge: "x", Amount: &one},
			{Label: "escrow of a sum", Bucket: Escrowed, Bridge: "c", Chain: "first", Native: address("w")},
			{Label: "burned by a bridge", Bucket: Burned, Bridge: "a", Chain: "first", Native: address("v")},
			{Label: "remote without escrow", Bucket: Issued, Bridge: "a", Chain: "first", Native: address("u")},
		},
	}
	var got []string
	for _, f := range token.Validate([]string{"first"}) {
		got = append(got, f.Error())
	}
	for _, want := range []string{
		"path: ", "symbol: ", "name: ", "max_supply: ", "expected[0].to: 2026-11-01T12:00:00Z is not after \"from\"",
		"expected[0]: change is missing", "expected[0]: reason is missing",
		"release: ", "expected[2]: is the same event as expected[1]",
		"ledger[0]: has 0 sources", "ledger[1]: has 2 sources", "ledger[2].label: ", "ledger[2].bucket: ",
		"ledger[3]: want a label",
		"ledger[3]: reads the same as ledger[1]", "ledger[4].chain: ", "ledger[4]: native", "ledger[5]: native",
		"ledger[6].holder: ",
		"ledger[6].since: ", "ledger[7]: args[0]", "ledger[8]: call", "ledger[9].decimals: ", "ledger[10].decimals: ",
		"ledger[11].chain: ",
		"ledger[12]: an escrowed entry", "ledger[13].bridge: ", "ledger[14].bridge: ", "ledger[15].bridge: ",
		"bridges.a: it has issued entries", "bridges.b.count: ", "bridges.b: no issued", "bridges.c.slack: ",
		"bridges.c: it differs from C only in case",
	} {
		if !slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, want) }) {
			t.Errorf("no fault begins with %q", want)
		}
	}
	if t.Failed() {
		t.Log(strings.Join(got, "\n"))
	}
}

// swap changes the case of one letter.
func swap(address string) string {
	for i := 2; i < len(address); i++ {
		if c := address[i]; c >= 'a' && c <= 'f' {
			return address[:i] + strings.ToUpper(address[i:i+1]) + address[i+1:]
		} else if c >= 'A' && c <= 'F' {
			return address[:i] + strings.ToLower(address[i:i+1]) + address[i+1:]
		}
	}
	return address
}

// day is the date of the tests' events.
var day = time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)

// bridged returns a token whose source is on the chain first and whose remote side is on second.
func bridged() Token {
	slack := Whole(5, 18)
	return Token{
		Path: "coin", Symbol: "COIN", Name: "Coin", Decimals: 18,
		Bridges: map[string]Bridge{"portal": {Count: CountSource, Slack: &slack}},
		Ledger: []Entry{
			{Label: "Minted", Bucket: Issued, Chain: "first", ERC20: address("coin")},
			{Label: "Remote", Bucket: Issued, Bridge: "portal", Chain: "second", ERC20: address("coin there")},
			{Label: "Escrow", Bucket: Escrowed, Bridge: "portal", Chain: "first", ERC20: address("coin"),
				Holder: address("portal")},
		},
	}
}

func TestOneFaultOfAToken(t *testing.T) {
	for want, change := range map[string]func(*Token){
		"ledger":           func(t *Token) { t.Ledger = t.Ledger[1:] },     // nothing issued is counted
		"path":             func(t *Token) { t.Path = "log" },              // a route has this name
		"ledger[1].bridge": func(t *Token) { t.Ledger[1].Chain = "first" }, // that of the escrow
	} {
		token := bridged()
		change(&token)
		if faults := token.Validate([]string{"first", "second"}); len(faults) != 1 || faults[0].Path != want {
			t.Errorf("the faults are %v, want one of %s", faults, want)
		}
	}
}

func TestSharesThatCannotBeReadAreFaults(t *testing.T) {
	of := Source{ERC20: address("coin"), Holder: address("pool")}
	for name, test := range map[string]struct {
		entry Entry
		want  string // the path of the first fault; "": there is none
	}{
		"whole":          {Entry{Share: &Share{Token: address("pool"), Holder: address("x"), Of: of}}, ""},
		"without token":  {Entry{Share: &Share{Holder: address("x"), Of: of}}, "ledger[3].share"},
		"without holder": {Entry{Share: &Share{Token: address("pool"), Of: of}}, "ledger[3].share"},
		"of nothing":     {Entry{Share: &Share{Token: address("pool"), Holder: address("x")}}, "ledger[3].share.of"},
		"of two": {Entry{Share: &Share{Token: address("pool"), Holder: address("x"),
			Of: Source{ERC20: address("coin"), Native: address("x")}}}, "ledger[3].share.of"},
		"and a source": {Entry{Native: address("x"),
			Share: &Share{Token: address("pool"), Holder: address("x"), Of: of}}, "ledger[3]"},
	} {
		t.Run(name, func(t *testing.T) {
			token := bridged()
			test.entry.Label, test.entry.Bucket, test.entry.Chain = "Pool", Reserved, "first"
			token.Ledger = append(token.Ledger, test.entry)
			got := ""
			if faults := token.Validate([]string{"first", "second"}); len(faults) > 0 {
				got = faults[0].Path
			}
			if got != test.want {
				t.Errorf("the first fault is of %q, want %q", got, test.want)
			}
		})
	}
	token := bridged()
	for _, label := range []string{"Pool", "Again"} {
		token.Ledger = append(token.Ledger, Entry{Label: label, Bucket: Reserved, Chain: "first",
			Share: &Share{Token: address("pool"), Holder: address("x"), Of: of}})
	}
	if faults := token.Validate([]string{"first", "second"}); len(faults) != 1 || faults[0].Path != "ledger[4]" {
		t.Errorf("the same share twice: %v", faults)
	}
}

func TestLedgerHashChangesWithEveryPartOfTheLedger(t *testing.T) {
	base := bridged()
	seen := map[string]string{base.LedgerHash(): "nothing"}
	max, slack, six := Whole(5000, 18), Whole(6, 18), 6
	for name, change := range map[string]func(*Token){
		"path": func(t *Token) { t.Path = "other" }, "decimals": func(t *Token) { t.Decimals = 17 },
		"max":   func(t *Token) { t.MaxSupply = &max },
		"count": func(t *Token) { t.Bridges = map[string]Bridge{"portal": {Count: CountSum}} },
		"slack": func(t *Token) {
			t.Bridges = map[string]Bridge{"portal": {Count: CountSource, Slack: &slack}}
		},
		"label":  func(t *Token) { t.Ledger[0].Label += "x" },
		"bucket": func(t *Token) { t.Ledger[0].Bucket = Locked },
		"bridge": func(t *Token) { t.Ledger[0].Bridge = "portal" },
		"chain":  func(t *Token) { t.Ledger[0].Chain = "second" },
		"erc20":  func(t *Token) { t.Ledger[0].ERC20 = address("q") },
		"holder": func(t *Token) { t.Ledger[0].Holder = address("q") },
		"native": func(t *Token) { t.Ledger[0].Native = address("q") },
		"call":   func(t *Token) { t.Ledger[0].Call = "f()" }, "to": func(t *Token) { t.Ledger[0].To = address("q") },
		"args":           func(t *Token) { t.Ledger[0].Args = []string{"1"} },
		"entry decimals": func(t *Token) { t.Ledger[0].Decimals = &six },
		"since":          func(t *Token) { t.Ledger[0].Since = "2024-01-01" },
		"reason":         func(t *Token) { t.Ledger[0].Reason = "x" },
		"amount":         func(t *Token) { t.Ledger[0].Amount = &max },
		"order":          func(t *Token) { t.Ledger[0], t.Ledger[1] = t.Ledger[1], t.Ledger[0] },
		"share":          func(t *Token) { t.Ledger[0].Share = &Share{Token: address("q")} },
		"fewer":          func(t *Token) { t.Ledger = t.Ledger[:2] },
	} {
		c := base
		c.Ledger = slices.Clone(base.Ledger)
		change(&c)
		if other, twice := seen[c.LedgerHash()]; twice {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[c.LedgerHash()] = name
	}
	named := base
	named.Symbol, named.Name, named.MaxChange = "X", "Y", 5
	if named.LedgerHash() != base.LedgerHash() {
		t.Error("the hash depends on the token's name")
	}
	text, err := json.Marshal(base.CurrentLedger())
	if err != nil {
		t.Fatal(err)
	}
	var v Version
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if got := v.hash(base.Path); got != base.LedgerHash() {
		t.Error("the published ledger does not have its own hash")
	}
}

func FuzzEntry(f *testing.F) {
	f.Add("f(uint256,address)", address("x"), "1", address("y"))
	f.Add("totalLock()", address("x"), "", "")
	f.Add("f(uint7)", "0x", "0x1", "-1")
	f.Add("f(bytes32,string)", address("z"), "0x00", "é")
	f.Add("f(int8,bool)", address("z"), "-128", "true")
	f.Add("f(uint256[])", address("z"), "1", "2")
	f.Fuzz(func(t *testing.T, call, to, a, b string) {
		for _, args := range [][]string{nil, {a}, {a, b}} {
			token := Token{Path: "x", Symbol: "X", Name: "X", Decimals: 18,
				Ledger: []Entry{{Label: "L", Bucket: Issued, Chain: "c", Call: call, To: to, Args: args}}}
			faults := token.Validate([]string{"c"})
			c, ok, err := token.Ledger[0].ChainCall()
			if len(faults) == 0 && (err != nil || !ok || len(c.Data) < 4) {
				t.Fatalf("valid, but %x, %v, %v", c.Data, ok, err)
			}
		}
	})
}

// A verifier reads at most 8 MB of evidence. A share needs more evidence than other sources.
func TestEvidenceIsNotTooLarge(t *testing.T) {
	token := Token{Path: "gem", Symbol: "GEM", Name: "Gem", Decimals: 18}
	for i := range maxEntries {
		pool := address(fmt.Sprint("pool ", i))
		token.Ledger = append(token.Ledger, Entry{Label: fmt.Sprint(i), Bucket: Issued, Chain: "first",
			ERC20: address("x"), Holder: pool})
	}
	if f := token.Validate([]string{"first"}); len(f) > 0 {
		t.Error(f)
	}
	for i, e := range token.Ledger {
		token.Ledger[i] = Entry{Label: e.Label, Bucket: Issued, Chain: "first",
			Share: &Share{Token: e.Holder, Holder: address("y"), Of: Source{ERC20: e.ERC20, Holder: e.Holder}}}
	}
	if f := token.Validate([]string{"first"}); len(f) != 1 || !strings.Contains(f[0].Error(), "8 MB") {
		t.Error(f)
	}
	token.Ledger = token.Ledger[:7000]
	if f := token.Validate([]string{"first"}); len(f) > 0 {
		t.Error(f)
	}
	token.Ledger[0].Reason = strings.Repeat("x", 2<<20)
	if f := token.Validate([]string{"first"}); len(f) != 1 {
		t.Error(f)
	}
}
