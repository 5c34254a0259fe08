package main

import (
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet/collection"
	"petsupply/testkit/anvil"
)

const dragonsABI = "../../testkit/contracts/artifacts/Dragons.json"

// collections puts a contract with traits and a plain one on a node.
func collections(t *testing.T) (node *anvil.Node, at map[string]string) {
	t.Helper()
	ctx := t.Context()
	node = anvil.Test(t, anvil.Options{})
	at = map[string]string{}
	deploy := func(key, name string, args ...any) common.Address {
		a, err := node.Deploy(ctx, name, args...)
		must(t, err)
		at[key] = a.Hex()
		return a
	}
	dragons := deploy("dragons", "Dragons")
	for i := range int64(6) {
		must(t, node.Send(ctx, dragons, "hatch", node.Accounts[1], big.NewInt(i*0x10101), "Ember"))
	}
	must(t, node.Send(ctx, deploy("plain", "Plain"), "mint", node.Accounts[1], big.NewInt(500), big.NewInt(3)))
	return node, at
}

// hint matches the first # of a line that works without it.
var hint = regexp.MustCompile(`(?m)^( *)#([^ ])`)

// uncomment makes every hint in the files part of them.
func uncomment(t *testing.T, files ...string) {
	t.Helper()
	for _, file := range files {
		text, err := os.ReadFile(file)
		must(t, err)
		if !hint.Match(text) {
			t.Errorf("%s has no hint", file)
		}
		must(t, os.WriteFile(file, hint.ReplaceAll(text, []byte("$1$2")), 0o600))
	}
}

// init writes a collection file and a pack for a contract of any shape, and both can be served
// unchanged.
func TestInitDraftsACollection(t *testing.T) {
	t.Parallel() // it mostly waits
	node, at := collections(t)
	for _, test := range []struct {
		contract, abi string
		file          string
		want, said    []string // patterns of the collection file and of the output of init
		token         string
		document      string // a pattern
	}{
		{"dragons", dragonsABI, "dragons.yaml",
			[]string{`count: transfers `,
				`dragon: \{call: "dragon\(uint256\)", returns: struct\} +# from the ABI; token 1 matches it`,
				`\{event: "Roared\(address indexed by, uint256 dragon, int16 temper\)", id: dragon\}`},
			[]string{`tokens on local: the contract is not ERC-721 Enumerable`},
			"1", `"trait_type":"Title","value":"Ember"`},
		{"plain", "", "plain.yaml", []string{`count: transfers +# the contract is not ERC-721 Enumerable\n`},
			[]string{`not found: no ABI was given`}, "501", `"name":"Plain #501"`},
	} {
		t.Run(test.contract, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "petsupply.yaml")
			args := []string{"init", "--rpc", node.URL, "--pets", at[test.contract], "-o", file}
			if test.abi != "" {
				args = append(args, "--abi", test.abi)
			}
			code, out, said := call(t, args...)
			if code != exitOK {
				t.Fatalf("init: %d\n%s%s", code, out, said)
			}
			raw, err := os.ReadFile(filepath.Join(dir, test.file))
			must(t, err)
			if _, err := collection.Parse(test.file, raw); err != nil {
				t.Errorf("%v\n%s", err, raw)
			}
			for _, want := range test.want {
				if !regexp.MustCompile(want).Match(raw) {
					t.Errorf("no %s in:\n%s", want, raw)
				}
			}
			for _, want := range test.said {
				if !regexp.MustCompile(want).MatchString(said) {
					t.Errorf("no %s in:\n%s", want, said)
				}
			}
			code, out, errs := call(t, "config", "check", "--online", "--data", t.TempDir(), file)
			if code != exitOK || !strings.Contains(out, "faults: 0") {
				t.Errorf("config check: %d\n%s%s", code, out, errs)
			}
			r := start(t, "--config", file, "--data", t.TempDir())
			within(t, time.Minute, "the token", func() bool {
				return regexp.MustCompile(test.document).MatchString(getText(t, r.pets+"/token/"+test.token))
			})
			if picture := getText(t, r.pets+"/image/"+test.token); !strings.HasPrefix(picture, "\x89PNG") {
				t.Errorf("no picture: %.200s", picture)
			}
			pack := filepath.Join(dir, test.contract+"-pack")
			code, out, errs = call(t, "pack", "lint", pack, "--collection", filepath.Join(dir, test.file))
			if code != exitOK {
				t.Errorf("pack lint: %d\n%s%s", code, out, errs)
			}
			uncomment(t, file, filepath.Join(dir, test.file))
			code, out, errs = call(t, "config", "check", "--online", "--data", t.TempDir(), file)
			if code != exitOK || !strings.Contains(out, "faults: 0") {
				t.Errorf("config check with all hints: %d\n%s%s", code, out, errs)
			}
		})
	}
}
