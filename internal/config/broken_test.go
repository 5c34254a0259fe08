package config

import (
	"strings"
	"testing"
)

// TestBrokenFiles: each message names the line, the key, the value found and the allowed values. It
// suggests a known word if one is close.
func TestBrokenFiles(t *testing.T) {
	const contract = `"0x00000000000000000000000000000000000000A1"`
	gem := func(entry, more string) string {
		return "chains: {one: {id: 1}}\ntokens:\n  - path: gem\n    symbol: GEM\n    name: Gem\n    ledger:\n" +
			"      - {label: All, bucket: issued, " + entry + "}\n" + more
	}
	token := func(key string) string { return gem("amount: 1", "    "+key+"\n") }
	chain := func(keys string) string { return "chains:\n  one: {id: 1, " + keys + "}\n" }
	for _, test := range []struct{ name, file, want string }{
		{"measuring too often", "refresh: {every: 500ms}\n", "p.yaml:1: refresh.every: 500ms: want at least 1s"},
		{"stale before the next measurement", "refresh:\n  every: 10m\n  stale_after: 1m\n",
			"p.yaml:3: refresh.stale_after: 1m is less than every, which is 10m"},
		{"measuring less often than figures get stale", "refresh:\n  every: 20m\n",
			"p.yaml:2: refresh.every: 20m is more than stale_after, which is 10m"},
		{"refused before stale", "refresh: {refuse_after: 5m}\n",
			"p.yaml:1: refresh.refuse_after: 5m is less than stale_after, which is 10m"},
		{"seconds without a unit", "refresh: {every: 60}\n",
			`p.yaml:1: refresh.every: "60" is not a length of time; write it like 90s`},
		{"a lease that is too short", "lease: 100ms\n", "p.yaml:1: lease: 100ms: want at least 1s"},
		{"following too often", "index: {every: 1ms}\n", "p.yaml:1: index.every: 1ms: want at least 50ms"},
		{"changes that nobody can read", "index: {keep_changes: 10m}\n",
			"p.yaml:1: index.keep_changes: 10m: want at least 1h; leave it out"},
		{"a rate without a time", "limits: {per_ip: 50}\n",
			`p.yaml:1: limits.per_ip: "50" is not a rate; write 50/s, 300/m or off; "50/s public" limits public addresses only`},
		{"an address for a network", "limits: {trusted_proxies: [10.0.0.1]}\n",
			`p.yaml:1: limits.trusted_proxies[0]: "10.0.0.1" is not a network; write it like 10.0.0.0/8; did you mean 10.0.0.1/32?`},
		{"a mask that is too long", "limits: {trusted_proxies: [10.0.0.0/40]}\n",
			`p.yaml:1: limits.trusted_proxies[0]: "10.0.0.0/40" is not a network; write it like 10.0.0.0/8`},
		{"a host for an address", "supply_url: supply.example.com\n",
			`p.yaml:1: supply_url: "supply.example.com" is not an address; write it like https://supply.example.com; did you mean https://supply.example.com?`},
		{"an address with a query", "site_url: https://a.example.com?x=1\n", "p.yaml:1: site_url: has a query; write it like https://example.com"},
		{"an address with a user", "site_url: https://a:b@a.example.com\n", "p.yaml:1: site_url: has a user name; write it like https://example.com"},
		{"two interfaces at one address", "supply_url: https://a.example.com\npets_url: https://A.example.com/\n",
			"p.yaml:2: pets_url: is the same address as supply_url"},
		{"an unknown finality", chain("finality: final"),
			`p.yaml:2: chains.one.finality: "final": did you mean finalized? want finalized, safe, latest or latest-N`},
		{"a finality with a wrong number", chain("finality: latest-x"), `p.yaml:2: chains.one.finality: "latest-x": `},
		{"blocks in another spelling", chain("blocks: ondemand"), `p.yaml:2: chains.one.blocks: "ondemand": did you mean on-demand? want steady, or on-demand`},
		{"on demand and final", chain("blocks: on-demand"), "p.yaml:2: chains.one.blocks: on-demand needs finality: latest, but finality is finalized"},
		{"no Multicall3 in other words", chain("multicall: nothing"), `p.yaml:2: chains.one.multicall: "nothing": want an address or "none"`},
		{"proofs in another form", chain("proofs: require"), `p.yaml:2: chains.one.proofs: "require": did you mean required? want on, off or required`},
		{"an explorer that is a name", chain("explorer: scan"), `p.yaml:2: chains.one.explorer: "scan" is not an address; write it like https://explorer.example.com`},
		{"two chains with one id", "chains:\n  one: {id: 1}\n  two: {id: 1}\n", "p.yaml:3: chains.two.id: 1 is the id of one too"},
		{"two chains with one name", "chains:\n  one: {id: 1}\n  ONE: {id: 2}\n", "p.yaml:2: chains.one: it differs from ONE only in case"},
		{"a key twice", "chains:\n  one: {id: 1}\n  one: {id: 2}\n", "p.yaml:3: the key is already in line 2"},
		{"an end before its beginning", token("expected: [{from: 2026-12-02, to: 2026-12-01, change: +30%, reason: x}]"),
			"p.yaml:8: tokens[0].expected[0].to: 2026-12-01T00:00:00Z is not after \"from\", which is 2026-12-02T00:00:00Z"},
		{"text that is not a time", token("expected: [{from: soon, to: 2026-12-01, change: +30%, reason: x}]"),
			`p.yaml:8: tokens[0].expected[0].from: "soon" is not a time; write it like 2026-12-01 or 2026-12-01T12:00:00Z`},
		{"a change without a direction", token("expected: [{from: 2026-12-01, to: 2026-12-02, change: 30%, reason: x}]"),
			`p.yaml:8: tokens[0].expected[0].change: change "30%": want a direction and a percentage`},
		{"a percentage without its sign", token("max_change: 10"), `p.yaml:8: tokens[0].max_change: percentage "10": want a number and a percent sign`},
		{"a number with commas", token(`max_supply: "1,000"`), `p.yaml:8: tokens[0].max_supply: amount "1,000": want digits`},
		{"too many decimals", token("decimals: 99"), "p.yaml:8: tokens[0].decimals: 99: want 0 to 77"},
		{"a call without a contract", gem(`chain: one, call: "minted()"`, ""), "p.yaml:7: tokens[0].ledger[0]: \"to\" is missing: want 0x and 40 hex digits"},
		{"a call without its types", gem("chain: one, to: "+contract+", call: totalLock", ""), `p.yaml:7: tokens[0].ledger[0]: call "totalLock": want "name(types)"`},
		{"an address that is too short", gem(`chain: one, erc20: "0x12"`, ""), `p.yaml:7: tokens[0].ledger[0]: erc20 "0x12" is not an address`},
		{"a chain that is not configured", gem("chain: two, erc20: "+contract, ""), `p.yaml:7: tokens[0].ledger[0].chain: "two" is not configured: want one of [one]`},
		{"an unknown bridge", gem("amount: 1, bridge: gate", ""),
			`p.yaml:7: tokens[0].ledger[0].bridge: "gate" is not a key of bridges: want one of [], or add it there`},
		{"an entry in place of a list", "tokens:\n  path: gem\n",
			"p.yaml:2: tokens: want a list here: each entry after a hyphen, or all in brackets"},
		{"a line that is indented too little", "tokens:\n  - path: gem\n   symbol: GEM\n", "p.yaml:3: not YAML: value is not allowed in this context; check the indentation"},
		{"a colon in a value", "about: {name: x}\nsite_url: a: b\n", "put a value that contains a colon and a space in quotes"},
		{"a reserved character", "site_url: @a\n", "is a reserved character; put the value in quotes"},
		{"a text that ends at a #", "collection: {file: a.yaml, name: Pets #{number}}\n", "p.yaml:1: a # after a space begins a comment; put the text in quotes"},
		{"more nodes than there are", chain(`quorum: 3, rpc: ["https://a.example.com"]`), "p.yaml:2: chains.one.quorum: 3 of 1 providers cannot agree; want at most 1"},
		{"two sources", gem("amount: 1, native: "+contract, ""), "p.yaml:7: tokens[0].ledger[0]: has 2 sources: want one of amount, erc20"},
		{"an unknown event",
			"webhooks:\n  - {name: a, url: \"https://a.example.com\", secret: whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz, events: [pet.move]}\n",
			`p.yaml:2: webhooks[0].events[0]: "pet.move" is not an event; did you mean pet.moved? want one of pet, `},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load("p.yaml", []byte(test.file), env)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Load = %v\nwant a fault with %q", err, test.want)
			}
		})
	}
}
