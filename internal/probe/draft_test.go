package probe

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/pet"
	"petsupply/internal/supply/ledger"
	"petsupply/testkit/stubnode"
)

var (
	gem      = common.HexToAddress("0x00000000000000000000000000000000000000a1")
	petsAddr = common.HexToAddress("0x00000000000000000000000000000000000000a2")
	owner    = common.HexToAddress("0x00000000000000000000000000000000000000b1")
	nobody   = common.HexToAddress("0x00000000000000000000000000000000000000b2")
)

// newToken puts a token with 6 decimals on a node. Some of it is burned, and some is on a bridge.
func newToken(n *stubnode.Node) *stubnode.Contract {
	c := &stubnode.Contract{First: 1}
	c.Answer("totalSupply()", stubnode.Word(1000_500000))
	c.Answer("decimals()", stubnode.Word(6))
	c.Answer("symbol()", stubnode.Text("GEM"))
	c.Answer("name()", stubnode.Text(`Gem "of" the hills`))
	for _, h := range deadAddresses {
		c.Answer("balanceOf(address)", stubnode.Word(0), stubnode.Address(common.HexToAddress(h.address)))
	}
	c.Answer("balanceOf(address)", stubnode.Word(25_000000),
		stubnode.Address(common.HexToAddress(deadAddresses[0].address)))
	n.Contracts[gem] = c
	return c
}

// newPets puts pets on a node. Their struct has that many fields.
func newPets(n *stubnode.Node, next uint64, fields int, ids ...uint64) *stubnode.Contract {
	c := &stubnode.Contract{First: 321}
	getter := "getPet(uint256)"
	if fields == 22 {
		getter = "getPetV2(uint256)"
	}
	if next > 0 {
		c.Answer("nextPetId()", stubnode.Word(next))
	}
	for _, id := range ids {
		c.Answer("ownerOf(uint256)", stubnode.Address(owner), stubnode.Word(id))
		c.Answer(getter, stubnode.Pet(id, fields), stubnode.Word(id))
	}
	n.Contracts[petsAddr] = c
	return c
}

