package probe

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/pet/collection"
	"petsupply/testkit/stubnode"
)

// newCollection puts an ERC-721 contract with tokens on a node.
func newCollection(n *stubnode.Node, ids ...uint64) *stubnode.Contract {
	c := &stubnode.Contract{First: 1}
	c.Answer("name()", stubnode.Text("Cats"))
	for _, id := range ids {
		c.Answer("ownerOf(uint256)", stubnode.Address(owner), stubnode.Word(id))
	}
	n.Contracts[petsAddr] = c
	return c
}

func claims(c *stubnode.Contract, id string) {
	c.Answer("supportsInterface(bytes4)", stubnode.Word(1), common.RightPadBytes(common.FromHex(id), 32))
}

// draftedFile returns the collection file of a contract, the printed lines, and the error. The file
// must be valid, also with all its suggestions.
func draftedFile(t *testing.T, n *stubnode.Node, abi ABI) (file, said string, err error) {
	t.Helper()
	s, out := newFacts(t, n)
	if err := s.AddPets(t.Context(), petsAddr.Hex(), abi); err != nil {
		return "", out.String(), err
	}
	drafted(t, s)
	name, _, text := s.Collection()
	if _, err := collection.Parse(name, text); err != nil {
		t.Errorf("%v\n%s", err, text)
	}
	all := regexp.MustCompile(`(?m)^( *)#([^ ])`).ReplaceAllString(string(text), "$1$2")
	if _, err := collection.Parse(name, []byte(all)); err != nil {
		t.Errorf("with all suggestions: %v\n%s", err, all)
	}
	return string(text), out.String(), nil
}

func TestCountOfTokens(t *testing.T) {
	for _, test := range []struct {
		name  string
		set   func(*stubnode.Node)
		file  string // a pattern; "": the contract is refused
		fault string
	}{
		{"a list", func(n *stubnode.Node) {
			c := newCollection(n, 4)
			c.Answer("totalSupply()", stubnode.Word(1))
			c.Answer("tokenByIndex(uint256)", stubnode.Word(4), stubnode.Word(0))
		}, `count: enumerable +# tokenByIndex\(\) lists the tokens`, ""},
		{"no list", func(n *stubnode.Node) { claims(newCollection(n, 1), "80ac58cd") },
			`count: transfers +# the contract is not ERC-721 Enumerable`, ""},
		{"an empty list", func(n *stubnode.Node) {
			c := newCollection(n)
			c.Answer("totalSupply()", stubnode.Word(0))
			claims(c, "80ac58cd")
			claims(c, "780e9d63")
		}, `count: enumerable`, ""},
		{"no logs to be searched", func(n *stubnode.Node) {
			claims(newCollection(n), "80ac58cd")
			n.Refuse["eth_getLogs"] = "not here"
		}, `count: transfers +# .*\? Transfer events could not be searched: `, ""},
		{"a hostile name", func(n *stubnode.Node) {
			c := newCollection(n, 1)
			claims(c, "80ac58cd")
			c.Answer("name()", stubnode.Text("{number#} \" : \n# ../../x"))
		}, `name: "number# \\" : # ../../x"`, ""},
		{"ERC-1155", func(n *stubnode.Node) { claims(newCollection(n), "d9b67a26") }, "", "it is ERC-1155"},
		{"an id of 256 bits", func(n *stubnode.Node) {
			c := newCollection(n)
			c.Answer("totalSupply()", stubnode.Word(1))
			c.Answer("tokenByIndex(uint256)", slices.Repeat([]byte{0xff}, 32), stubnode.Word(0))
		}, "", `tokenByIndex\(\) gives the id 1157920\d+, but ids may be at most`},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := stubnode.Test(t)
			test.set(n)
			file, said, err := draftedFile(t, n, nil)
			if test.file != "" {
				if err != nil {
					t.Fatal(err)
				}
				wantAll(t, file, test.file)
				wantAll(t, said, "not found: no ABI was given")
			} else if err == nil || !regexp.MustCompile(test.fault).MatchString(err.Error()) {
				t.Errorf("%v, want %s", err, test.fault)
			}
		})
	}
}

// A contract that does not claim to be ERC-721 and has no token must at least have ownerOf in its ABI.
func TestAnABIWithoutOwners(t *testing.T) {
	id := arg("id", "uint256")
	for fits, item := range map[bool]string{false: view("cat", id, arg("fur", "uint8")),
		true: view("ownerOf", id, arg("", "address"))} {
		n := stubnode.Test(t)
		newCollection(n)
		abi, err := ParseABI([]byte("[" + item + "]"))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := draftedFile(t, n, abi); fits != (err == nil) {
			t.Errorf("%s: %v", item, err)
		}
	}
}

// view returns a function of an ABI.
func view(name, inputs, outputs string) string {
	return fmt.Sprintf(`{"type":"function","name":%q,"stateMutability":"view","inputs":[%s],"outputs":[%s]}`, name,
		inputs, outputs)
}

func arg(name, kind string) string { return fmt.Sprintf(`{"name":%q,"type":%q}`, name, kind) }

func tuple(args ...string) string {
	return `{"name":"","type":"tuple","components":[` + strings.Join(args, ",") + `]}`
}

