package config

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/yamlfile"
)

// whole uses every key.
const whole = `
supply_url: https://supply.example.com
pets_url: https://pets.example.com/
site_url: https://example.com
store: postgres://keeper:hunter2@db.example.com/petsupply
packs: [embedded, /srv/packs/old]
refresh: {every: 60s, stale_after: 10m, refuse_after: 1d}
index: {every: 1s}
lease: 10s
limits: {per_ip: 50, private: true, trusted_proxies: [10.0.0.0/8]}
collection: {name: Pets, description: All of them, image: "https://example.com/i.png", external_link: "https://example.com"}
tls: {cert: /etc/c.pem, key: /etc/k.pem}
chains:
  second:
    id: 53935
    rpc: [{name: alpha, url: $RPC_A}, "https://beta.example.com/${KEY}"]
    quorum: 2
    finality: latest
    timeout: 3s
    max_lag: 10m
    multicall: "0xcA11bde05977b3631167028862bE2a173976CA11"
  bare: {id: 1088, multicall: none}
  third: {id: 8217, rpc: [$RPC_A, {url: "${RPC_A}/2", separate: true}], finality: finalized, explorer: "https://scan.example.com"}
tokens:
  - path: crystal
    symbol: CRYSTAL
    name: Crystal
    decimals: 18
    max_supply: "250000000"
    max_change: 10%
    release: by-hand
    expected:
      - {from: 2026-12-01T00:00:00Z, to: 2026-12-02T00:00:00Z, change: +30%, reason: Season unlock}
    bridges:
      portal: {count: source, slack: "1000"}
    ledger:
      - {label: Minted, bucket: issued, chain: second, erc20: "0x04b9dA42306B023f3572e106B11D82aAd9D32EBb"}
      - {label: Held, bucket: escrowed, bridge: portal, chain: second, erc20: "0x04b9dA42306B023f3572e106B11D82aAd9D32EBb", holder: "0x1990F87d6BC9D9385917E3EDa0A7674411C3Cd7F"}
      - {label: There, bucket: issued, bridge: portal, chain: third, erc20: "0xB3F5867E277798b50ba7A71C0b24FDcA03045eDF"}
      - {label: Locks, bucket: locked, chain: second, to: "0x04b9dA42306B023f3572e106B11D82aAd9D32EBb", call: "totalLock()", decimals: 18, reason: Unlocks by block}
      - {label: Team, bucket: reserved, amount: "1.5", since: 2024-01-01}
realms:
  - {key: first, name: First Realm, offset: 0, chain: second, contract: "0xAC9AFb5900C8A27B766bCad3A37423DC0F4C22d3", getter: v1, closed: true}
  - {key: second, name: Second Realm, offset: 1000000000000, chain: second, contract: "0x1990F87d6BC9D9385917E3EDa0A7674411C3Cd7F", getter: v2, custody: ["0x6362b205b539afb5FC369277365441c1dC6fAa28"]}
  - {key: arena, name: Arena, chain: third, contract: "0x74cE6E7cEF79F5ae6363c6CB1F6c2b528E92D7c7", getter: v2, start_block: 1000000}
`

func env(name string) string {
	return map[string]string{"RPC_A": "https://alpha.example.com/secret-a", "KEY": "secret-b"}[name]
}

func TestLoadWhole(t *testing.T) {
	c, err := Load("p.yaml", []byte(whole), env)
	if err != nil {
		t.Fatal(err)
	}
	c.Addresses("8080")
	if c.PetsURL != "https://pets.example.com" {
		t.Errorf("pets_url = %q, want it without the slash", c.PetsURL)
	}
	if c.Refresh.RefuseAfter != 24*time.Hour {
		t.Errorf("refuse_after = %v, want a day", c.Refresh.RefuseAfter)
	}
	second := c.Chains["second"]
	if got := second.RPC[1]; got.URL != "https://beta.example.com/secret-b" || got.Name != "second-2" {
		t.Errorf("second provider = %+v", got)
	}
	if third := c.Chains["third"]; third.Quorum != 2 || third.MaxLag != finalLag || third.Multicall != multicall3 {
		t.Errorf("third chain lacks its defaults: %+v", third)
	}
	if c.Limits.PerIP != 50 || !c.Limits.Private {
		t.Errorf("limits = %+v", c.Limits)
	}
	if got := c.Tokens[0].Ledger[4].Amount.String(); got != "1.5" {
		t.Errorf("declared amount = %s, want 1.5", got)
	}
	if got := c.Chains["bare"].EVM("bare").Multicall; got != (common.Address{}) {
		t.Errorf("multicall: none is read as %s", got)
	}
}

