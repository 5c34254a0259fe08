package supply

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
)

// The selectors that erc20 entries use.
var (
	selectTotalSupply = []byte{0x18, 0x16, 0x0d, 0xdd} // totalSupply()
	selectBalanceOf   = []byte{0x70, 0xa0, 0x82, 0x31} // balanceOf(address)
	selectDecimals    = []byte{0x31, 0x3c, 0xe5, 0x67} // decimals()
)

// nativeDecimals is the precision of every EVM chain's gas token.
const nativeDecimals = 18

// Read returns the call that answers the entry. ok is false for a declared
// amount, which no chain is asked for.
func (e Entry) Read() (call evm.Call, ok bool, err error) {
	switch {
	case e.Amount != nil:
		return evm.Call{}, false, nil
	case e.ERC20 != "":
		call.To, err = ParseAddress(e.ERC20)
		if err != nil {
			return call, false, fmt.Errorf("erc20 %w", err)
		}
		call.Data = selectTotalSupply
		if e.Holder != "" {
			holder, err := ParseAddress(e.Holder)
			if err != nil {
				return call, false, fmt.Errorf("holder %w", err)
			}
			call.Data = append(selectBalanceOf[:4:4], common.LeftPadBytes(holder[:], 32)...)
		}
	case e.Native != "":
		call.Balance = true
		if call.To, err = ParseAddress(e.Native); err != nil {
			return call, false, fmt.Errorf("native %w", err)
		}
	case e.Call != "":
		if call.To, err = ParseAddress(e.To); err != nil {
			return call, false, fmt.Errorf("to %w", err)
		}
		if call.Data, err = packCall(e.Call, e.Args); err != nil {
			return call, false, err
		}
	default:
		return call, false, errors.New("no source: want one of amount, erc20, native or call")
	}
	return call, true, nil
}

// decimalsCall asks an erc20 entry's contract for its own decimals.
func decimalsCall(contract common.Address) evm.Call {
	return evm.Call{To: contract, Data: selectDecimals}
}

// scale is the entry's decimals where its contract is not asked for them.
func (e Entry) scale(token int) int {
	switch {
	case e.Native != "":
		return nativeDecimals
	case e.Decimals != nil:
		return *e.Decimals
	}
	return token
}

// ParseAddress reads "0x" and 40 hex digits. Letters of both cases must form
// the EIP-55 checksum, which catches most mistyped addresses.
func ParseAddress(s string) (common.Address, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) != common.AddressLength {
		return common.Address{}, fmt.Errorf("%q is not an address: want 0x and 40 hex digits", clip(s))
	}
	a := common.BytesToAddress(raw)
	mixed := digits != strings.ToLower(digits) && digits != strings.ToUpper(digits)
	if mixed && a.Hex() != s {
		return common.Address{}, fmt.Errorf("%q has a wrong checksum: a digit or letter is mistyped", s)
	}
	return a, nil
}

// maxSignature and maxArg bound what packCall reads.
const (
	maxSignature = 200
	maxArg       = 2000
)

// packCall encodes a call of signature, "name(types)", with one arg per type.
func packCall(signature string, args []string) ([]byte, error) {
	name, types, err := parseSignature(signature)
	if err != nil {
		return nil, err
	}
	if len(args) != len(types) {
		return nil, fmt.Errorf("call %s takes %d args, not %d", signature, len(types), len(args))
	}
	inputs, values := abi.Arguments{}, []any{}
	for i, t := range types {
		v, err := parseArg(t, args[i])
		if err != nil {
			return nil, fmt.Errorf("args[%d] of %s: %w", i, signature, err)
		}
		inputs, values = append(inputs, abi.Argument{Type: t}), append(values, v)
	}
	packed, err := inputs.Pack(values...)
	if err != nil {
		return nil, fmt.Errorf("encoding a call of %s: %w", signature, err)
	}
	names := make([]string, len(types))
	for i, t := range types {
		names[i] = t.String()
	}
	selector := crypto.Keccak256([]byte(name + "(" + strings.Join(names, ",") + ")"))[:4]
	return append(selector, packed...), nil
}

