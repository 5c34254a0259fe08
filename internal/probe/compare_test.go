package probe

import (
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/testkit/stubnode"
)

var (
	arena    = common.HexToAddress("0x00000000000000000000000000000000000000a3")
	treasury = owner
)

// file is a configuration that matches newNode.
const file = `
refresh: {every: 1m}
chains:
  one: {id: 5, rpc: [NODES], multicall: none, proofs: off}
tokens:
  - path: gem
    symbol: GEM
    name: Gem
    ledger:
      - {label: Minted, bucket: issued, chain: one, erc20: "0x00000000000000000000000000000000000000A1"}
      - {label: Treasury, bucket: reserved, chain: one, native: "0x00000000000000000000000000000000000000b1", reason: It is ours}
realms:
  - {key: home, name: Home, offset: 0, chain: one, contract: "0x00000000000000000000000000000000000000A2", getter: v1}
  - {key: arena, name: Arena, chain: one, contract: "0x00000000000000000000000000000000000000a3", getter: v1, start_block: 1}
`

// newNode returns a node with a token, a realm with two pets and a realm that hosts one.
func newNode(t *testing.T) *stubnode.Node {
	n := stubnode.Test(t)
	token, pets, host := &stubnode.Contract{}, &stubnode.Contract{}, &stubnode.Contract{}
	token.Answer("totalSupply()", stubnode.Word(5_000_000))
	token.Answer("decimals()", stubnode.Word(6))
	pets.Answer("nextPetId()", stubnode.Word(3))
	pets.Answer("ownerOf(uint256)", stubnode.Address(treasury), stubnode.Word(2))
	pets.Answer("getPet(uint256)", stubnode.Pet(2, 20), stubnode.Word(2))
	pets.Answer("tokenURI(uint256)", stubnode.Text("http://localhost:8080/pets/token/2"), stubnode.Word(2))
	host.Answer("totalSupply()", stubnode.Word(1))
	host.Answer("tokenByIndex(uint256)", stubnode.Word(1), stubnode.Word(0))
	host.Answer("ownerOf(uint256)", stubnode.Address(treasury), stubnode.Word(1))
	host.Answer("getPet(uint256)", stubnode.Pet(1, 20), stubnode.Word(1))
	n.Contracts[gem], n.Contracts[petsAddr], n.Contracts[arena] = token, pets, host
	n.Balances[treasury] = big.NewInt(1e18)
	return n
}

