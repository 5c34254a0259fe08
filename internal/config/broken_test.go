package config

import (
	"strings"
	"testing"
)

// TestBrokenFiles: each message names the line, the key, the value found and the allowed values. It
// suggests a known word if one is close. It never shows a secret. The parser says nothing of octal numbers,
// underscores in numbers, bad times, second documents and keys that are no strings: they are faults too.
func TestBrokenFiles(t *testing.T) {
	const contract = `"0x00000000000000000000000000000000000000A1"`
	gem := func(entry, more string) string {
		return "chains: {one: {id: 1}}\ntokens:\n  - path: gem\n    symbol: GEM\n    name: Gem\n    ledger:\n" +
			"      - {label: All, bucket: issued, " + entry + "}\n" + more
	}
	token := func(key string) string { return gem("amount: 1", "    "+key+"\n") }
	chain := func(keys string) string { return "chains:\n  one: {id: 1, " + keys + "}\n" }
	oneToken := "tokens:\n  - {path: jade, symbol: JADE, name: Jade, decimals: 18, ledger: [{label: M, bucket: issued, " +
		"amount: \"1\"}]}\n"
	onMars := "tokens:\n  - path: jade\n    symbol: JADE\n    name: Jade\n    decimals: 18\n    ledger:\n      - " +
		"{label: M, bucket: issued, chain: mars, erc20: \"0xB3F5867E277798b50ba7A71C0b24FDcA03045eDF\"}\n"
	const secret = "hunter2hunter2hunter2hunter2"
	plainGem := func(more string) string {
		return "tokens:\n  - {path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, amount: 1}]" + more +
			"}\n"
	}
	for _, test := range []struct{ name, file, want string }{
		{"measuring too often", "refresh: {every: 500ms}\n", "p.yaml:1: refresh.every: 500ms: want at least 1s"},
		{"stale before the next measurement", "refresh:\n  every: 10m\n  stale_after: 1m\n",
			"p.yaml:2: refresh.every: 10m is more than stale_after, which is 1m"},
		{"measuring less often than figures get stale", "refresh:\n  every: 20m\n",
			"p.yaml:2: refresh.every: 20m is more than stale_after, which is 10m"},
		{"refused before stale", "refresh: {refuse_after: 5m}\n",
			"p.yaml:1: refresh.stale_after: 10m is more than refuse_after, which is 5m"},
		{"seconds without a unit", "refresh: {every: 60}\n",
			`p.yaml:1: refresh.every: "60" is not a length of time; write it like 90s`},
		{"a lease that is too short", "lease: 100ms\n", "p.yaml:1: lease: 100ms: want at least 1s"},
		{"following too often", "index: {every: 1ms}\n", "p.yaml:1: index.every: 1ms: want at least 50ms"},
		{"changes that nobody can read", "index: {keep_changes: 10m}\n",
			"p.yaml:1: index.keep_changes: 10m: want at least 1h"},
		{"a limit with a unit", "limits: {per_ip: 50/s}\n", `p.yaml:1: limits.per_ip: "50/s" is not a whole number from 0`},
		{"an address for a network", "limits: {trusted_proxies: [10.0.0.1]}\n",
			`p.yaml:1: limits.trusted_proxies[0]: "10.0.0.1" is not a network; write it like 10.0.0.0/8, or 10.0.0.1/32 for one address`},
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
		{"no chains", "chians: {}\n" + onMars, "p.yaml:1: chians: unknown key"},
		{"witness with an altered key", "tlog: {witnesses: [{url: \"https://w.example.org\", key: other" + witnessKey +
			"}]}", "tlog.witnesses[0].key: want a witness's verifier key for cosignatures with Ed25519, NAME+HASH+KEY: " +
			"invalid verifier hash"},
		{"witness nowhere", "tlog: {witnesses: [{url: w.example.org, key: " + witnessKey + "}]}",
			"tlog.witnesses[0].url: want an address"},
		{"witness twice", "tlog: {witnesses: [{url: \"https://a\", key: " + witnessKey + "}, {url: \"https://b\", key: " +
			witnessKey + "}]}", "tlog.witnesses[1].key: there is another witness named witness.example.org"},
		{"witness of itself", "tlog: {origin: witness.example.org, witnesses: [{url: \"https://a\", key: " + witnessKey +
			"}]}", "tlog.witnesses[0].key: a log cannot witness itself"},
		{"list for a value", "store: [a]", "store: want one plain value"},
		{"missing name inside", "store: postgres://u:${NOPE}@h/d", "the environment has no value for NOPE"},
		{"duplicate paths", oneToken + "  - {path: jade, symbol: J, name: J, decimals: 18, ledger: [{label: M, bucket: " +
			"issued, amount: \"1\"}]}\n", "p.yaml:3: tokens[1].path: another token has the path jade too"},
		{"overlapping realms", "realms:\n  - {key: a, name: A, offset: 0, getter: v1, closed: true}\n  - {key: b, name: " +
			"B, offset: 5, getter: v1, closed: true}\n", "p.yaml:3: realms[1]"},
		{"unknown chain", onMars, "p.yaml:7: tokens[0].ledger[0]"},
		{"a WebSocket", "chains: {a: {id: 1, rpc: [\"wss://localhost:1\"]}}",
			"p.yaml:1: chains.a.rpc[0]: WebSockets are not supported; use the provider's http or https address"},
		{"address of a token", "supply_url: https://a.example.com\npets_url: https://a.example.com/Jade/\n" + oneToken,
			"p.yaml:2: pets_url: is an address of the token JADE"},
		{"alias", "lease: &x 10s", "anchors, aliases and tags"},
		{"two documents", "lease: 10s\n---\nlease: 20s", "p.yaml:2: holds more than one document"},
		{"negative time", "lease: -5s", "cannot be negative"},
		{"same node twice", "chains: {a: {id: 1, rpc: [\"http://localhost:1\", \"http://localhost:2\", " +
			"\"http://localhost:1\"]}}", "is the same node as a-1: it would agree with itself"},
		{"a variable where no secret can be", "lease: $KEY", "p.yaml:1: lease: variables of the environment work only in keys"},
		{"a number that some read as octal", "chains: {a: {id: 010}}", `p.yaml:1: chains.a.id: "010" is not a whole number`},
		{"a number with an underscore", "chains: {a: {id: 1_0}}", `p.yaml:1: chains.a.id: "1_0" is not a whole number`},
		{"a key that is a number", "1: x", "p.yaml:1: 1: unknown key"},
		{"a second document without content", "lease: 10s\n---\n# no more\n", "p.yaml:2: holds more"},
		{"a key that is a list", "? [a, b]\n: x\n", "p.yaml:2: not YAML: "},
		{"a key that is a mapping", "lease: 10s\n{a: b}: x\n", "p.yaml:2: "},
		{"an address without its colon", "chains: {a: {id: 1, rpc: [{url \"https://node.example.com/" + secret + "\"}]}}",
			"p.yaml:1: "},
		{"name without braces", "store: postgres://a:$KEY@db/x", "${NAME}"},
		{"no file", "store: sqlite:///", "names no file"},
		{"explorer", "chains: {a: {id: 1, explorer: \"javascript:alert(1)\"}}",
			"is not an address; write it like https://explorer.example.com"},
		{"a site of the operator", "about: {website: example.com}",
			"p.yaml:1: about.website: \"example.com\" is not an address; write it like https://example.com; did you mean " +
				"https://example.com?"},
		{"a script as source", "about: {source: 'javascript:alert(1)'}", "p.yaml:1: about.source: "},
		{"a contact without a way to reach it", "about: {contact: 'me: @home'}",
			"p.yaml:1: about.contact: \"me: @home\" is neither an e-mail address nor the address of a page"},
		{"a name before the e-mail address", "about: {contact: 'Me <me@example.com>'}", "p.yaml:1: about.contact: "},
		{"a script as contact", "about: {contact: 'javascript:alert(1)'}", "p.yaml:1: about.contact: "},
		{"a long text", "about: {text: " + strings.Repeat("x", 2001) + "}",
			"p.yaml:1: about.text: has 2001 bytes, more than 2000"},
		{"nothing", "", "p.yaml: is empty"},
		{"blanks", " \n\n", "p.yaml: is empty"},
		{"a remark alone", "# later\n", "p.yaml: is empty"},
		{"no keys", "{}\n", "p.yaml: is empty"},
		{"a byte order mark", "\ufefflease: 10s\n", "p.yaml:1: has a byte order mark (U+FEFF)"},
		{"UTF-16", "\xff\xfel\x00e\x00", "p.yaml:1: is not UTF-8 text"},
		{"Latin-1", "lease: 10s\nsite_url: caf\xe9\n", "p.yaml:2: is not UTF-8 text"},
		{"a NUL", "lease: 10s\x00\n", "p.yaml:1: has the control character U+0000; remove it"},
		{"a tab", "refresh:\n\tevery: 1m\n", "p.yaml:2: a tab (U+0009) is in the indentation; YAML wants spaces"},
		{"a name that is not in the environment", "store: $NOWHERE\n",
			"p.yaml:1: store: the environment has no value for NOWHERE; set it, or write the value here"},
		{"a no-break space before a key", "\u00a0lease: 10s\n", "U+00A0 in column 1"},
		{"a zero-width space in a key", "le\u200base: 10s\n", "p.yaml:1: le<U+200B>ase: unknown key; did you mean lease?"},
		{"a no-break space in a value", "lease: 10\u00a0s\n", "p.yaml:1: lease: "},
		{"a quote from a text program", "site_url: “https://a.example.com”\n",
			"p.yaml:1: site_url: \"“https://a.example.com”\" is not an address"},
		{"a misspelt key", "suply_url: https://a.example.com\n",
			"p.yaml:1: suply_url: unknown key; did you mean supply_url? known here: "},
		{"another style of key", "supplyUrl: https://a.example.com\n", "did you mean supply_url?"},
		{"hyphens in a key", "refresh: {stale-after: 1h}\n",
			"p.yaml:1: refresh.stale-after: unknown key; did you mean stale_after?"},
		{"a key like no other", "colour: red\n", "p.yaml:1: colour: unknown key; known here: "},
		{"a misspelt key of an entry", strings.Replace(plainGem(""), "bucket", "buket", 1),
			"tokens[0].ledger[0].buket: unknown key; did you mean bucket?"},
		{"no symbol", strings.Replace(plainGem(""), "symbol: GEM, ", "", 1), "p.yaml:2: tokens[0].symbol: is missing"},
		{"a symbol without a value", strings.Replace(plainGem(""), "symbol: GEM", "symbol: ", 1),
			"p.yaml:2: tokens[0].symbol: is missing"},
		{"an empty symbol", strings.Replace(plainGem(""), "GEM", `""`, 1), "p.yaml:2: tokens[0].symbol: want 1 to 100 characters"},
		{"no ledger", "tokens: [{path: gem, symbol: GEM, name: Gem}]\n", "tokens[0].ledger: is missing"},
		{"no bucket", strings.Replace(plainGem(""), "bucket: issued, ", "", 1), "tokens[0].ledger[0].bucket: is missing"},
		{"an unknown bucket", strings.Replace(plainGem(""), "issued", "isued", 1), `"isued": want one of`},
		{"no chain id", "chains: {one: {rpc: [\"https://a\"]}}\n", "p.yaml:1: chains.one.id: is missing"},
		{"a chain id of 0", "chains: {one: {id: 0}}\n", "p.yaml:1: chains.one.id: 0 is not the id of a network"},
		{"a chain id in words", "chains: {one: {id: mainnet}}\n", `p.yaml:1: chains.one.id: "mainnet" is not a whole number`},
		{"yes for true", "realms: [{key: a, offset: 0, getter: v1, closed: yes}]\n",
			`realms[0].closed: "yes" is not true or false`},
		{"a negative chain id", "chains: {one: {id: -1}}\n", `p.yaml:1: chains.one.id: "-1" is not a whole number from 0`},
		{"a chain id with a fraction", "chains: {one: {id: 1.5}}\n", `p.yaml:1: chains.one.id: "1.5" is not a whole number`},
		{"a realm without a key", "realms: [{offset: 0, getter: v1, closed: true}]\n", "realms[0].key: is missing"},
		{"a witness without a key", "tlog: {witnesses: [{url: \"https://w\"}]}\n", "tlog.witnesses[0].key: is missing"},
		{"a webhook without a secret", "webhooks: [{name: a, url: \"https://a.example.com\"}]\n",
			"webhooks[0].secret: is missing"},
		{"half of a certificate", "tls: {cert: a.pem}\n", "p.yaml:1: tls.key: is missing"},
		{"a list for a mapping", "refresh: [1m]\n", "p.yaml:1: refresh: want keys and values"},
		{"one value for a list", "packs: embedded\n", "p.yaml:1: packs: want a list"},
		{"a quote without an end", "lease: \"10s\nindex: {every: 1s}\n", "p.yaml:1: not YAML: "},
		{"a bracket without an end", "packs: [embedded\n", "p.yaml:1: not YAML: "},
		{"no space after the colon", "lease:10s\n", "p.yaml:1: want keys and values here"},
		{"a store that is not an address", "store: host=db user=a password=" + secret + "\n",
			"p.yaml:1: store: want sqlite://"},
		{"an invalid key of the log", "tlog: {key: " + secret + "}\n", "p.yaml:1: tlog.key: "},
		{"a misspelt key with a secret", "tlog: {kee: " + secret + "}\n",
			"p.yaml:1: tlog.kee: unknown key; did you mean key?"},
		{"a node that is not an address", "chains: {one: {id: 1, rpc: [host/v2/" + secret + "]}}\n",
			"chains.one.rpc[0]: want a node's http or https address"},
		{"a node with a colon", "chains: {one: {id: 1, rpc: [\"host:" + secret + "\", host:" + secret + "]}}\n",
			"chains.one.rpc[0]: want a node's"},
		{"nodes that are not a list", "chains: {one: {id: 1, rpc: https://host/v2/" + secret + "}}\n",
			"chains.one.rpc: want a list"},
		{"a secret beside a fault", "chains: {one: {id: x, rpc: [\"https://host/v2/" + secret + "\"]}}\n",
			`"x" is not a whole number`},
		{"a secret of a webhook", "webhooks: [{name: a, url: \"https://a/" + secret + "\", secret: " + secret + "}]\n",
			"webhooks[0].secret: "},
		{"a secret in a file that is not YAML", "store: \"postgres://a:" + secret + "@db\n", "not YAML: "},
		{"a secret as an option of a block", "store: |" + secret + "\n", "not YAML: "},
		{"a secret in a remark", "lease: x # " + secret + "\n", "p.yaml:1: lease: "},
		{"a secret on a line of its own", "- " + secret + "\n", "p.yaml:1: want keys and values here"},
		{"a secret under an unknown key", "stora:\n  keys: [" + secret + ", {a: " + secret + "}]\n",
			"p.yaml:1: stora: unknown key; did you mean store?"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := Load("p.yaml", []byte(test.file), env)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Load = %v\nwant a fault with %q", err, test.want)
			} else if strings.Contains(err.Error(), secret[:10]) {
				t.Errorf("the message shows the secret:\n%v", err)
			}
		})
	}
}
