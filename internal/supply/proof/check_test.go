package proof_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/supply/proof"
	"petsupply/internal/supply/proof/gather"
	"petsupply/testkit/process"
)

// clone returns a copy of c to alter.
func clone(t testing.TB, c *proof.Chain) *proof.Chain {
	t.Helper()
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var out proof.Chain
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return &out
}

// holds reports whether everything in c holds.
func holds(c *proof.Chain) bool {
	got, err := c.Check(proof.NewBudget())
	return err == nil && got.Holds() == nil
}

// Every change or omission in a proof is noticed.
func TestEveryPartIsNeeded(t *testing.T) {
	for _, family := range proof.FamilyNames() {
		n := newLedgerNode(t, family)
		a := n.place("Token", token)
		a.slots[common.BytesToHash(word(5))] = common.BytesToHash(word(1000))
		a.slots[balanceSlot(holder)] = common.BytesToHash(word(77))
		a.balance = 5
		for i := range 50 {
			n.accounts[numbered(i)] = &account{balance: 1, code: []byte{byte(i)}}
		}
		n.seal()
		good := proveAll(t, n, answered([]proof.Call{call(t, "Token", token, "totalSupply"),
			call(t, "Token", token, "balanceOf", holder), call(t, "Token", token, "balanceOf", token), balance(token)},
			word(1000), word(77), word(0), word(5)))
		recheck(t, good)
		wrong := func(what string, alter func(c *proof.Chain)) {
			t.Helper()
			c := clone(t, good)
			if alter(c); holds(c) {
				t.Errorf("%s: %s passed", family, what)
			}
		}
		for i := range good.Nodes {
			wrong("a node left out", func(c *proof.Chain) { c.Nodes = slices.Delete(c.Nodes, i, i+1) })
			wrong("a node twice", func(c *proof.Chain) { c.Nodes = append(c.Nodes, c.Nodes[i]) })
			for at := i % 7; at < len(good.Nodes[i]); at += 7 {
				wrong("a node altered", func(c *proof.Chain) { c.Nodes[i][at] ^= 1 })
			}
		}
		for at := range good.Header {
			wrong("the header altered", func(c *proof.Chain) { c.Header[at] ^= 1 })
		}
		wrong("the header cut", func(c *proof.Chain) { c.Header = c.Header[:len(c.Header)-1] })
		for i := range good.Calls {
			wrong("a return altered", func(c *proof.Chain) { c.Calls[i].Return[31] ^= 1 })
			wrong("a return left out", func(c *proof.Chain) { c.Calls[i].Return = nil })
		}
		held := slices.IndexFunc(good.Calls, func(c proof.Call) bool { return len(c.Data) == 36 && c.Return[31] == 77 })
		wrong("a call altered", func(c *proof.Chain) { c.Calls[held].Data[35] ^= 1 })
		// Then its nodes are unused.
		wrong("a call left out", func(c *proof.Chain) { c.Calls = slices.Delete(c.Calls, held, held+1) })
		wrong("the code altered", func(c *proof.Chain) { c.Codes[0][9] ^= 1 })
		wrong("the code left out", func(c *proof.Chain) { c.Codes = nil })
		wrong("a spare code", func(c *proof.Chain) { c.Codes = append(c.Codes, hexutil.Bytes{1}) })
		wrong("a spare node", func(c *proof.Chain) { c.Nodes = append(c.Nodes, hexutil.Bytes{0xc0}) })
		wrong("another number", func(c *proof.Chain) { c.Block.Number++ })
		wrong("another hash", func(c *proof.Chain) { c.Block.Hash[0] ^= 1 })
	}
}