// Values that cannot be read and values that make no sense are reported together, once each and
// with their lines. Faults that only follow from others are left out.
// Faults of form are listed first, all at once. Faults of meaning are listed once the form is right.
func TestEveryFaultAtOnce(t *testing.T) {
	const form = `supply_url: nonsense
refresh: {every: soon}
colour: red
limits:
  per_ip: many
chains:
  one: {id: x}
  two: {id: 2, rpc: ["https://node.example.com/secret-a", $NOPE], quorum: 5}
tokens:
  - path: gem
    symbl: GEM
`
	const formFaults = `p.yaml:2: refresh.every: "soon" is not a length of time; write it like 90s, 10m, 24h, 7d or 8w
p.yaml:3: colour: unknown key; known here: 
p.yaml:5: limits.per_ip: "many" is not a whole number from 0
p.yaml:7: chains.one.id: "x" is not a whole number from 0
p.yaml:8: chains.two.rpc[1]: the environment has no value for NOPE; set it, or write the value here
p.yaml:10: tokens[0].ledger: is missing
p.yaml:10: tokens[0].name: is missing
p.yaml:11: tokens[0].symbl: unknown key; did you mean symbol? known here: `
	const meaning = `supply_url: nonsense
store: mysql://me:hunter2@db.example.com/x
chains:
  two: {id: 2, rpc: ["https://node.example.com/secret-a"], quorum: 5}
tokens:
  - path: gem
    symbol: GEM
    name: Gem
    ledger:
      - {label: M, bucket: issued, chain: thre, erc20: "0x04b9dA42306B023f3572e106B11D82aAd9D32EBb"}
`
	const meaningFaults = `p.yaml:1: supply_url: "nonsense" is not an address; write it like https://supply.example.com
p.yaml:2: store: want sqlite:///path/to/file.db or postgres://…
p.yaml:4: chains.two.quorum: 5 of 1 providers cannot agree; want at most 1
p.yaml:10: tokens[0].ledger[0].chain: "thre" is not configured: want one of [two]`
	for file, want := range map[string]string{form: formFaults, meaning: meaningFaults} {
		_, err := Load("p.yaml", []byte(file), env)
		if _, ok := errors.AsType[*yamlfile.Faults](err); !ok {
			t.Fatalf("Load = %v, want a list of faults", err)
		}
		known := regexp.MustCompile(`known here: .*`) // the list of known keys may grow
		if got := known.ReplaceAllString(err.Error(), "known here: "); got != want {
			t.Errorf("got:\n%v\nwant:\n%s", got, want)
		}
	}
}

func TestTokensHaveEighteenDecimalsByDefault(t *testing.T) {
	const file = "tokens:\n  - {path: a, symbol: A, name: A, ledger: [{label: M, bucket: issued, amount: \"1\"}]}\n" +
		"  - {path: b, symbol: B, name: B, decimals: 6, ledger: [{label: M, bucket: issued, amount: \"1\"}]}\n"
	c, err := Load("p.yaml", []byte(file), env)
	if err != nil {
		t.Fatal(err)
	}
	a := c.Tokens[0].Decimals
	b := c.Tokens[1].Decimals
	if a != 18 || b != 6 {
		t.Errorf("decimals %d and %d, want 18 and 6", a, b)
	}
}

func TestAddressesNeedNoQuotes(t *testing.T) {
	for _, rpc := range []string{
		`[http://127.0.0.1:8545, "http://127.0.0.1:8546"]`,
		"\n      - http://127.0.0.1:8545\n      - http://127.0.0.1:8546",
		"[{name: a, url: http://127.0.0.1:8545}, {name: b, url: http://127.0.0.1:8546}]",
	} {
		t.Run(rpc, func(t *testing.T) {
			c, err := Load("p.yaml", []byte("chains:\n  one:\n    id: 1\n    rpc: "+rpc+"\n"), env)
			if err != nil {
				t.Fatal(err)
			}
			got := c.Chains["one"].RPC
			if len(got) != 2 || got[0].URL != "http://127.0.0.1:8545" || got[1].URL != "http://127.0.0.1:8546" {
				t.Errorf("the providers are %+v", got)
			}
		})
	}
}

func TestAQuorumOfHalfTheProvidersOrFewerIsRefused(t *testing.T) {
	for _, c := range []struct {
		quorum, of int
		ok         bool
	}{
		{1, 1, true}, {1, 2, false}, {2, 2, true}, {1, 3, false}, {2, 3, true}, {3, 3, true},
		{2, 4, false}, {3, 4, true}, {2, 5, false}, {3, 5, true},
	} {
		t.Run(fmt.Sprintf("%d of %d", c.quorum, c.of), func(t *testing.T) {
			var nodes []string
			for i := range c.of {
				nodes = append(nodes, fmt.Sprintf("http://node-%d.example.com", i))
			}
			text := fmt.Appendf(nil, "chains: {a: {id: 1, quorum: %d, rpc: [\"%s\"]}}",
				c.quorum, strings.Join(nodes, `", "`))
			_, err := Load("p.yaml", text, env)
			if c.ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "chains.a.quorum: ") {
				t.Error(err)
			}
		})
	}
}