func TestTraitsFromABI(t *testing.T) {
	id := arg("tokenId", "uint256")
	words := func(n ...uint64) (out []byte) {
		for _, w := range n {
			out = append(out, stubnode.Word(w)...)
		}
		return out
	}
	for _, test := range []struct {
		name  string
		items []string
		set   func(*stubnode.Contract)
		want  []string // patterns of the file
		fault string
	}{
		{"a struct with odd names", []string{view("cat", id,
			tuple(arg("id", "uint256"), arg("owner", "address"), arg("_fur", "uint8"), arg("at", "uint32"),
				arg("", "bool")))},
			func(c *stubnode.Contract) {
				c.Answer("cat(uint256)", words(1, 7, 4, 1_700_000_000, 1), stubnode.Word(1))
				c.Answer("cat(uint256)", words(2, 7, 1, 0, 0), stubnode.Word(2))
			},
			[]string{`name: id, type: uint256, is: id\}`, `name: ownerValue2, type: address\}`,
				`name: fur, type: uint8, filter: true\}`,
				`name: atValue4, type: uint32\}`, `name: value5, type: bool, filter: true\}`,
				`\{trait: "Fur", field: fur\}`}, ""},
		{"values of two functions", []string{view("stats", id, arg("level", "uint16")+","+arg("xp", "uint256")),
			view("getMood", arg("", "uint256"), arg("", "uint8"))},
			func(c *stubnode.Contract) {
				for n := range uint64(2) {
					c.Answer("stats(uint256)", words(9, 1), stubnode.Word(n+1))
					c.Answer("getMood(uint256)", words(n), stubnode.Word(n+1))
				}
			},
			[]string{`getters: .*\n  stats: \{call: "stats\(uint256\)", returns: values\} .*\ncount: `}, ""},
		{"a listed token without an owner", []string{view("cat", id, arg("id", "uint256")+","+arg("fur", "uint8"))},
			func(c *stubnode.Contract) {
				c.Answer("totalSupply()", stubnode.Word(3))
				c.Answer("tokenByIndex(uint256)", stubnode.Word(9), stubnode.Word(2))
				c.Answer("cat(uint256)", words(1, 7), stubnode.Word(1))
				c.Answer("cat(uint256)", words(2, 7), stubnode.Word(2))
			},
			[]string{`name: id, type: uint256, is: id\}`}, ""},
		{"a function that does not fit, and one that does",
			[]string{view("stats", id, arg("level", "uint16")+","+arg("xp", "uint256")),
				view("getMood", arg("", "uint256"), arg("", "uint8"))},
			func(c *stubnode.Contract) {
				for n := range uint64(2) {
					c.Answer("getMood(uint256)", words(n), stubnode.Word(n+1))
				}
			},
			[]string{`# Not found: token 1: stats answered nothing`, `getMood: \{call: "getMood\(uint256\)"`,
				`name: Mood, type: uint8`}, ""},
		{"a function that answers for some", []string{view("cat", id, arg("fur", "uint8"))},
			func(c *stubnode.Contract) { c.Answer("cat(uint256)", words(0), stubnode.Word(2)) },
			[]string{`cat: \{call`}, ""},
		{"no trait at all", []string{view("ownerOf", id, arg("", "address")),
			view("tokenURI", id, arg("", "string"))}, func(*stubnode.Contract) {},
			[]string{`# Not found: no function of the ABI takes an id and returns traits`}, ""},
		{"another shape", []string{view("cat", id, arg("fur", "uint8")+","+arg("eyes", "uint8"))},
			func(c *stubnode.Contract) { c.Answer("cat(uint256)", words(1), stubnode.Word(1)) }, nil,
			`the ABI does not fit the contract: token 1: cat answered 1 words, and should answer 2 words \(uint8,uint8\)`},
		{"an event", []string{view("cat", id, arg("fur", "uint8")),
			`{"type":"event","name":"Purred","inputs":[` + arg("cat", "uint256") + `,` + arg("", "bytes") + `]}`,
			`{"type":"event","name":"Paid","inputs":[` + arg("amount", "uint256") + `]}`},
			func(c *stubnode.Contract) { c.Answer("cat(uint256)", words(1), stubnode.Word(1)) },
			[]string{`events: .*\n  - \{event: "Purred\(uint256 cat, bytes arg2\)", id: cat\} .*\nfields`}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := stubnode.Test(t)
			c := newCollection(n, 1, 2)
			c.Answer("totalSupply()", stubnode.Word(2))
			for i := range uint64(2) {
				c.Answer("tokenByIndex(uint256)", stubnode.Word(i+1), stubnode.Word(i))
			}
			test.set(c)
			abi, err := ParseABI([]byte("[" + strings.Join(test.items, ",") + "]"))
			if err != nil {
				t.Fatal(err)
			}
			file, _, err := draftedFile(t, n, abi)
			switch {
			case test.fault == "" && err != nil:
				t.Fatal(err)
			case test.fault != "" && (err == nil || !regexp.MustCompile(test.fault).MatchString(err.Error())):
				t.Errorf("%v, want %s", err, test.fault)
			}
			if test.fault == "" {
				wantAll(t, file, test.want...)
			}
		})
	}
}

func TestFormsOfAnABI(t *testing.T) {
	list := "[" + view("cat", arg("id", "uint256"), arg("fur", "uint8")) + "]"
	asText, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, text string
		ok         bool
	}{
		{"a list", list, true},
		{"a compiler's file", `{"contractName":"Cats","abi":` + list + `}`, true},
		{"an explorer's answer", `{"status":"1","result":` + string(asText) + `}`, true},
		{"an explorer's refusal", `{"status":"0","result":"Contract source code not verified"}`, false},
		{"an empty list", `[]`, false},
		{"nothing", ``, false},
		{"a list of numbers", `[1,2]`, false},
		{"deep nesting", strings.Repeat("[", 100_000), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			abi, err := ParseABI([]byte(test.text))
			if getters := abi.getters(); (err == nil) != test.ok || (len(getters) == 1) != test.ok {
				t.Errorf("%v, %d getters", err, len(getters))
			}
		})
	}
}