// newFacts returns the facts about nodes, and the printed lines.
func newFacts(t *testing.T, nodes ...*stubnode.Node) (*Facts, *strings.Builder) {
	t.Helper()
	var said strings.Builder
	s := &Facts{Print: func(format string, args ...any) { fmt.Fprintf(&said, format+"\n", args...) }}
	t.Cleanup(s.Close)
	for _, n := range nodes {
		if err := s.AddNode(t.Context(), n.URL, n.URL); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.ReadChains(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, &said
}

// drafted returns the draft, which must be a valid configuration, also with all its suggestions.
func drafted(t *testing.T, s *Facts) (string, *config.Config) {
	t.Helper()
	text := s.Draft(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
	cfg, err := config.Load("draft.yaml", text, func(string) string { return "https://node.example.com" })
	if err != nil {
		t.Fatalf("the draft is not a configuration: %v\n%s", err, text)
	}
	all := regexp.MustCompile(`(?m)^( *)#([^ ])`).ReplaceAllString(string(text), "$1$2")
	if _, err := config.Load("draft.yaml", []byte(all),
		func(string) string { return "https://node.example.com" }); err != nil {
		t.Errorf("with all suggestions: %v\n%s", err, all)
	}
	return string(text), cfg
}

// draftFor drafts a configuration for contracts on nodes: petsAddr has pets, others are tokens. It
// also returns the printed lines.
func draftFor(t *testing.T, contracts []common.Address, nodes ...*stubnode.Node,
) (text, said string, cfg *config.Config) {
	t.Helper()
	f, out := newFacts(t, nodes...)
	for _, at := range contracts {
		var err error
		if at == petsAddr {
			err = f.AddPets(t.Context(), at.Hex(), nil)
		} else {
			err = f.AddToken(t.Context(), at.Hex())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	text, cfg = drafted(t, f)
	return text, out.String(), cfg
}

var (
	onlyToken = []common.Address{gem}
	onlyPets  = []common.Address{petsAddr}
	both      = []common.Address{gem, petsAddr}
)

func wantAll(t *testing.T, text string, patterns ...string) {
	t.Helper()
	for _, p := range patterns {
		if !regexp.MustCompile(p).MatchString(text) {
			t.Errorf("no %s in:\n%s", p, text)
		}
	}
}

func TestDraftOfATokenAndPets(t *testing.T) {
	n := stubnode.Test(t)
	c := newToken(n)
	c.Answer("cap()", stubnode.Word(5000_000000))
	newPets(n, 4, 22, pet.Band+1, pet.Band+2)
	text, said, cfg := draftFor(t, both, n)
	wantAll(t, said, `a node of chain 5`, `chain chain-5 has the id 5 and is read at block 990 \(finalized, `,
		`provider chain-5-1: state of all \d+ blocks so far`,
		`token GEM \(Gem "of" the hills\) on chain-5: 1000.5 in all, 6 decimals`,
		`Dead address holds 25`, `pets on chain-5: nextPetId\(\) is 4; pet 1000000000002: `)
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && !strings.Contains(line, "# ") {
			t.Errorf("a line without a reason: %s", line)
		}
	}
	wantAll(t, text, `max_supply: "5000"`, `1 of 3 nodes`, `store: sqlite://petsupply.db`)
	token, realm := cfg.Tokens[0], cfg.Realms[0]
	if token.Path != "gem" || token.Decimals != 6 || len(token.Ledger) != 2 || token.Ledger[1].Bucket != "burned" {
		t.Errorf("token: %+v", token)
	}
	if *realm.Offset != pet.Band || realm.Getter != "v2" || realm.StartBlock != 321 || realm.Contract != petsAddr {
		t.Errorf("realm: %+v", realm)
	}
}

func TestOddTokens(t *testing.T) {
	for _, test := range []struct {
		name    string
		change  func(*stubnode.Contract)
		path    string
		pattern string
	}{
		{"a symbol as bytes32", func(c *stubnode.Contract) {
			c.Answer("symbol()", common.RightPadBytes([]byte("ORE"), 32))
		},
			"ore", `symbol: "ORE"`},
		{"no symbol", func(c *stubnode.Contract) { c.Answer("symbol()", nil) }, "000000", `symbol: "000000"`},
		{"a symbol of control characters",
			func(c *stubnode.Contract) { c.Answer("symbol()", stubnode.Text("\x1b[2J\n")) },
			"2j", `symbol: "\[2J"`},
		{"a symbol without a letter", func(c *stubnode.Contract) { c.Answer("symbol()", stubnode.Text("₿")) },
			"token", `symbol: "₿"`},
		{"a name that claims to be longer than it is", func(c *stubnode.Contract) {
			c.Answer("name()", append(stubnode.Word(32), stubnode.Word(1<<62)...))
		}, "gem", `name: "GEM"`},
		{"a long name", func(c *stubnode.Contract) { c.Answer("name()", stubnode.Text(strings.Repeat("é", 200))) },
			"gem", `name: "é{50}"`},
		{"a cap below the total", func(c *stubnode.Contract) { c.Answer("cap()", stubnode.Word(1)) }, "gem",
			`decimals: 6 .*\n +max_change`},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := stubnode.Test(t)
			test.change(newToken(n))
			text, _, cfg := draftFor(t, onlyToken, n)
			wantAll(t, text, test.pattern)
			if cfg.Tokens[0].Path != test.path {
				t.Errorf("the path is %s, want %s", cfg.Tokens[0].Path, test.path)
			}
		})
	}
}

func TestOddPets(t *testing.T) {
	for _, test := range []struct {
		name    string
		set     func(*stubnode.Node)
		pattern string
	}{
		{"the first struct", func(n *stubnode.Node) { newPets(n, 2, 20, 1) },
			`offset: 0 .*\n(.*\n)*.*getter: v1 +# pet 1: `},
		{"ids that count from the offset", func(n *stubnode.Node) { newPets(n, 2*pet.Band+3, 22, 2*pet.Band+1) },
			`offset: 2000000000000 +# where its ids begin; nextPetId\(\) is 2000000000003`},
		{"no pet yet", func(n *stubnode.Node) { newPets(n, pet.Band+1, 22) },
			`offset: 1000000000000 (.*\n)*.*getter: v2 +# no pet yet`},
		{"a host with a pet", func(n *stubnode.Node) {
			c := newPets(n, 0, 20, 77)
			c.Answer("totalSupply()", stubnode.Word(1))
			c.Answer("tokenByIndex(uint256)", stubnode.Word(77), stubnode.Word(0))
		}, `no offset: no nextPetId\(\)(.*\n)*.*getter: v1 +# pet 77: `},
		{"nodes without old states", func(n *stubnode.Node) {
			n.KeepState = 100
			newPets(n, 2, 22, 1)
		}, `nodes do not keep such old states\. Add start_block`},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := stubnode.Test(t)
			test.set(n)
			text, _, _ := draftFor(t, onlyPets, n)
			wantAll(t, text, test.pattern)
		})
	}
}