func TestTheSameNodeCountsOnce(t *testing.T) {
	const (
		node  = "https://node.example.com/v1/key?a=1"
		same  = "chains.a.rpc[1]: is the same node as a-1"
		alike = "chains.a.rpc[1]: has the host and port of a-1"
	)
	for other, want := range map[string]string{
		node: same, "HTTPS://Node.Example.COM/v1/key?a=1": same, "https://node.example.com:443/v1/key?a=1": same,
		"https://node.example.com./v1/key?a=1": same, "https://node.example.com/v1/key/?a=1": same,
		"https://node.example.com/v1//x/../key?a=1": same, "https://node.example.com/%761/key?a=1": same,
		"https://me:secret@node.example.com/v1/key?a=1": same, node + "#here": same,
		"http://node.example.com/v1/key?a=1": alike, "https://node.example.com/v1/Key?a=1": alike,
		"https://node.example.com/v1/key?a=2": alike, "https://node.example.com/v2/key?a=1": alike,
		"https://node.example.com:8443/v1/key?a=1": "", "https://node2.example.com/v1/key?a=1": "",
	} {
		for _, separate := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s separate %v", other, separate), func(t *testing.T) {
				text := fmt.Appendf(nil, "chains: {a: {id: 1, rpc: [%q, {url: %q, separate: %v}]}}",
					node, other, separate)
				_, err := Load("p.yaml", text, env)
				if refused := want == same || want == alike && !separate; refused != (err != nil) ||
					err != nil && !strings.Contains(err.Error(), want) {
					t.Error(err)
				}
			})
		}
	}
}

func TestDefaultsOfAChain(t *testing.T) {
	plain := Chain{RPC: make([]Provider, 4)}.WithDefaults("one")
	if plain.Quorum != 3 || plain.MaxLag != finalLag || plain.EVM("one").OnDemand {
		t.Errorf("the defaults are %+v", plain)
	}
	given := Chain{MaxLag: time.Minute, Blocks: OnDemand}.WithDefaults("one")
	if given.MaxLag != time.Minute || !given.EVM("one").OnDemand {
		t.Errorf("what was given became %+v", given)
	}
}

func TestDefaults(t *testing.T) {
	for name, text := range map[string]string{"": "", "p.yaml": "tokens:\n"} {
		t.Run(name, func(t *testing.T) {
			c, err := Load(name, []byte(text), env)
			if err != nil {
				t.Fatal(err)
			}
			c.Addresses("9000")
			if c.SupplyURL != "http://localhost:9000/supply" || c.SiteURL != "http://localhost:9000" ||
				c.Packs[0] != "embedded" {
				t.Errorf("the configuration is %+v", c)
			}
			if len(c.Warnings()) == 0 {
				t.Error("no warning that nothing is served")
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	f.Add(whole)
	f.Add("a: &a [*a]")
	f.Add("tokens: [{ledger: [{amount: 1}]}]")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Load("f.yaml", []byte(text), env)
		if err != nil {
			if list, ok := errors.AsType[*yamlfile.Faults](err); !ok || len(list.List) == 0 {
				t.Fatalf("an error that is not a list of faults: %v", err)
			}
			return
		}
		c.Addresses("1")
	})
}

// Without hold_for, a hold lasts for five refreshes, but at least 10 minutes.
func TestHoldFor(t *testing.T) {
	for keys, want := range map[string]time.Duration{"every: 1m": 10 * time.Minute, "every: 5m": 25 * time.Minute,
		"every: 1m, hold_for: 90s": 90 * time.Second} {
		c, err := Load("p.yaml", []byte("refresh: {"+keys+"}"), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Refresh.Rules(); got.HoldFor != want || got.Every != c.Refresh.Every {
			t.Errorf("%s: %+v, want to hold for %s", keys, got, want)
		}
	}
}

// A check of a file or store is not listed beside a fault of the key that names it.
func TestAFaultThatFollowsIsLeftOut(t *testing.T) {
	text := []byte("store: postgress://db\ntls: {cert: a, key: b}\n")
	_, err := Load("p.yaml", text, nil, func(*Config) []Fault {
		return []Fault{{Path: "store", Text: "cannot be opened"}, {Path: "tls", Text: "no such file"}}
	})
	faults, ok := errors.AsType[*yamlfile.Faults](err)
	if !ok || len(faults.List) != 2 || faults.List[0].Text == "cannot be opened" ||
		faults.List[1].Text != "no such file" {
		t.Errorf("Load = %v", err)
	}
}

// Two providers that must agree stop with either of them.
func TestTwoProvidersAreWarnedOf(t *testing.T) {
	const advice = "one failure stops publication; add a third"
	for providers, want := range map[int]bool{1: false, 2: true, 3: false} {
		c := &Config{Chains: map[string]Chain{"first": {RPC: make([]Provider, providers)}}}
		if got := strings.Contains(strings.Join(c.Warnings(), "\n"), advice); got != want {
			t.Errorf("with %d providers the warning is given: %v", providers, got)
		}
	}
}
