package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"petsupply/testkit/faultproxy"
	"petsupply/testkit/kingdom"
)

// TestConfigCheckOnline changes a configuration that fits its chains.
func TestConfigCheckOnline(t *testing.T) {
	k := kingdom.Test(t, kingdom.Options{Pets: 2})
	right := k.Config(kingdom.Settings{})
	second := k.Chains[1].URL
	jade := regexp.MustCompile(`"(0x[0-9a-fA-F]{40})", holder: "[^"]*", reason: The crown's own`).FindAllStringSubmatch(right, -1)
	coin := jade[len(jade)-1][1] // the contract of the last token
	views, err := k.Chains[1].Deploy(t.Context(), "Views")
	must(t, err)
	more := func(entry string) [2]string {
		return [2]string{"\nrealms:", "\n      - " + entry + "\nrealms:"}
	}
	const nobody = "0x00000000000000000000000000000000000000B0"
	for _, test := range []struct {
		name    string
		change  [2]string
		code    int
		say     string // pattern of the output
		faulty  string // number of faults and warnings
		offline bool   // found without a request to a chain
	}{
		{"right", [2]string{}, exitOK, `crystal +issued +Minted in the third realm +third +[\d.]+ +8 decimals, published with 18`, "faults: 0, warnings: 4", false},
		{"another chain's id", [2]string{"id: 31002", "id: 31009"}, exitNo, `FAULT +chain second: .*31002`, "faults: 1",
			false},
		{"a node of another chain among three", [2]string{`rpc: ["` + second + `"]`, `rpc: ["` + second + `", "` +
			k.Chains[0].URL + `", {name: spare, url: "` + k.Chains[1].URL + `/?spare", separate: true}]`},
			exitNo, `FAULT +chain second, provider second-2: .*31001`, "faults: 1, warnings: 3", false},
		{"no contract there", [2]string{`erc20: "` + coin + `", holder`, `erc20: "` + nobody + `", holder`}, exitNo,
			`FAULT +jade: "Dead address": no contract at ` + nobody + ` on third`, "", false},
		{"no realm there", [2]string{`contract: "` + k.Realms[0].Contract.Hex(), `contract: "` + nobody}, exitNo,
			`FAULT +realm first: no contract at ` + nobody, "faults: 1", false},
		{"another struct", [2]string{`getter: v1, custody`, `getter: v2, custody`}, exitNo,
			`FAULT +realm \w+: its contract does not fit the collection: token \d+: v2 answered nothing, and should answer 24 words`, "faults: 1", false},
		{"another offset", [2]string{`offset: 2000000000000`, `offset: 3000000000000`}, exitNo,
			`FAULT +realm third: .* at offset 3000000000000`, "faults: 1", false},
		{"a host without its first block", [2]string{fmt.Sprintf("start_block: %d}\n", k.Realms[3].Start),
			"start_block: 0}\n"}, exitOK, `warning +realm arena: .* so set start_block`, "faults: 0, warnings: 5", false},
		{"a call that nobody answers", more(`{label: Odd, bucket: locked, chain: third, to: "` + coin +
			`", call: noSuchThing()}`), exitNo, `FAULT +jade: "Odd": .* does not answer`, "faults: 1", false},
		{"a holder in two buckets", more(`{label: Twice, bucket: locked, chain: third, native: "` + kingdom.Treasury.Hex() +
			`"}`), exitNo,
			`FAULT +jade: the address ` + kingdom.Treasury.Hex() + ` is in two buckets: ` +
				`reserved \(entry "Treasury"\) and locked \(entry "Twice"\), on third`, "", false},
		{"the same read in two buckets", more(`{label: Twice, bucket: locked, chain: third, erc20: "` + coin +
			`", holder: "` + kingdom.Treasury.Hex() + `"}`), exitUsage,
			`counted twice`, "", true},
		{"a call about a holder", more(`{label: Its locks, bucket: locked, chain: third, to: "` + coin +
			`", call: lockOf(address), args: ["` + kingdom.Treasury.Hex() + `"]}`), exitOK,
			`warning +jade: the address ` + kingdom.Treasury.Hex() + ` is in two buckets: ` +
				`reserved \(entry "Treasury"\) and locked \(entry "Its locks"\), on third`,
			"faults: 0", false},
		{"a holder that holds nothing", more(`{label: Forgotten, bucket: reserved, chain: third, erc20: "` + coin +
			`", holder: "` + nobody + `"}`), exitOK,
			`warning +jade: "Forgotten" holds nothing`, "faults: 0, warnings: 5", false},
		{"proofs that nodes can give", [2]string{"id: 31003", "proofs: required, id: 31003"}, exitOK, `jade +issued`,
			"faults: 0, warnings: 4", false},
		{"proofs that they cannot", more(`{label: Odd, bucket: locked, chain: second, to: "` + views.Hex() +
			`", call: gasEnough()}`), exitNo,
			`FAULT +jade: proofs of second are required: entry "Odd": it depends on the gas that is left: not provable`,
			"faults: 1", false},
		{"a letter of the other case", [2]string{coin, flip(coin)}, exitUsage, `wrong checksum`, "", true},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(right, test.change[0], test.change[1], 1)
			if test.name == "proofs that they cannot" {
				text = strings.Replace(text, "id: 31002", "proofs: required, id: 31002", 1)
			}
			if test.name != "right" && text == right {
				t.Fatalf("nothing to alter: %s", test.change[0])
			}
			file := filepath.Join(t.TempDir(), "petsupply.yaml")
			must(t, os.WriteFile(file, []byte(text), 0o600))
			code, out, errs := call(t, "config", "check", "--online", file)
			_, shown, online := strings.Cut(out, "chain arena")
			if online == test.offline {
				t.Errorf("asked the chains: %t", online)
			}
			if shown += errs; code != test.code || !regexp.MustCompile(test.say).MatchString(shown) ||
				!strings.Contains(shown, test.faulty) {
				t.Errorf("exit %d, want %d, %s and %s:\n%s", code, test.code, test.say, test.faulty, shown)
			}
			for _, pattern := range saidWhenRight {
				if test.name == "right" && !regexp.MustCompile(pattern).MatchString(out) {
					t.Errorf("no %s in:\n%s", pattern, out)
				}
			}
		})
	}
}

