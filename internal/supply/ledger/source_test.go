package ledger

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// TestCallsAreEncodedAsGoEthereumDoes compares every form of argument with go-ethereum's encoder.
func TestCallsAreEncodedAsGoEthereumDoes(t *testing.T) {
	long := strings.Repeat("petsupply", 9)
	values := []struct {
		typ, text string
		value     any
	}{
		{"address", address("x"), common.HexToAddress(address("x"))}, {"bool", "true", true}, {"bool", "false", false},
		{"uint8", "255", uint8(255)}, {"uint64", "18446744073709551615", uint64(1<<64 - 1)},
		{"uint256", "0x1A", big.NewInt(26)}, {"uint256", "0", big.NewInt(0)}, {"int256", "-0x10", big.NewInt(-16)},
		{"int8", "-128", int8(-128)}, {"int256", "-1", big.NewInt(-1)}, {"int24", "-5", big.NewInt(-5)},
		{"bytes4", "0x01020304", [4]byte{1, 2, 3, 4}}, {"bytes", "0x", []byte{}}, {"bytes", "0x0102", []byte{1, 2}},
		{"string", "", ""}, {"string", long, long}, {"string", long[:32], long[:32]},
	}
	for i := range values {
		for n := range 4 {
			var inputs abi.Arguments
			var types, texts []string
			var goValues []any
			for k := range n + 1 {
				v := values[(i*(k+1)+k)%len(values)]
				typ, err := abi.NewType(v.typ, "", nil)
				if err != nil {
					t.Fatal(err)
				}
				inputs = append(inputs, abi.Argument{Type: typ})
				types, texts, goValues = append(types, v.typ), append(texts, v.text), append(goValues, v.value)
			}
			method := abi.NewMethod("f", "f", abi.Function, "view", false, false, inputs, nil)
			packed, err := inputs.Pack(goValues...)
			if err != nil {
				t.Fatal(err)
			}
			signature := "f(" + strings.Join(types, ",") + ")"
			got, err := encodeCall(signature, texts)
			if want := append(method.ID, packed...); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s of %q is %x, %v; want %x", signature, texts, got, err, want)
			}
		}
	}
}

func TestCallsThatCannotBeEncoded(t *testing.T) {
	for signature, args := range map[string][]string{
		"f": {""}, "f(": {""}, "1f(uint8)": {"1"}, "f(uint8) ": {"1"}, "f(uint7)": {"1"}, "f(uint264)": {"1"},
		"f(uint0)": {"1"}, "f(uint08)": {"1"}, "f(bytes33)": {"0x"}, "f(bytes0)": {"0x"}, "f(uint8[])": {"1"},
		"f((uint8))": {"1"}, "f(,)": {""}, "f(bool8)": {"true"}, "f(thing)": {"1"}, "f(bool)": {"yes"},
		"f(uint8)": {"256", "-1", "1_0", ""}, "f(int8)": {"128", "-129"}, "f(bytes2)": {"0x01"},
		"f(bytes)":   {"01", "0x1"},
		"f(address)": {"0x12"}, "f(string)": {strings.Repeat("x", maxArg+1)},
		// never octal
		"f(int256)": {"010", "00", "-010", "0o10", "0b11", "0X10", "1_0", "0x", "", "-", " 10", "1e3", "+10"},
	} {
		for _, arg := range args {
			if got, err := encodeCall(signature, []string{arg}); err == nil {
				t.Errorf("%s of %q is %x, want an error", signature, arg, got)
			}
		}
	}
}

// address invents an address.
func address(name string) string {
	return common.BytesToAddress(crypto.Keccak256([]byte(name))[12:]).Hex()
}

func TestEntrySources(t *testing.T) {
	holder := address("holder")
	word := strings.Repeat("0", 24) + strings.ToLower(holder[2:])
	for name, c := range map[string]struct {
		entry   Entry
		data    string
		balance bool
	}{
		"erc20 reads totalSupply":    {Entry{ERC20: address("x")}, "18160ddd", false},
		"erc20 and holder balanceOf": {Entry{ERC20: address("x"), Holder: holder}, "70a08231" + word, false},
		"native reads the gas token": {Entry{Native: address("x")}, "", true},
		"call without args":          {Entry{Call: "totalLock()", To: address("x")}, "3a1aae35", false},
		"call with uint for uint256": {Entry{Call: "f(uint)", To: address("x"), Args: []string{"1"}},
			"b3de648b" + strings.Repeat("0", 63) + "1", false},
	} {
		t.Run(name, func(t *testing.T) {
			call, ok, err := c.entry.ChainCall()
			if err != nil || !ok || hex.EncodeToString(call.Data) != c.data || call.Balance != c.balance ||
				call.To.Hex() != address("x") {
				t.Errorf("asks %s for %x (balance: %v): %v, %v; want %s", call.To, call.Data, call.Balance, ok, err,
					c.data)
			}
		})
	}
	one := Whole(1, 0)
	if _, ok, err := (Entry{Amount: &one}).ChainCall(); ok || err != nil {
		t.Errorf("a declared amount asks a chain: %v, %v", ok, err)
	}
}
