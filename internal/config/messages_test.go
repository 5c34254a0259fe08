package config

import (
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMessagesHelp: each broken file gets a message with the line, the key, the value found and the
// allowed values. It never contains a secret.
func TestMessagesHelp(t *testing.T) {
	const secret = "hunter2hunter2hunter2hunter2"
	gem := func(more string) string {
		return "tokens:\n  - {path: gem, symbol: GEM, name: Gem, ledger: [{label: All, bucket: issued, amount: 1}]" + more +
			"}\n"
	}
	for _, test := range []struct{ name, file, want string }{
		{"nothing", "", "p.yaml: is empty"},
		{"blanks", " \n\n", "p.yaml: is empty"},
		{"a remark alone", "# later\n", "p.yaml: is empty"},
		{"no keys", "{}\n", "p.yaml: is empty"},
		{"a byte order mark", "\ufefflease: 10s\n", "p.yaml:1: begins with a byte order mark (U+FEFF)"},
		{"UTF-16", "\xff\xfel\x00e\x00", "p.yaml: is not UTF-8 text; it looks like UTF-16"},
		{"Latin-1", "lease: 10s\nsite_url: caf\xe9\n", "p.yaml:2: is not UTF-8 text"},
		{"a NUL", "lease: 10s\x00\n", "p.yaml:1: holds the control character U+0000 in column 11"},
		{"a tab", "refresh:\n\tevery: 1m\n", "p.yaml:2: a tab (U+0009) is in the indentation; YAML wants spaces"},
		{"a name that is not in the environment", "store: $NOWHERE\n",
			"p.yaml:1: store: the environment has no value for NOWHERE; set it, or write the value here"},
		{"a no-break space before a key", "\u00a0lease: 10s\n", "U+00A0 (no-break space) in column 1"},
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
		{"a misspelt key of an entry", strings.Replace(gem(""), "bucket", "buket", 1),
			"tokens[0].ledger[0].buket: unknown key; did you mean bucket?"},
		{"no symbol", strings.Replace(gem(""), "symbol: GEM, ", "", 1), "p.yaml:2: tokens[0].symbol: is missing"},
		{"a symbol without a value", strings.Replace(gem(""), "symbol: GEM", "symbol: ", 1),
			"p.yaml:2: tokens[0].symbol: is missing"},
		{"an empty symbol", strings.Replace(gem(""), "GEM", `""`, 1), "p.yaml:2: tokens[0].symbol: want 1 to 100 characters"},
		{"no ledger", "tokens: [{path: gem, symbol: GEM, name: Gem}]\n", "tokens[0].ledger: is missing"},
		{"no bucket", strings.Replace(gem(""), "bucket: issued, ", "", 1), "tokens[0].ledger[0].bucket: is missing"},
		{"an unknown bucket", strings.Replace(gem(""), "issued", "isued", 1), `"isued": want one of`},
		{"no chain id", "chains: {one: {rpc: [\"https://a\"]}}\n", "p.yaml:1: chains.one.id: is missing"},
		{"a chain id of 0", "chains: {one: {id: 0}}\n", "p.yaml:1: chains.one.id: 0 is not the id of a network"},
		{"a chain id that is rounded", "chains: {one: {id: 9007199254740992}}\n", "chains.one.id: 9007199254740992 is not the id of a network"},
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
		{"an unknown kind of store", "store: mysql://a:" + secret + "@db/x\n", "p.yaml:1: store: want sqlite://"},
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

// TestABombCostsLittle: a small file cannot take much time or memory.
func TestABombCostsLittle(t *testing.T) {
	for name, text := range map[string]string{
		"lists":        strings.Repeat("[", 100_000),
		"maps":         strings.Repeat("{", 100_000),
		"nested":       "packs: " + strings.Repeat("[{a: ", 20_000),
		"dashes":       strings.Repeat("- ", 50_000),
		"in a text":    "a: '" + strings.Repeat("[", 100_000),
		"on each line": strings.Repeat("[\n", 50_000),
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			begin := time.Now()
			if _, err := Load("p.yaml", []byte(text), env); err == nil {
				t.Error("it is taken for a configuration")
			} else if !strings.Contains(err.Error(), "nested too deeply") {
				t.Logf("%.200v", err)
			}
			runtime.ReadMemStats(&after)
			if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 64 {
				t.Errorf("it took %d MB and %v", used, time.Since(begin))
			}
		})
	}
	text := "collection: {name: Pets, description: \"" + strings.Repeat("[", 100) + "\"} # " + strings.Repeat("[", 100) +
		"\n"
	if _, err := Load("p.yaml", []byte(text), env); err != nil {
		t.Errorf("brackets in a text and a remark: %v", err)
	}
}