func parseSignature(s string) (name string, types []abi.Type, err error) {
	bad := fmt.Errorf(`call %q: want "name(types)", such as "lockOf(address)"`, clip(s))
	name, list, ok := strings.Cut(s, "(")
	list, closed := strings.CutSuffix(list, ")")
	if !ok || !closed || !identifier(name) || len(s) > maxSignature || strings.ContainsAny(list, "() \t") {
		return "", nil, bad
	}
	if list == "" {
		return name, nil, nil
	}
	for word := range strings.SplitSeq(list, ",") {
		if word == "uint" || word == "int" {
			word += "256" // as Solidity has it
		}
		t, err := abi.NewType(word, "", nil)
		if word == "" || err != nil {
			return "", nil, fmt.Errorf("%w: %q is not a type", bad, word)
		}
		if !plain(t) {
			return "", nil, fmt.Errorf("%w: a %s cannot be written as one argument", bad, word)
		}
		types = append(types, t)
	}
	return name, types, nil
}

// plain says whether a value of t is one word or one run of bytes. The sizes
// are checked too: the abi package takes uint7 for a type.
func plain(t abi.Type) bool {
	switch t.T {
	case abi.UintTy, abi.IntTy:
		return t.Size%8 == 0 && t.Size >= 8 && t.Size <= 256
	case abi.FixedBytesTy:
		return t.Size >= 1 && t.Size <= 32
	case abi.AddressTy, abi.BoolTy, abi.BytesTy, abi.StringTy:
		return true
	}
	return false
}

func identifier(s string) bool {
	for i, r := range s {
		letter := r == '_' || r == '$' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}

// parseArg returns s as the Go value that the abi package packs for t.
func parseArg(t abi.Type, s string) (any, error) {
	if len(s) > maxArg {
		return nil, fmt.Errorf("longer than %d characters", maxArg)
	}
	switch t.T {
	case abi.AddressTy:
		return ParseAddress(s)
	case abi.BoolTy:
		if s != "true" && s != "false" {
			return nil, fmt.Errorf("%q is not true or false", clip(s))
		}
		return s == "true", nil
	case abi.StringTy:
		return s, nil
	case abi.BytesTy, abi.FixedBytesTy:
		return parseBytes(t, s)
	}
	return parseInteger(t, s)
}

func parseBytes(t abi.Type, s string) (any, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil {
		return nil, fmt.Errorf("%q is not 0x and pairs of hex digits", clip(s))
	}
	if t.T == abi.BytesTy {
		return raw, nil
	}
	if len(raw) != t.Size {
		return nil, fmt.Errorf("%q has %d bytes, not %d", clip(s), len(raw), t.Size)
	}
	array := reflect.New(t.GetType()).Elem()
	reflect.Copy(array, reflect.ValueOf(raw))
	return array.Interface(), nil
}

func parseInteger(t abi.Type, s string) (any, error) {
	n, ok := new(big.Int).SetString(s, 0)
	if !ok || strings.Contains(s, "_") {
		return nil, fmt.Errorf("%q is not a whole number", clip(s))
	}
	low, high := new(big.Int), new(big.Int).Lsh(big.NewInt(1), uint(t.Size))
	if t.T == abi.IntTy {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	if n.Cmp(low) < 0 || n.Cmp(high) >= 0 {
		return nil, fmt.Errorf("%q does not fit %s", clip(s), t)
	}
	v := reflect.New(t.GetType()).Elem()
	switch {
	case v.CanUint():
		v.SetUint(n.Uint64())
	case v.CanInt():
		v.SetInt(n.Int64())
	default:
		return n, nil
	}
	return v.Interface(), nil
}