// TestConfigCheckSeesTheMomentOfASlowerChain: chains joined by a bridge are read at one time. A
// node of the faster chain may no longer keep the state of that time.
func TestConfigCheckSeesTheMomentOfASlowerChain(t *testing.T) {
	k := kingdom.Test(t, kingdom.Options{Pets: 1})
	full := faultproxy.Test(t, k.Chains[1].URL)
	text := k.Config(kingdom.Settings{Nodes: map[string][]string{k.Chains[1].Name: {full.URL}}})
	must(t, k.Chains[1].MineEvery(t.Context(), 8, time.Second)) // the other chains make no block meanwhile
	file := filepath.Join(t.TempDir(), "petsupply.yaml")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	for keeps, want := range map[uint64]string{
		2:  `FAULT +measuring crystal: .*state of the block is gone.* are all read at the time of the slowest one: set its finality closer`,
		13: `warning +crystal: chain second, provider second-1: the chain is read \d+ blocks back, .* keeps only \d+ blocks of state;`,
	} {
		t.Run(fmt.Sprintf("a node that keeps %d blocks", keeps), func(t *testing.T) {
			must(t, full.Set(faultproxy.Forgets(keeps, "missing trie node 1234 (path )")))
			if _, out, errs := call(t, "config", "check", "--online", file); !regexp.MustCompile(want).MatchString(out) {
				t.Errorf("no %s in\n%s%s", want, out, errs)
			}
		})
	}
}

// saidWhenRight is the output for a configuration that fits its chains: the limits of nodes, a pet
// of every realm, and the cost of a day.
var saidWhenRight = []string{
	`chain second has the id 31002 and is read at block \d+ \(20\d\d-`,
	`chain second, provider second-1: state of all \d+ blocks so far, logs of all \d+ blocks at once`,
	`realm third: pets are numbered up to 2, the newest that can be read is pet 2000000000002: season \d+, egg \d+, rarity \d+, element \d+, owner 0x[0-9a-fA-F]{40}`,
	`realm arena: has no pet that can be read now`,
	`chain arena: each provider gets about \d{6} requests a day \(tokens every 2s: 0, pets every 500ms: at most \d+\)`,
	`chain third: each provider gets about \d+ requests a day \(tokens every 2s: [1-9]\d+, pets every 500ms: at most [1-9]\d+\)`,
}

// flip changes the case of one letter of an address.
func flip(address string) string {
	for i := 2; i < len(address); i++ {
		if c := address[i]; c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F' {
			return address[:i] + string(c^0x20) + address[i+1:]
		}
	}
	return address
}