// Accounts in a form that the family does not have prove nothing. They are no contradiction either:
// a chain may have got a new form.
func TestFormOfAccountsBelongsToTheFamily(t *testing.T) {
	for _, test := range []struct{ family, layout string }{
		{"ethereum", "coreth"}, {"ethereum", "kaia"},
		{"subnet-evm", "coreth"}, {"subnet-evm", "kaia"},
		{"coreth", "ethereum"}, {"coreth", "subnet-evm"}, {"coreth", "kaia"},
		{"kaia", "coreth"}, // its oldest accounts have Ethereum's form
		{"kaia", "kaia, with EIP-7702"},
	} {
		t.Run(test.layout+" in a state of "+test.family, func(t *testing.T) {
			n := newLedgerNode(t, test.family)
			n.layout = test.layout
			n.place("Token", token).balance = 5
			n.seal()
			s, err := proof.NewState(n.header, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, node := range prove(n.main, token[:]) {
				s.AddNode(node)
			}
			if r := s.Execute(balance(token)); !errors.Is(r.Err, proof.ErrNotProvable) ||
				errors.Is(r.Err, proof.ErrWrong) {
				t.Error(r.Err)
			}
		})
	}
}

// A read is proven offline on the state of every family.
func TestEveryFamily(t *testing.T) {
	for _, family := range proof.FamilyNames() {
		for _, old := range []bool{false, true} {
			n := newLedgerNode(t, family)
			n.oldForks = old && family != "kaia"
			a := n.place("Proxy", token)
			a.balance = 12
			implementation := common.HexToAddress("0x3000000000000000000000000000000000000003")
			n.place("Views", implementation)
			a.slots[common.HexToHash("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc")] = common.BytesToHash(implementation[:])
			for i := range int64(40) { // half of them have the bit that coreth clears
				a.slots[crypto.Keccak256Hash(word(i), word(1))] = common.BytesToHash(word(i + 1))
			}
			n.seal()
			calls := answered([]proof.Call{call(t, "Views", token, "sum", big.NewInt(40)), balance(token)}, word(820),
				word(12))
			if old && family != "kaia" { // the code needs Shanghai, but the header is of London
				_, faults := gather.New(n).Gather(t.Context(), n.at, calls, proof.MaxGas)
				if !errors.Is(faults[0], proof.ErrNotProvable) || faults[1] != nil {
					t.Errorf("%s: %v", family, faults)
				}
				continue
			}
			if got := recheck(t, proveAll(t, n, calls)); got.Block != n.at {
				t.Errorf("%s: the checked proof is %+v", family, got)
			}
		}
	}
}

// Precompiles of single chains, and opcodes that a chain may not have yet or that a header does not fix.
func TestRefusals(t *testing.T) {
	const answer = "5f5260205ff3"       // store the top of the stack at 0, return 32 bytes
	const byLondon = "60005260206000f3" // the same without PUSH0
	type row struct{ name, family, code, want string }
	list := []row{
		{"a number", "ethereum", "602a" + answer, ""},
		{"CLZ, which only Osaka has", "ethereum", "60011e" + answer, "under those of Prague"},
		{"MCOPY by a header of Cancun", "subnet-evm", "60205f5f5e6001" + answer, ""},
		{"COINBASE of Kaia", "kaia", "41" + answer, "COINBASE"},
		{"GASLIMIT of Kaia", "kaia", "45" + answer, "GASLIMIT"},
		{"PREVRANDAO of a block", "ethereum", "44" + answer, ""},
		{"PREVRANDAO of subnet-evm", "subnet-evm", "44" + answer, "randomness"},
		{"sha256", "kaia", "5f5f5f5f60025afa" + answer, ""},
		{"ecrecover, which takes a verifier too long", "ethereum", "5f5f5f5f60015afa" + answer,
			"a precompile of the chain"},
		{"RIPEMD, which Scroll lacks", "ethereum", "5f5f5f5f60035afa" + answer, "a precompile of the chain"},
		{"MODEXP, whose limits differ", "subnet-evm", "5f5f5f5f60055afa" + answer, "a precompile of the chain"},
		{"blake2 of Ethereum", "ethereum", "5f5f60d55f60095afa" + answer, "a precompile of the chain"},
		{"blake2 of Kaia", "kaia", "5f5f60d55f60095afa" + answer, "a precompile of the chain"},
		{"BLS, which Cancun lacks", "coreth", "5f5f6101005f600b5afa" + answer, "a precompile of the chain"},
		{"L1SLOAD, which only Taiko has", "ethereum", "5f5f5f5f620100015afa" + answer, "has no code"},
		{"a precompile anywhere", "ethereum", "5f5f5f5f73" + holder.Hex()[2:] + "5afa" + answer, "has no code"},
		{"a precompile of Sonic, whose code is a 0", "ethereum",
			"5f5f5f5f73d100ec00000000000000000000000000000000005afa" + answer, "has no code"},
		{"gas in a sum", "ethereum", "5a5a01" + answer, "gas"},
		{"a call with less gas than there is", "kaia", "5f5f5f5f60046107d0fa" + answer, "the gas of a call"},
		{"a call with all gas", "kaia", "5f5f5f5f60045f19fa" + answer, ""},
		{"CREATE, which chains may allow to some only", "subnet-evm", "5f5f5ff0" + answer, "changes the state"},
		{"SELFDESTRUCT, which Scroll lacks", "ethereum", "5fff", "changes the state"},
		{"SSTORE in a call", "coreth", "36600957" + "60015f5500" + "5b5f5f5f5f5f305af1" + answer, "changes the state"},
		{"CALLCODE with more than there is", "ethereum", "5f5f5f5f600960045af2" + answer, "insufficient balance"},
		{"the time", "kaia", "42" + answer, ""},
		{"NUMBER of a block", "ethereum", "43" + answer, ""},
		{"NUMBER of Arbitrum", "ethereum, difficulty 0x1", "43" + answer, "only nodes"},
		{"COINBASE of Clique and Bor", "ethereum, difficulty 0x1", "41" + answer, "only nodes"},
		{"the parent's hash of Arbitrum", "ethereum, difficulty 0x1", "606340" + answer, "only nodes"},
		{"a hash of Arbitrum that our numbers say nobody has", "ethereum, difficulty 0x1", "60ff40" + answer,
			"only nodes"},
		{"MCOPY by a header from before Cancun", "ethereum of London", "60205f5f5e6001" + answer, "does not say"},
		{"PUSH0 by a header from before Shanghai", "ethereum of London", "602a" + answer, "does not say"},
	}
	unfixed := map[string]string{"COINBASE": "41", "NUMBER": "43", "BLOCKHASH": "606340"}
	for name, code := range unfixed {
		// A header of London may be from before PREVRANDAO, or from Morph, where COINBASE and block hashes
		// are not those of the headers.
		list = append(list, row{name + " of London", "ethereum of London", code + byLondon, name})
		// Headers of Ronin have two numbers for blobs after the base fee. They fit the form of subnet-evm,
		// but have another difficulty than Avalanche's 1.
		for _, family := range []string{"subnet-evm", "coreth"} {
			for difficulty, want := range map[string]string{"0x1": "", "0x7": "only nodes", "0x0": "only nodes"} {
				kind := family + ", difficulty " + difficulty
				list = append(list, row{name + " of " + kind, kind, code + byLondon, want})
			}
		}
	}
	list = append(list, row{"PREVRANDAO of London", "ethereum of London", "44" + byLondon, "randomness"})
	for _, x := range list {
		t.Run(x.name, func(t *testing.T) {
			family, difficulty, _ := strings.Cut(x.family, ", difficulty ")
			family, old := strings.CutSuffix(family, " of London")
			n := newLedgerNode(t, family)
			n.difficulty = difficulty
			n.oldForks = old
			n.accounts[token] = &account{code: common.FromHex("0x" + x.code)}
			n.accounts[common.HexToAddress("0xd100ec0000000000000000000000000000000000")] = &account{code: []byte{0}}
			n.seal()
			_, faults := gather.New(n).Gather(t.Context(), n.at, []proof.Call{{To: &token, Data: []byte{1}}},
				proof.MaxGas)
			err := faults[0]
			if x.want == "" && !errors.Is(err, proof.ErrWrong) || // executed, and only its return differs
				x.want != "" && (!errors.Is(err, proof.ErrNotProvable) || !strings.Contains(err.Error(), x.want)) {
				t.Errorf("%v, want %q", err, x.want)
			}
		})
	}
}

// A call that costs too much, or that no node can prove, does not affect other calls.
func TestAFailedCallDoesNotAffectOthers(t *testing.T) {
	n := newLedgerNode(t, "ethereum")
	n.place("Token", token).slots[common.BytesToHash(word(5))] = common.BytesToHash(word(9))
	n.accounts[burner] = &account{code: common.FromHex("0x" + burnCode)}
	// Each slot of chained names the next, so every round of requests finds one more.
	chained := &account{code: common.FromHex("0x5f5b548060015700"), slots: map[common.Hash]common.Hash{}}
	for i := range int64(60) {
		chained.slots[common.BytesToHash(word(i))] = common.BytesToHash(word(i + 1))
	}
	n.accounts[asker] = chained
	n.seal()
	light := call(t, "Token", token, "totalSupply")
	light.Return = word(9)
	heavy := []proof.Call{{To: &asker, Return: hexutil.Bytes{}}}
	for i := range uint32(12) {
		heavy = append(heavy, burn(4_900_000, i))
	}
	c, faults := gather.New(n).Gather(t.Context(), n.at, append(heavy, light), proof.MaxGas/4)
	for i, want := range map[int]string{0: "rounds", 1: "", 12: "gas", 13: ""} {
		if err := faults[i]; (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("call %d: %v, want %q", i, err, want)
		}
	}
	recheck(t, c)
}

// Kaia gives no proof of some accounts. Only calls to these accounts fail.
func TestNoProofOfPlainAccounts(t *testing.T) {
	n := newLedgerNode(t, "kaia")
	n.place("Token", token).slots[common.BytesToHash(word(5))] = common.BytesToHash(word(9))
	n.accounts[holder] = &account{balance: 3}
	n.seal()
	calls := answered([]proof.Call{balance(holder), call(t, "Token", token, "totalSupply")}, word(3), word(9))
	c, faults := gather.New(n).Gather(t.Context(), n.at, calls, proof.MaxGas)
	if !errors.Is(faults[0], proof.ErrNotProvable) || faults[1] != nil {
		t.Errorf("the faults are %v", faults)
	}
	recheck(t, c)
}

// A lie of the whole quorum is noticed.
func TestAgreedLie(t *testing.T) {
	n := newLedgerNode(t, "ethereum")
	n.place("Token", token).slots[common.BytesToHash(word(5))] = common.BytesToHash(word(9))
	n.seal()
	calls := answered([]proof.Call{call(t, "Token", token, "totalSupply")}, word(10))
	if c, faults := gather.New(n).Gather(t.Context(), n.at, calls, proof.MaxGas); c != nil ||
		!errors.Is(faults[0], proof.ErrWrong) {
		t.Errorf("got %v, %v; want no proof", c, faults)
	}
}

// FuzzDocument: reading and checking any file ends, takes memory in proportion to its size, and
// accepts nothing that contradicts the state.
func FuzzDocument(f *testing.F) {
	n := newLedgerNode(f, "coreth")
	n.place("Token", token).slots[common.BytesToHash(word(5))] = common.BytesToHash(word(9))
	n.seal()
	c := proveAll(f, n, answered([]proof.Call{call(f, "Token", token, "totalSupply"), balance(token)}, word(9),
		word(0)))
	text, err := json.Marshal(proof.Document{Format: proof.Format, Snapshot: "ab", Chains: []proof.Chain{*c},
		Entries: []proof.Entry{{Label: "Minted", Known: proof.Proven}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"format":"petsupply-proof/1","entries":[]}`))
	hash := n.at.Hash
	f.Fuzz(func(t *testing.T, text []byte) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := process.OwnTime(t)
		d, err := proof.Parse(bytes.NewReader(text))
		if err != nil {
			return
		}
		for _, c := range d.Chains {
			got, err := c.Check(proof.NewBudget())
			if err != nil || got.Block.Hash != hash {
				continue
			}
			for _, call := range c.Calls {
				ret, err := got.Answer(call)
				if err == nil && call.To != nil && *call.To == token &&
					bytes.Equal(call.Data, common.FromHex("0x18160ddd")) && !bytes.Equal(ret, word(9)) {
					t.Fatalf("another answer passed: %x", ret)
				}
			}
		}
		runtime.ReadMemStats(&after)
		if took, cost := process.OwnTime(t)-start, after.TotalAlloc-before.TotalAlloc; took > 20*time.Second ||
			cost > 1<<30 {
			t.Errorf("%d bytes took %s and %d MB", len(text), took, cost>>20)
		}
	})
}
