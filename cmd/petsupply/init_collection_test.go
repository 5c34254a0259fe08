package main

import (
	"html"
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
	"petsupply/testkit/contracts"
)

const dragonsABI = "../../testkit/contracts/artifacts/Dragons.json"

// collections puts contracts of all kinds on a node.
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
	owner := node.Accounts[1]
	dragons := deploy("dragons", "Dragons")
	for i := range int64(6) {
		must(t, node.Send(ctx, dragons, "hatch", owner, big.NewInt(i*0x10101), "Ember"))
	}
	deploy("no dragons", "Dragons")
	counted := deploy("counted", "Counted")
	for _, id := range []int64{7, 42} {
		must(t, node.Send(ctx, counted, "mint", owner, big.NewInt(id)))
	}
	must(t, node.Send(ctx, deploy("plain", "Plain"), "mint", owner, big.NewInt(500), big.NewInt(3)))
	must(t, node.Send(ctx, deploy("second plain", "Plain"), "mint", owner, big.NewInt(500), big.NewInt(3)))
	must(t, node.Send(ctx, deploy("large", "Counted"), "mint", owner, new(big.Int).Lsh(big.NewInt(1), 53)))
	wide := deploy("wide", "Counted")
	must(t, node.Send(ctx, wide, "mint", owner, big.NewInt(3)))
	must(t, node.Send(ctx, wide, "mint", owner, big.NewInt(1_000_000_000_003)))
	deploy("token", "Token", "Gem", "GEM", uint8(6), big.NewInt(5))
	deploy("views", "Views")
	deploy("pets", "Pets", contracts.Options{Version: 2, Offset: new(big.Int), Relative: true})
	return node, at
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
			[]string{`one: dragon `, `count: \{last: "lastDragon\(\)"\} +# lastDragon\(\) is 6, and tokens end there`,
				`dragon: \{call: "dragon\(uint256\)", returns: struct\} +# from the ABI; token 1 matches it`,
				`\{event: "Roared\(address indexed by, uint256 dragon, int16 temper\)", id: dragon\}`,
				`\{name: bornAt, type: uint64, sort: descending\}`, `\{trait: "Born At", field: bornat, display: date\}`},
			[]string{`tokens on local: lastDragon\(\) is 6`},
			"1", `"trait_type":"Title","value":"Ember"`},
		{"counted", "", "counted.yaml", []string{`count: enumerable +# totalSupply\(\) is 2, and tokenByIndex`},
			[]string{`not found: no ABI was given`}, "42", `"name":"Counted #42"`},
		{"plain", "", "plain.yaml", []string{`count: transfers +# no counter was found, and the contract is not ERC-721 Enumerable\n`},
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
			if code, out, errs := call(t, "pack", "lint", pack, "--collection", filepath.Join(dir, test.file)); code != exitOK {
				t.Errorf("pack lint: %d\n%s%s", code, out, errs)
			}
		})
	}
}

// A contract without tokens gets a draft, and the file says what could not be tried.
func TestInitWithoutATokenYet(t *testing.T) {
	t.Parallel() // it mostly waits
	node, at := collections(t)
	dir := t.TempDir()
	code, out, said := call(t, "init", "--rpc", node.URL, "--pets", at["no dragons"], "--abi", dragonsABI,
		"-o", filepath.Join(dir, "petsupply.yaml"))
	raw, _ := os.ReadFile(filepath.Join(dir, "dragons.yaml"))
	if code != exitOK || !strings.Contains(said, "not found: no token was found, so nothing could be tried") ||
		!strings.Contains(string(raw), "it could not be tried, since no token was found") {
		t.Errorf("%d\n%s%s%s", code, out, said, raw)
	}
}

