package evm

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

type call3 struct {
	Target       common.Address
	AllowFailure bool
	CallData     []byte
}

type return3 struct {
	Success    bool
	ReturnData []byte
}

func multicallABI(t testing.TB) abi.Method {
	t.Helper()
	parsed, err := abi.JSON(strings.NewReader(`[{"type":"function","name":"aggregate3","stateMutability":"payable",
	"inputs":[{"name":"calls","type":"tuple[]","components":[{"name":"target","type":"address"},{"name":"allowFailure","type":"bool"},{"name":"callData","type":"bytes"}]}],
	"outputs":[{"name":"returnData","type":"tuple[]","components":[{"name":"success","type":"bool"},{"name":"returnData","type":"bytes"}]}]}]`))
	must(t, err)
	return parsed.Methods["aggregate3"]
}

// TestAggregateAsABI: our encoder writes the same bytes as accounts/abi, and our decoder reads its
// bytes.
func TestAggregateAsABI(t *testing.T) {
	m := multicallABI(t)
	for n := range 40 {
		var list []Call
		var calls []call3
		var returns []return3
		for range n {
			data := make([]byte, rand.IntN(100))
			for i := range data {
				data[i] = byte(rand.Uint32())
			}
			to := common.BytesToAddress(word(rand.Uint64()))
			list = append(list, Call{To: to, Data: data})
			calls = append(calls, call3{to, true, data})
			returns = append(returns, return3{n%3 > 0, data})
		}
		want, err := m.Inputs.Pack(calls)
		must(t, err)
		if got := encodeCalls(list); !bytes.Equal(got[:4], m.ID) || !bytes.Equal(got[4:], want) {
			t.Fatalf("%d calls are\n%x, want\n%x", n, got[4:], want)
		}
		raw, err := m.Outputs.Pack(returns)
		must(t, err)
		got, ok := decodeResults(raw)
		if !ok || len(got) != n {
			t.Fatalf("%d returns are read as %d, %v", n, len(got), ok)
		}
		for i, r := range got {
			if r.ok != returns[i].Success || !bytes.Equal(r.data, returns[i].ReturnData) {
				t.Errorf("return %d of %d is %+v", i, n, r)
			}
		}
		for cut := range len(raw) / 32 {
			if _, ok := decodeResults(raw[:32*cut]); ok && n > 0 {
				t.Errorf("%d returns are read from %d of %d bytes", n, 32*cut, len(raw))
			}
		}
	}
}

func TestSelectors(t *testing.T) {
	for name, got := range map[string][4]byte{"aggregate3((address,bool,bytes)[])": aggregate3,
		"getEthBalance(address)": getEthBalance} {
		if want := crypto.Keccak256([]byte(name))[:4]; !bytes.Equal(got[:], want) {
			t.Errorf("%s is %x, want %x", name, got, want)
		}
	}
	for _, w := range identityCalls {
		if want := crypto.Keccak256([]byte(w.name + "()"))[:4]; !bytes.Equal(w.selector[:], want) {
			t.Errorf("%s is %x, want %x", w.name, w.selector, want)
		}
	}
}

// FuzzReturns: accounts/abi reads the same from every input that we accept.
func FuzzReturns(f *testing.F) {
	m := multicallABI(f)
	for _, returns := range [][]return3{nil, {{true, []byte{1}}}, {{false, nil}, {true, make([]byte, 40)}}} {
		raw, err := m.Outputs.Pack(returns)
		must(f, err)
		f.Add(raw)
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		got, ok := decodeResults(raw)
		if !ok {
			return
		}
		values, err := m.Outputs.Unpack(raw)
		if err != nil {
			return // it refuses some unusual offsets
		}
		want := *abi.ConvertType(values[0], new([]return3)).(*[]return3)
		if len(got) != len(want) {
			t.Fatalf("%d returns, want %d", len(got), len(want))
		}
		for i, w := range want {
			if got[i].ok != w.Success || !bytes.Equal(got[i].data, w.ReturnData) {
				t.Errorf("return %d is %+v, want %+v", i, got[i], w)
			}
		}
	})
}
