package proof

import (
	"bytes"
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm"
)

// clone is c, to be altered.
func clone(t testing.TB, c *Chain) *Chain {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var out Chain
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// holds says whether everything in c holds.
func holds(c *Chain) bool {
	got, err := c.Check()
	return err == nil && got.Holds() == nil
}

// Every part of a proof, altered or left out, is seen.
func TestEveryPartIsNeeded(t *testing.T) {
	for _, f := range families {
		n := newLedgerNode(t, f.name)
		a := n.place("Token", token)
		a.slots[common.BytesToHash(word(5))] = common.BytesToHash(word(1000))
		a.slots[balanceSlot(holder)] = common.BytesToHash(word(77))
		a.balance = 5
		for i := range 50 {
			n.accounts[numbered(i)] = &account{balance: 1, code: []byte{byte(i)}}
		}
		n.seal()
		calls := []evm.Call{call(t, "Token", token, "totalSupply"), call(t, "Token", token, "balanceOf", holder),
			call(t, "Token", token, "balanceOf", token), {To: token, Balance: true}}
		good := proveAll(t, n, n.at, calls, [][]byte{word(1000), word(77), word(0), word(5)})
		recheck(t, good)
		wrong := func(what string, alter func(c *Chain)) {
			t.Helper()
			c := clone(t, good)
			if alter(c); holds(c) {
				t.Errorf("%s: %s passed", f.name, what)
			}
		}
		for i := range good.Nodes {
			wrong("a node left out", func(c *Chain) { c.Nodes = slices.Delete(c.Nodes, i, i+1) })
			wrong("a node twice", func(c *Chain) { c.Nodes = append(c.Nodes, c.Nodes[i]) })
			for at := i % 7; at < len(good.Nodes[i]); at += 7 {
				wrong("a node altered", func(c *Chain) { c.Nodes[i][at] ^= 1 })
			}
		}
		for at := range good.Header {
			wrong("the header altered", func(c *Chain) { c.Header[at] ^= 1 })
		}
		wrong("the header cut", func(c *Chain) { c.Header = c.Header[:len(c.Header)-1] })
		for i := range good.Calls {
			wrong("a return altered", func(c *Chain) { c.Calls[i].Return[31] ^= 1 })
			wrong("a return left out", func(c *Chain) { c.Calls[i].Return = nil })
		}
		wrong("a call altered", func(c *Chain) { c.Calls[1].Data[35] ^= 1 })
		wrong("a call left out", func(c *Chain) { c.Calls = slices.Delete(c.Calls, 1, 2) }) // its nodes are spare
		wrong("the code altered", func(c *Chain) { c.Codes[0][9] ^= 1 })
		wrong("the code left out", func(c *Chain) { c.Codes = nil })
		wrong("a spare code", func(c *Chain) { c.Codes = append(c.Codes, hexutil.Bytes{1}) })
		wrong("a spare node", func(c *Chain) { c.Nodes = append(c.Nodes, hexutil.Bytes{0xc0}) })
		wrong("another number", func(c *Chain) { c.Block.Number++ })
		wrong("another hash", func(c *Chain) { c.Block.Hash[0] ^= 1 })
	}
}

// A state in which the same account reads otherwise is no state of this family.
func TestFormOfAccountsBelongsToTheFamily(t *testing.T) {
	for _, f := range families {
		for _, other := range families {
			if f.name == other.name || f.name != "coreth" && f.name != "kaia" && other.name != "coreth" && other.name != "kaia" {
				continue
			}
			n := newLedgerNode(t, f.name)
			n.place("Token", token).balance = 5
			if f.name == "kaia" && other.name != "coreth" { // its oldest accounts are Ethereum's
				continue
			}
			n.family = other // the accounts are those of other
			n.main = nil
			headerFamily := f
			n.seal()
			root := n.main.Hash()
			n.family = headerFamily
			n.accounts = nil
			n.seal()
			w := newWorld(mustHeader(t, n), 1)
			w.root = root
			n.family = other
			n.accounts = map[common.Address]*account{}
			n.place("Token", token).balance = 5
			n.seal()
			for _, node := range prove(n.main, token[:]) {
				w.addNode(node)
			}
			if r := w.execute(evm.Call{To: token, Balance: true}); !errors.Is(r.err, ErrWrong) {
				t.Errorf("accounts of %s in a state of %s: %v", other.name, f.name, r.err)
			}
		}
	}
}

func mustHeader(t testing.TB, n *ledgerNode) *header {
	t.Helper()
	h, err := parseHeader(n.block, n.at.Hash)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// Code of a chain's own, and opcodes that a chain may not have yet.
func TestRefusals(t *testing.T) {
	run := func(family string, old bool, code string) error {
		n := newLedgerNode(t, family)
		n.oldForks = old
		n.accounts[token] = &account{code: common.FromHex(code)}
		n.seal()
		calls := []evm.Call{{To: token, Data: []byte{1}}}
		g := NewGatherer(n)
		got, err := g.Gather(t.Context(), n.at, calls)
		if err != nil {
			return err
		}
		_, faults := got.Chain(calls, [][]byte{got.results[callID(calls[0])].ret})
		return faults[0]
	}
	const answer = "5f5260205ff3" // store the top of the stack at 0, return 32 bytes
	for _, x := range []struct{ name, family, code, want string }{
		{"a number", "ethereum", "602a" + answer, ""},
		{"CLZ, which only Osaka has", "ethereum", "60011e" + answer, "by the rules of Prague"},
		{"MCOPY by a header of Cancun", "subnet-evm", "60205f5f5e6001" + answer, ""},
		{"COINBASE of a block", "coreth", "41" + answer, ""},
		{"COINBASE of Kaia", "kaia", "41" + answer, "COINBASE"},
		{"GASLIMIT of Kaia", "kaia", "45" + answer, "GASLIMIT"},
		{"PREVRANDAO of a block", "ethereum", "44" + answer, ""},
		{"PREVRANDAO of subnet-evm", "subnet-evm", "44" + answer, "randomness"},
		{"blake2 of Ethereum", "ethereum", "5f5f5f5f60095afa" + answer, ""},
		{"blake2 of Kaia", "kaia", "5f5f5f5f60095afa" + answer, "a precompile of the chain"},
		{"BLS, which Cancun lacks", "coreth", "5f5f5f5f600b5afa" + answer, "a precompile of the chain"},
		{"gas in a sum", "ethereum", "5a5a01" + answer, "gas"},
		{"the time", "kaia", "42" + answer, ""},
	} {
		err := run(x.family, false, "0x"+x.code)
		if x.want == "" && err != nil || x.want != "" && (!errors.Is(err, ErrNotProvable) || !strings.Contains(err.Error(), x.want)) {
			t.Errorf("%s: %v, want %q", x.name, err, x.want)
		}
	}
	if err := run("subnet-evm", true, "0x60205f5f5e6001"+answer); !errors.Is(err, ErrNotProvable) {
		t.Errorf("MCOPY by a header from before Cancun: %v", err)
	}
}

// An account of which Kaia gives no proof costs its own calls only.
func TestNoProofOfPlainAccounts(t *testing.T) {
	n := newLedgerNode(t, "kaia")
	n.place("Token", token).slots[common.BytesToHash(word(5))] = common.BytesToHash(word(9))
	n.accounts[holder] = &account{balance: 3}
	n.seal()
	calls := []evm.Call{{To: holder, Balance: true}, call(t, "Token", token, "totalSupply")}
	got, err := NewGatherer(n).Gather(t.Context(), n.at, calls)
	if err != nil {
		t.Fatal(err)
	}
	c, faults := got.Chain(calls, [][]byte{word(3), word(9)})
	if !errors.Is(faults[0], ErrNotProvable) || faults[1] != nil {
		t.Errorf("%v", faults)
	}
	recheck(t, c)
}

// A lie that the whole quorum told is seen.
func TestAgreedLie(t *testing.T) {
	n := newLedgerNode(t, "ethereum")
	n.place("Token", token).slots[common.BytesToHash(word(5))] = common.BytesToHash(word(9))
	n.seal()
	calls := []evm.Call{call(t, "Token", token, "totalSupply")}
	got, err := NewGatherer(n).Gather(t.Context(), n.at, calls)
	if err != nil {
		t.Fatal(err)
	}
	if c, faults := got.Chain(calls, [][]byte{word(10)}); c != nil || !errors.Is(faults[0], ErrWrong) {
		t.Errorf("%v, %v", c, faults)
	}
}

// hostile are codes that would like to take all of a machine.
var hostile = map[string]string{
	"endless":          "5b5f56",
	"ever more memory": "6220000051505f5f5f5f5f305af1", // grow by 2 MB, call itself
	"creates for ever": "5b5f5f5ff0505f56",
}

// What a proof makes us execute is bounded in time and memory.
func TestHostileCodeIsBounded(t *testing.T) {
	for name, code := range hostile {
		n := newLedgerNode(t, "ethereum")
		n.accounts[token] = &account{code: common.FromHex("0x" + code)}
		n.seal()
		c := &Chain{ChainID: 1, Block: BlockID{n.at.Number, n.at.Hash}, Header: mustHeader(t, n).encoding, Codes: []hexutil.Bytes{n.accounts[token].code}}
		for _, node := range prove(n.main, token[:]) {
			c.Nodes = append(c.Nodes, node)
		}
		for i := range byte(200) {
			c.Calls = append(c.Calls, newCall(evm.Call{To: token, Data: []byte{i}}, word(1)))
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		if holds(c) {
			t.Errorf("%s passed", name)
		}
		runtime.ReadMemStats(&after)
		if took, cost := time.Since(start), after.TotalAlloc-before.TotalAlloc; took > time.Minute || cost > 1<<30 {
			t.Errorf("%s: %s and %d MB", name, took, cost>>20)
		} else {
			t.Logf("%s: %s and %d MB in all", name, took, cost>>20)
		}
	}
}

// FuzzDocument: whatever a file says, reading and checking it ends, costs memory
// in proportion, and passes nothing that the state does not say.
func FuzzDocument(f *testing.F) {
	n := newLedgerNode(f, "coreth")
	n.place("Token", token).slots[common.BytesToHash(word(5))] = common.BytesToHash(word(9))
	n.seal()
	c := proveAll(f, n, n.at, []evm.Call{call(f, "Token", token, "totalSupply"), {To: token, Balance: true}}, [][]byte{word(9), word(0)})
	text, err := json.Marshal(Document{Format: Format, Snapshot: "ab", Chains: []Chain{*c}, Entries: []Entry{{"Minted", Proven}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"format":"petsupply-proof/1","entries":[]}`))
	hash := n.at.Hash
	f.Fuzz(func(t *testing.T, text []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := time.Now()
		d, err := Parse(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, c := range d.Chains {
			got, err := c.Check()
			if err != nil || got.Block.Hash != hash {
				continue
			}
			for _, call := range c.Calls {
				ret, err := got.Answer(call.call())
				if err == nil && call.To != nil && *call.To == token && bytes.Equal(call.Data, common.FromHex("0x18160ddd")) && !bytes.Equal(ret, word(9)) {
					t.Fatalf("another answer passed: %x", ret)
				}
			}
		}
		runtime.ReadMemStats(&after)
		if took, cost := time.Since(start), after.TotalAlloc-before.TotalAlloc; took > 20*time.Second || cost > 1<<30 {
			t.Errorf("%d bytes took %s and %d MB", len(text), took, cost>>20)
		}
	})
}

func TestParseIsStrict(t *testing.T) {
	good := `{"format":"petsupply-proof/1","snapshot":"a","chains":[{"chainId":1,"block":{"number":1,"hash":"0x` + strings.Repeat("0", 64) +
		`"},"header":"0x","calls":[{"balance":"0x` + strings.Repeat("1", 40) + `","return":"0x01"}],"nodes":[],"codes":[]}],"entries":[]}`
	if _, err := Parse(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"another format":   {"proof/1", "proof/2"},
		"an unknown field": {`"header"`, `"more":1,"header"`},
		"no chain id":      {`"chainId":1`, `"chainId":0`},
		"a negative id":    {`"chainId":1`, `"chainId":-1`},
		"no calls":         {`"calls":[`, `"codes":[],"calls":[],"x":[`},
		"to and balance":   {`"balance"`, `"to":"0x` + strings.Repeat("1", 40) + `","balance"`},
		"odd hex":          {`"0x01"`, `"0x1"`},
		"something after":  {`"entries":[]}`, `"entries":[]}{}`},
		"the call twice":   {`"calls":[`, `"calls":[{"balance":"0x` + strings.Repeat("1", 40) + `","return":"0x02"},`},
	} {
		text := strings.Replace(good, change[0], change[1], 1)
		if _, err := Parse(strings.NewReader(text)); text == good || err == nil {
			t.Errorf("%s was read", name)
		}
	}
	if _, err := Parse(strings.NewReader(`"` + strings.Repeat("x", maxFile+1))); err == nil || !strings.Contains(err.Error(), "larger") {
		t.Errorf("a file that is too large: %v", err)
	}
}