// A contract that cannot be served is refused, and no file is left behind.
func TestInitRefusesACollection(t *testing.T) {
	t.Parallel() // it mostly waits
	node, at := collections(t)
	bad := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(bad, name)
		must(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	raw, err := os.ReadFile(dragonsABI)
	must(t, err)
	other := write("other.json", strings.Replace(string(raw), `"type": "int16"`, `"type": "string"`, -1))
	nothing := write("nothing.json", `{"contractName":"Dragons"}`)
	for _, test := range []struct {
		name string
		args []string
		code int
		say  string
	}{
		{"a token", []string{"--pets", at["token"]}, exitNo, "not an ERC-721 contract.*docs/COLLECTIONS.md"},
		{"another contract", []string{"--pets", at["views"]}, exitNo, "not an ERC-721 contract.*docs/COLLECTIONS.md"},
		{"ids beyond JavaScript", []string{"--pets", at["large"]}, exitNo,
			`tokenByIndex\(\) gives the id 9007199254740992, but ids may be at most 9007199254740991`},
		{"ids of two bands", []string{"--pets", at["wide"]}, exitNo,
			`its ids go from 3 to 1000000000003; a realm has at most 1000000000000 ids`},
		{"an ABI of another contract", []string{"--pets", at["dragons"], "--abi", other}, exitNo,
			`the ABI does not fit the contract: token 1: dragon answered 8 words, and should answer \d+ words and the texts \(uint256,string,bool,string,uint64\)`},
		{"a file that is no ABI", []string{"--pets", at["dragons"], "--abi", nothing}, exitUsage,
			"nothing.json: no ABI: want a JSON list"},
		{"an ABI that is not there", []string{"--pets", at["dragons"], "--abi", filepath.Join(bad, "none")}, exitUsage,
			"reading the ABI"},
		{"two contracts with the same ids", []string{"--pets", at["plain"], "--pets", at["second plain"]}, exitNo,
			"its ids overlap those of"},
		{"two shapes", []string{"--pets", at["pets"], "--pets", at["plain"]}, exitNo,
			"it needs another collection than .* run init for each of the two contracts"},
		{"standard output", []string{"--pets", at["plain"], "-o", "-"}, exitUsage, "needs a collection file beside"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			args := append([]string{"init", "--rpc", node.URL, "-o", filepath.Join(dir, "p.yaml")}, test.args...)
			code, out, errs := call(t, args...)
			if code != test.code || !regexp.MustCompile(test.say).MatchString(errs) {
				t.Errorf("exit %d, want %d and %q:\n%s%s", code, test.code, test.say, out, errs)
			}
			if left, _ := os.ReadDir(dir); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// Existing files are kept: the collection file unless --force is set, and the pack always.
func TestInitKeepsACollection(t *testing.T) {
	t.Parallel() // it mostly waits
	node, at := collections(t)
	dir := t.TempDir()
	painted := filepath.Join(dir, "plain-pack", "mine.png")
	must(t, os.MkdirAll(filepath.Dir(painted), 0o700))
	must(t, os.WriteFile(painted, []byte("mine"), 0o600))
	described := filepath.Join(dir, "plain.yaml")
	must(t, os.WriteFile(described, []byte("mine"), 0o600))
	args := []string{"init", "--rpc", node.URL, "--pets", at["plain"], "-o", filepath.Join(dir, "p.yaml")}
	if code, _, errs := call(t, args...); code != exitUsage || !strings.Contains(errs, "plain.yaml exists; add --force") {
		t.Errorf("init over a file ends with %d: %s", code, errs)
	}
	if text, _ := os.ReadFile(described); string(text) != "mine" {
		t.Errorf("it was overwritten: %s", text)
	}
	if code, out, errs := call(t, append(args, "--force")...); code != exitOK || !strings.Contains(out, "is unchanged") {
		t.Errorf("init --force ends with %d: %s%s", code, out, errs)
	}
	if left, _ := os.ReadDir(filepath.Dir(painted)); len(left) != 1 {
		t.Errorf("the pack was touched: %v", left)
	}
}

// A collection file that does not fit its contract is a fault, however tokens are found. config
// check --online, /readyz and the status page name the first token and both shapes.
func TestACollectionThatDoesNotFitIsAFault(t *testing.T) {
	t.Parallel() // it mostly waits
	node, at := collections(t)
	const dragonFields = "fields: [{name: genes, type: uint256}, {name: temper, type: int16}, {name: tame, type: bool}, " +
		"{name: title, type: string}, {name: bornAt, type: uint64}]\n"
	getter := "name: Dragons\ngetters: {dragon: {call: \"dragon(uint256)\", returns: struct}}\n"
	for _, test := range []struct {
		name, contract, file string
		code                 int
		say                  string // pattern of the output of config check
		served               string // pattern of /readyz and the status page; "" if there is no fault
	}{
		{"a true file by transfers", "dragons", getter + "count: transfers\n" + dragonFields, exitOK,
			`realm cave: has token 1: owner 0x`, ""},
		{"a missing field, by a counter", "dragons", getter + "count: {last: \"lastDragon()\"}\n" +
			strings.Replace(dragonFields, "{name: tame, type: bool}, ", "", 1), exitNo,
			`FAULT +realm cave: its contract does not fit the collection: token 6: dragon answered 8 words, and should answer 6 words and the texts \(uint256,int16,string,uint64\)`,
			`does not fit the collection: .*token 1: dragon answered 8 words, and should answer 6 words`},
		{"another type, by transfers", "dragons", getter + "count: transfers\n" + strings.Replace(dragonFields, "uint64",
			"uint8", 1), exitNo,
			`FAULT +realm cave: its contract does not fit the collection: token 1: dragon answered 8 words, and should answer .*bornat is not a valid uint8`,
			`does not fit the collection: .*token 1: .*bornat is not a valid uint8`},
		{"another getter, by transfers", "plain", getter + "count: transfers\n" + dragonFields, exitNo,
			`FAULT +realm cave: its contract does not fit the collection: token 500: dragon answered nothing, and should answer`,
			`does not fit the collection: .*token 500: dragon answered nothing`},
		{"a token's contract", "token", "name: Plain\n", exitNo,
			`FAULT +realm cave: no Transfer event of a token was found; is 0x\w+ an ERC-721 contract`,
			`[nN]o tokens were found`},
		{"no token yet", "no dragons", getter + "count: transfers\n" + dragonFields, exitOK,
			`warning +realm cave: no tokens yet, so nothing`, `[nN]o tokens were found`},
		{"not enumerable", "plain", "name: Plain\ncount: enumerable\n", exitNo,
			`FAULT +realm cave: tokenByIndex\(\) does not answer`,
			`does not fit the collection: .*so it is not ERC-721 Enumerable`},
		{"a counter that is not there", "plain", "name: Plain\ncount: {next: \"nextTokenId()\"}\n", exitNo,
			`FAULT +realm cave: the call that counts tokens does not answer with an id`,
			`does not fit the collection: .*the call that counts tokens answered 0 bytes`},
		{"ids beyond the band", "wide", "name: Plain\ncount: enumerable\n", exitNo,
			`FAULT +realm cave: .* token 1000000000003 belongs to no realm; the tokens of cave have ids from 0 to 999999999999`,
			`does not fit the collection: [tT]oken 1000000000003 belongs to no realm`},
		{"ids beyond JavaScript, by transfers", "large", "name: Plain\n", exitNo,
			`FAULT +realm cave: .* token 9007199254740992 belongs to no realm`,
			`does not fit the collection: [tT]oken 9007199254740992 belongs to no realm`},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			must(t, os.WriteFile(filepath.Join(dir, "c.yaml"), []byte(test.file), 0o600))
			file := filepath.Join(dir, "p.yaml")
			must(t, os.WriteFile(file, []byte("collection: c.yaml\nchains:\n  local: {id: 31337, rpc: [\""+node.URL+
				"\"], finality: latest, blocks: on-demand}\nrealms:\n  - {key: cave, offset: 0, chain: local, start_block: 1, "+
				"contract: \""+
				at[test.contract]+"\"}\n"), 0o600))
			code, out, errs := call(t, "config", "check", "--online", "--data", t.TempDir(), file)
			if code != test.code || !regexp.MustCompile(test.say).MatchString(out) {
				t.Errorf("exit %d, want %d and %s:\n%s%s", code, test.code, test.say, out, errs)
			}
			r := start(t, "--config", file, "--data", t.TempDir())
			want := regexp.MustCompile(test.served)
			within(t, time.Minute, "the status page", func() bool {
				page := html.UnescapeString(getText(t, r.site+"/status"))
				return strings.Contains(page, "All figures are current.") == (test.served == "") && (test.served == "" ||
					want.MatchString(page))
			})
			if ready := getText(t, r.ops+"/readyz"); test.served != "" && !want.MatchString(ready) {
				t.Errorf("/readyz: %s", ready)
			}
		})
	}
}