// check runs the check on a file. It returns the output and the number of faults.
func check(t *testing.T, text string, nodes ...*stubnode.Node) (string, int) {
	t.Helper()
	var urls []string
	for _, n := range nodes {
		urls = append(urls, `"`+n.URL+`"`)
	}
	text = strings.Replace(text, "NODES", strings.Join(urls, ", "), 1)
	cfg, err := config.Load("p.yaml", []byte(text), func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	cfg.Addresses("8080")
	var out strings.Builder
	found := Compare(t.Context(), cfg, nil, &out)
	fmt.Fprintf(&out, "faults: %d, warnings: %d\n", len(found.Faults), len(found.Warnings))
	return out.String(), len(found.Faults)
}

func TestAConfigurationThatFits(t *testing.T) {
	out, faults := check(t, file, newNode(t))
	if faults != 0 {
		t.Errorf("%d faults", faults)
	}
	for _, pattern := range []string{
		`chain one has the id 5 and is read at block 990 \(finalized, 20\d\d-`,
		`chain one, provider one-1: state of all \d+ blocks so far, logs of all \d+ blocks at once`,
		`realm home: pets are numbered up to 2, the newest that can be read is pet 2: .* owner ` + treasury.Hex(),
		`realm home: tokenURI\(2\) is http://localhost:8080/pets/token/2, the address of this service`,
		`realm home: contractURI\(\) gives no address; this service has the metadata at http://localhost:8080/pets/contract`,
		`realm arena: hosts pet 1: `,
		`realm arena: tokenURI\(1\) gives no address; this service has the metadata only on this machine, at ` +
			`http://localhost:8080/pets/token/1`,
		`gem +issued +Minted +one +5 +6 decimals, published with 18`,
		`gem +total +5`,
		`gem +circulating +4`,
		`faults: 0, warnings: 0\n$`,
	} {
		if !regexp.MustCompile(pattern).MatchString(out) {
			t.Errorf("no %s in:\n%s", pattern, out)
		}
	}
}

func TestFaultsAndWarnings(t *testing.T) {
	more := func(entry string) [2]string { return [2]string{"realms:", "      - " + entry + "\nrealms:"} }
	answers := func(contract common.Address, signature string, answer []byte, args ...[]byte) func(*stubnode.Node) {
		return func(n *stubnode.Node) { n.Contracts[contract].Answer(signature, answer, args...) }
	}
	public := [2]string{"chains:", "pets_url: https://pets.example.com\nchains:"}
	for _, test := range []struct {
		name    string
		change  [2]string // what to change in the file
		node    func(*stubnode.Node)
		pattern string
		counts  string
	}{
		{"another chain's id", [2]string{"id: 5", "id: 6"}, nil, `FAULT +chain one: .*5`, "faults: 1, warnings: 0"},
		{"a node that is ill", [2]string{}, func(n *stubnode.Node) { n.Refuse["eth_getBlockByNumber"] = "ill" },
			`FAULT +chain one: `, "faults: 1, warnings: 0"},
		{"a node that searches no logs", [2]string{}, func(n *stubnode.Node) { n.Refuse["eth_getLogs"] = "ill" },
			`warning +chain one: measuring provider one-1`, "faults: 0, warnings: 1"},
		{"no token there", [2]string{}, func(n *stubnode.Node) { delete(n.Contracts, gem) },
			`FAULT +gem: "Minted": no contract at ` + gem.Hex() + ` on one`, "faults: 1, warnings: 0"},
		{"a token that is not final yet", [2]string{}, func(n *stubnode.Node) { n.Contracts[gem].First = 1000 },
			`warning +gem: "Minted": the contract at ` + gem.Hex() + ` on one is newer than block 990 \(finalized\)`,
			"faults: 0, warnings: 1"},
		{"a token that reverts", more(`{label: Odd, bucket: locked, chain: one, to: "` + gem.Hex() + `", call: odd()}`),
			nil,
			`FAULT +measuring gem: ledger\[2\] "Odd": the call: ` + gem.Hex() + ` at block 990: call reverted`,
			"faults: 1, warnings: 0"},
		{"a token that answers too much", [2]string{}, answers(gem, "totalSupply()", make([]byte, 64)),
			`FAULT +measuring gem: ledger\[0\] "Minted": .* returned 64 bytes`, "faults: 1, warnings: 0"},
		{"a reserve that is empty", [2]string{}, func(n *stubnode.Node) { delete(n.Balances, treasury) },
			`warning +gem: "Treasury" holds nothing`, "faults: 0, warnings: 1"},
		{"more reserved than issued", [2]string{}, func(n *stubnode.Node) { n.Balances[treasury] = big.NewInt(6e18) },
			`FAULT +measuring gem`, "faults: 1, warnings: 0"},
		{"a holder in two buckets",
			more(`{label: Twice, bucket: locked, chain: one, erc20: "` + gem.Hex() + `", holder: "` + treasury.Hex() +
				`"}`),
			answers(gem, "balanceOf(address)", stubnode.Word(1), stubnode.Address(treasury)),
			`FAULT +gem: the address ` + treasury.Hex() + ` is in two buckets: ` +
				`reserved \(entry "Treasury"\) and locked \(entry "Twice"\), on one`,
			"faults: 1, warnings: 0"},
		{"proofs that the node cannot give", [2]string{"proofs: off", "proofs: required"}, nil,
			`FAULT +gem: proofs of one are required`, "faults: 1, warnings: 0"},
		{"no realm there", [2]string{}, func(n *stubnode.Node) { delete(n.Contracts, petsAddr) },
			`FAULT +realm home: no contract at ` + petsAddr.Hex() + ` on one`, "faults: 1, warnings: 0"},
		{"a realm that is not final yet", [2]string{}, func(n *stubnode.Node) { n.Contracts[petsAddr].First = 1000 },
			`warning +realm home: the contract at ` + petsAddr.Hex() + ` on one is newer than block 990 \(finalized\)`,
			"faults: 0, warnings: 1"},
		{"another struct", [2]string{"getter: v1", "getter: v2"}, nil,
			`FAULT +realm home: its contract does not fit the collection: token 2: v2 answered nothing, and should answer 24 words`, "faults: 1, warnings: 0"},
		{"no next pet", [2]string{}, answers(petsAddr, "nextPetId()", stubnode.Word(0)),
			`FAULT +realm home: the call that counts pets does not answer with an id`, "faults: 1, warnings: 0"},
		{"no pets yet", [2]string{}, answers(petsAddr, "nextPetId()", stubnode.Word(1)),
			`warning +realm home: no pets yet`, "faults: 0, warnings: 1"},
		{"a host without a first block", [2]string{", start_block: 1", ""}, nil,
			`warning +realm arena: pets are found by their events, so set start_block`, "faults: 0, warnings: 1"},
		{"a host with an unreadable pet", [2]string{}, answers(arena, "getPet(uint256)", nil, stubnode.Word(1)),
			`FAULT +realm arena: its contract does not fit the collection: token 1: v1 answered nothing, and should answer`,
			"faults: 1, warnings: 0"},
		{"an older pet of another struct", [2]string{}, func(n *stubnode.Node) {
			n.Contracts[petsAddr].Answer("ownerOf(uint256)", stubnode.Address(treasury), stubnode.Word(1))
			n.Contracts[petsAddr].Answer("getPet(uint256)", stubnode.Pet(1, 22), stubnode.Word(1))
		}, `FAULT +realm home: its contract does not fit the collection: token 1: v1 answered 24 words, and should answer 22 words`,
			"faults: 1, warnings: 0"},
		{"the address of another service", public,
			answers(petsAddr, "contractURI()", stubnode.Text("https://old.example.com/c\n\x1b[2J")),
			`warning +realm home: tokenURI\(2\) is "http://localhost:8080/pets/token/2", but this service has the metadata at https://pets.example.com/token/2; wallets cannot find it(.*\n)+` +
				`warning +realm home: contractURI\(\) is "https://old.example.com/c \[2J", but .* https://pets.example.com/contract; marketplaces cannot`,
			"faults: 0, warnings: 3"},
		{"an address inside the contract", public, answers(petsAddr, "tokenURI(uint256)",
			stubnode.Text("data:application/json;base64,"+strings.Repeat("A", 9000)), stubnode.Word(2)),
			`warning +realm home: tokenURI\(2\) is "data:application/json;base64,A{171}…", but`,
			"faults: 0, warnings: 2"},
		{"a realm that is closed", [2]string{"getter: v1}", "getter: v1, closed: true}"},
			func(n *stubnode.Node) { delete(n.Contracts, petsAddr) },
			`realm arena`, "faults: 0, warnings: 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := strings.Replace(file, test.change[0], test.change[1], 1)
			if test.change != [2]string{} && text == file {
				t.Fatalf("nothing to change: %s", test.change[0])
			}
			n := newNode(t)
			if test.node != nil {
				test.node(n)
			}
			out, _ := check(t, text, n)
			if !regexp.MustCompile(test.pattern).MatchString(out) || !strings.Contains(out, test.counts) {
				t.Errorf("want %s and %s:\n%s", test.pattern, test.counts, out)
			}
		})
	}
}