func TestRefusals(t *testing.T) {
	n := stubnode.Test(t)
	newToken(n)
	newPets(n, 3, 22) // counts two pets that nobody owns
	odd := common.HexToAddress("0x00000000000000000000000000000000000000a3")
	n.Contracts[odd] = &stubnode.Contract{First: 1}
	n.Contracts[odd].Answer("totalSupply()", stubnode.Word(1))
	n.Contracts[odd].Answer("decimals()", stubnode.Word(1<<40))
	s, _ := newFacts(t, n)
	for _, test := range []struct {
		name    string
		add     func() error
		pattern string
	}{
		{"an invalid address", func() error { return s.AddToken(t.Context(), "0x12") }, `token "0x12": `},
		{"pets at an invalid address", func() error { return s.AddPets(t.Context(), "here", nil) }, `pets "here": `},
		{"no contract", func() error { return s.AddToken(t.Context(), nobody.Hex()) },
			`there is no contract at .* on chain-5 \(5\)`},
		{"pets as a token", func() error { return s.AddToken(t.Context(), petsAddr.Hex()) },
			"not an ERC-20 token: totalSupply"},
		{"too many decimals", func() error { return s.AddToken(t.Context(), odd.Hex()) },
			"not an ERC-20 token: decimals\\(\\) says"},
		{"a token as pets", func() error { return s.AddPets(t.Context(), gem.Hex(), nil) },
			"not an ERC-721 contract: .*docs/COLLECTIONS.md"},
		{"pets that cannot be read", func() error { return s.AddPets(t.Context(), petsAddr.Hex(), nil) },
			"not an ERC-721 contract"},
		{"a node twice", func() error { return s.AddNode(t.Context(), n.URL, n.URL) }, "has the host and port of"},
		{"no node", func() error { return s.AddNode(t.Context(), "$NODE", "http://127.0.0.1:1") }, `the node \$NODE: `},
	} {
		t.Run(test.name, func(t *testing.T) {
			if err := test.add(); err == nil || !regexp.MustCompile(test.pattern).MatchString(err.Error()) {
				t.Errorf("%v, want %s", err, test.pattern)
			}
		})
	}
	if err := new(Facts).ReadChains(t.Context()); err == nil {
		t.Error("no node was accepted")
	}
	for method, want := range map[string]string{"eth_call": "on chain-5: ",
		"eth_getCode": "token: chain chain-5 (5): "} {
		n.Refuse = map[string]string{method: "ill"}
		if err := s.AddToken(t.Context(), gem.Hex()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a node that refuses %s: %v", method, err)
		}
	}
}

