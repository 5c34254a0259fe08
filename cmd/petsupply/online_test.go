package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"petsupply/testkit/kingdom"
)

// TestConfigCheckOnline compares a configuration with real chains: one that fits, and one of whose
// nodes lies.
func TestConfigCheckOnline(t *testing.T) {
	k := kingdom.Test(t, kingdom.Options{Pets: 2})
	right := k.Config(kingdom.Settings{})
	second := k.Chains[1].URL
	for _, test := range []struct {
		name, old, new string
		code           int
		say            []string // patterns of the output
	}{
		{"right", "", "", exitOK, []string{
			`crystal +issued +Minted in the third realm +third +[\d.]+ +8 decimals, published with 18`,
			`chain second has the id 31002 and is read at block \d+ \(\w+, 20\d\d-`,
			`chain second, provider second-1: state of all \d+ blocks so far, logs of all \d+ blocks at once`,
			`realm third: pets are numbered up to 2, the newest that can be read is pet 2000000000002: season \d+`,
			`realm arena: has no pet that can be read now`,
			`faults: 0, warnings: 4`}},
		{"a node of another chain among three", `rpc: ["` + second + `"]`, `rpc: ["` + second + `", "` +
			k.Chains[0].URL + `", {name: spare, url: "` + second + `/?spare", separate: true}]`,
			exitNo, []string{`FAULT +chain second, provider second-2: .*31001`, "faults: 1, warnings: 3"}},
		{"another struct", `getter: v1, custody`, `getter: v2, custody`, exitNo, []string{
			`FAULT +realm \w+: its contract does not fit the collection: token \d+: v2 answered nothing, ` +
				`and should answer 24 words`,
			"faults: 1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "petsupply.yaml")
			must(t, os.WriteFile(file, []byte(strings.Replace(right, test.old, test.new, 1)), 0o600))
			code, out, errs := call(t, "config", "check", "--online", file)
			if code != test.code {
				t.Errorf("exit %d, want %d:\n%s%s", code, test.code, out, errs)
			}
			for _, pattern := range test.say {
				if !regexp.MustCompile(pattern).MatchString(out) {
					t.Errorf("no %s in:\n%s", pattern, out)
				}
			}
		})
	}
}