// A wrong provider is named, although the quorum of the other two hides it.
func TestOneProviderOfThree(t *testing.T) {
	for _, test := range []struct {
		name, pattern string
		change        func(*stubnode.Node)
	}{
		{"of another chain", `FAULT +chain one, provider one-2: .*6`, func(n *stubnode.Node) { n.ID = 6 }},
		{"that does not answer", `FAULT +chain one, provider one-2: `,
			func(n *stubnode.Node) { n.Refuse["eth_chainId"] = "ill" }},
		{"that lies about a token", `FAULT +chain one, provider one-2: it disagrees with the other providers`,
			func(n *stubnode.Node) { n.Contracts[gem].Answer("totalSupply()", stubnode.Word(6_000_000)) }},
		{"that lies about a pet", `FAULT +chain one, provider one-2: it disagrees with the other providers`,
			func(n *stubnode.Node) {
				n.Contracts[petsAddr].Answer("ownerOf(uint256)", stubnode.Address(nobody), stubnode.Word(2))
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b, c := newNode(t), newNode(t), newNode(t)
			b.Newest, c.Newest = a.Newest, a.Newest
			test.change(b)
			out, faults := check(t, file, a, b, c)
			if faults != 1 || !regexp.MustCompile(test.pattern).MatchString(out) ||
				!strings.Contains(test.name, "lies") && strings.Contains(out, "provider one-2: state") {
				t.Errorf("%d faults, want %s:\n%s", faults, test.pattern, out)
			}
		})
	}
}

// A provider that dropped the state of the pinned block is a fault, even if the others have it.
func TestAProviderWithoutTheState(t *testing.T) {
	a, b, c := newNode(t), newNode(t), newNode(t)
	b.Newest, c.Newest = a.Newest, a.Newest
	b.KeepState = 5
	out, faults := check(t, file, a, b, c)
	if faults == 0 || !strings.Contains(out, "FAULT    chain one, provider one-2: ") {
		t.Errorf("%d faults:\n%s", faults, out)
	}
}

// An unreachable chain is reported once, not for each token and realm.
func TestUnreachableChain(t *testing.T) {
	n := newNode(t)
	away := strings.Replace(file, "NODES", `"http://127.0.0.1:1"`, 1)
	if out, faults := check(t, away, n); faults != 1 || strings.Contains(out, "gem") || strings.Contains(out, "realm") {
		t.Errorf("%d faults:\n%s", faults, out)
	}
}