// The chain is read at the most settled block that works.
func TestFinality(t *testing.T) {
	for _, test := range []struct {
		name, want string
		set        func(*stubnode.Node)
	}{
		{"final blocks", "finality: finalized ", func(*stubnode.Node) {}},
		{"no final blocks", "finality: latest-10 ", func(n *stubnode.Node) { n.NoFinal = true }},
		{"state of the newest blocks only", "finality: latest ", func(n *stubnode.Node) { n.KeepState = 5 }},
		{"anvil", "finality: latest +# a development node(.*\n) +blocks: on-demand +# it makes a block only for a transaction",
			func(n *stubnode.Node) { n.Version = "anvil/v1.5.0" }},
		{"anvil with an interval", "finality: latest +# a development node.*\n$", func(n *stubnode.Node) {
			n.Version, n.Interval = "anvil/v1.5.0", true
		}},
		{"anvil with an interval that has stopped", "blocks: on-demand +# its newest block is from .* \\? ",
			func(n *stubnode.Node) {
				n.Version, n.Interval, n.Newest = "anvil/v1.5.0", true, time.Now().AddDate(0, -1, 0)
			}},
		{"Hardhat", "finality: latest +# a development node", func(n *stubnode.Node) {
			n.Version = "HardhatNetwork/2.26.3/@nomicfoundation/edr/0.11.3"
		}},
		{"a client with another name", "finality: finalized ",
			func(n *stubnode.Node) { n.Version = "Geth/v1.16.7/anvil" }},
		{"an old newest block", "blocks: on-demand +# its newest block is from .* \\? ",
			func(n *stubnode.Node) { n.Newest = time.Now().AddDate(0, -1, 0) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := stubnode.Test(t)
			test.set(n)
			text, _, _ := draftFor(t, nil, n)
			wantAll(t, text, test.want)
		})
	}
	n := stubnode.Test(t)
	n.Refuse["eth_getBalance"] = "out of order"
	s := &Facts{Print: func(string, ...any) {}}
	if err := s.AddNode(t.Context(), n.URL, n.URL); err != nil {
		t.Fatal(err)
	}
	if err := s.ReadChains(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "chain chain-5 (5): reading at finalized: ") {
		t.Errorf("a node that cannot be read: %v", err)
	}
}

// A chain with one real node is not a development chain.
func TestOneRealNode(t *testing.T) {
	a, b := stubnode.Test(t), stubnode.Test(t)
	b.Newest, a.Version = a.Newest, "anvil/v1.5.0"
	text, _, _ := draftFor(t, nil, a, b)
	wantAll(t, text, "finality: finalized ")
}

// A contract that is not in the final block yet is read at the newest block.
func TestAContractThatIsNotFinalYet(t *testing.T) {
	n := stubnode.Test(t)
	newToken(n).First = 1000
	newPets(n, 2, 22, 1).First = 999
	text, said, cfg := draftFor(t, both, n)
	wantAll(t, said,
		`there is no contract at `+gem.Hex()+` in block 990 \(finalized\) yet; it is read at the newest block, 1000`)
	wantAll(t, text, `finality: finalized `,
		`The block that is read \(finalized\) does not have the contract yet\. The figures begin when the block has it\.`,
		`The block that is read \(finalized\) does not have the contract yet\. The pets appear when the block has it\.`)
	if cfg.Realms[0].StartBlock != 999 {
		t.Errorf("start_block is %d, want 999", cfg.Realms[0].StartBlock)
	}
}

// A node that disagrees with the others is named in the file.
func TestAnOutvotedNodeIsNamed(t *testing.T) {
	a, b, c := stubnode.Test(t), stubnode.Test(t), stubnode.Test(t)
	for _, n := range []*stubnode.Node{a, b, c} {
		n.Newest = a.Newest
		newToken(n)
	}
	b.Contracts[gem].Answer("totalSupply()", stubnode.Word(7))
	text, _, _ := draftFor(t, onlyToken, a, b, c)
	wantAll(t, text, `\? Provider chain-5-2 cannot be used: it disagrees with the other providers`)
}

// The comments in the file match the program's defaults.
func TestCommentsAreTrue(t *testing.T) {
	n := stubnode.Test(t)
	newToken(n)
	text, _, cfg := draftFor(t, onlyToken, n)
	wantAll(t, text, fmt.Sprintf(`max_change: 10%% +# \? a larger change within an hour is held `+
		`until further measurements have agreed with it for %.0f minutes, or until you release it`,
		cfg.Refresh.Rules().HoldFor.Minutes()))
	if cfg.Tokens[0].Release == ledger.ByHand {
		t.Error("only an operator can release a hold")
	}
}

// The same token on two chains is drafted once, with a question about a bridge.
func TestATokenOnTwoChains(t *testing.T) {
	a, b := stubnode.Test(t), stubnode.Test(t)
	b.ID = 8453
	newToken(a)
	newToken(b)
	text, _, cfg := draftFor(t, onlyToken, a, b)
	wantAll(t, text, `base:`, `\? GEM is also on base`)
	if len(cfg.Tokens) != 1 || len(cfg.Chains) != 2 {
		t.Errorf("%d tokens on %d chains", len(cfg.Tokens), len(cfg.Chains))
	}
}

// Real clients' answers, recorded on private chains. The token and the pets were deployed in the
// newest block.
func TestInitOnClients(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(*stubnode.Node)
		want []string
	}{
		{"geth, whose first final block is far off", func(n *stubnode.Node) {
			n.Version, n.FinalIs = "Geth/v1.17.7-stable/linux-amd64/go1.26", func(uint64) uint64 { return 0 }
			n.OldFirst = true
		}, []string{`finality: latest +# blocks before the newest cannot be read\. \? .*write finality: finalized`,
			`start_block: 5 +# the contract's first block`}},
		{"geth with many blocks", func(n *stubnode.Node) {
			n.Version, n.Head = "Geth/v1.17.7-stable/linux-amd64/go1.26", 500
			n.KeepState = 127
		}, []string{`finality: finalized +# its nodes know final blocks`,
			`# The block that is read \(finalized\) does not have the contract yet\. The figures begin`,
			`# The block that is read \(finalized\) does not have the contract yet\. The pets appear`,
			`The nodes do not keep such old states\. Add start_block`}},
		{"subnet-evm, which finalizes at once and keeps few states", func(n *stubnode.Node) {
			n.Version, n.FinalIs = "v0.7.9", func(head uint64) uint64 { return head }
			n.KeepState = 31
		}, []string{`finality: latest +# its nodes look like Avalanche's, whose newest block is final`,
			`blocks: on-demand +# Avalanche's chains make no block while nothing happens\. \? `,
			`totalSupply\(\): 1000.5`, `getter: v2 `}},
		{"coreth, whose newest block is old", func(n *stubnode.Node) {
			n.Version, n.FinalIs = "v0.15.4", func(head uint64) uint64 { return head }
			n.KeepState, n.Newest = 31, time.Now().Add(-time.Hour)
		}, []string{`blocks: on-demand +# Avalanche's chains make no block while nothing happens\. \? `}},
		{"a node that does not name itself, whose newest block is old", func(n *stubnode.Node) {
			n.FinalIs = func(head uint64) uint64 { return head }
			n.KeepState, n.Newest = 31, time.Now().Add(-time.Hour)
		}, []string{`finality: latest +# this chain makes blocks on demand`,
			`blocks: on-demand .*\? Does the chain make a block only when something happens\?`}},
		{"Kaia, which knows no final blocks", func(n *stubnode.Node) {
			n.Version = "Klaytn/v1.0.3/linux-amd64/go1.22"
			n.TagFault = "invalid argument 0: hex string without 0x prefix"
			n.Reverted = "evm: execution reverted"
		}, []string{`finality: latest-10 +# no recent final block can be read\. \? How many blocks`,
			`totalSupply\(\): 1000.5`,
			`# The block that is read \(latest-10\) does not have the contract yet\. The figures begin`,
			`getter: v2 `}},
	} {
		t.Run(test.name, func(t *testing.T) {
			n := stubnode.Test(t)
			n.Head = 5
			test.set(n)
			newToken(n).First = n.Head
			newPets(n, 2, 22, 1).First = n.Head
			text, _, _ := draftFor(t, both, n)
			wantAll(t, text, test.want...)
		})
	}
}
