package ledger

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
)

// Selectors of the calls for erc20 entries.
var (
	selectTotalSupply = []byte{0x18, 0x16, 0x0d, 0xdd} // totalSupply()
	selectBalanceOf   = []byte{0x70, 0xa0, 0x82, 0x31} // balanceOf(address)
	selectDecimals    = []byte{0x31, 0x3c, 0xe5, 0x67} // decimals()
)

// nativeDecimals is the number of decimals of every EVM chain's gas token.
const nativeDecimals = 18

// ChainCall returns the call that reads the entry. For a share it reads the whole source. ok is
// false for a declared amount, which needs no chain.
func (e Entry) ChainCall() (call evm.Call, ok bool, err error) {
	e = e.Whole()
	address := func(key, text string) (a common.Address) {
		if err == nil && text == "" {
			err = fmt.Errorf("%q is missing: want 0x and 40 hex digits", key)
		} else if err == nil {
			a, err = ParseAddress(text)
			if err != nil {
				err = fmt.Errorf("%s %w", key, err)
			}
		}
		return a
	}
	switch {
	case e.Amount != nil:
		return evm.Call{}, false, nil
	case e.ERC20 != "":
		call.To = address("erc20", e.ERC20)
		call.Data = selectTotalSupply
		if e.Holder != "" {
			holder := address("holder", e.Holder)
			call.Data = append(selectBalanceOf[:4:4], common.LeftPadBytes(holder[:], 32)...)
		}
	case e.Native != "":
		call.To = address("native", e.Native)
		call.Balance = true
	case e.Call != "":
		call.To = address("to", e.To)
		if err == nil {
			call.Data, err = encodeCall(e.Call, e.Args)
		}
	default:
		err = errors.New("no source: want one of amount, erc20, native, call or share")
	}
	return call, err == nil, err
}

// ShareCalls returns the calls that read the holder's number of shares and the total number of
// shares.
func (e Entry) ShareCalls() (balance, total evm.Call, err error) {
	balance, _, err = (Entry{ERC20: e.Share.Token, Holder: e.Share.Holder}).ChainCall()
	if err == nil {
		total, _, err = Entry{ERC20: e.Share.Token}.ChainCall()
	}
	return balance, total, err
}

// DecimalsCall returns the call that reads the decimals of an erc20 contract.
func DecimalsCall(contract common.Address) evm.Call {
	return evm.Call{To: contract, Data: selectDecimals}
}

// DeclaredDecimals returns the decimals of an entry without asking its contract. The argument is
// the number of the token's decimals, which is the default.
func (e Entry) DeclaredDecimals(token int) int {
	e = e.Whole()
	switch {
	case e.Native != "":
		return nativeDecimals
	case e.Decimals != nil:
		return *e.Decimals
	}
	return token
}

// ParseAddress reads "0x" and 40 hex digits. An address in mixed case must have the EIP-55
// checksum, which catches most typing mistakes.
func ParseAddress(s string) (common.Address, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	raw, err := hex.DecodeString(digits)
	if !ok || err != nil || len(raw) != common.AddressLength {
		return common.Address{}, fmt.Errorf("%q is not an address: want 0x and 40 hex digits", Clip(s))
	}
	a := common.BytesToAddress(raw)
	mixed := digits != strings.ToLower(digits) && digits != strings.ToUpper(digits)
	if mixed && a.Hex() != s {
		return common.Address{}, fmt.Errorf("%q has a wrong checksum: a digit or letter is mistyped", s)
	}
	return a, nil
}

// maxSignature and maxArg limit the input of encodeCall.
const (
	maxSignature = 200
	maxArg       = 2000
)

var signatureForm = regexp.MustCompile(`^([A-Za-z_$][A-Za-z0-9_$]*)\(([^() \t]*)\)$`)

// encodeCall returns the ABI encoding of a call. signature is "name(types)", and args has one text
// for each type.
func encodeCall(signature string, args []string) ([]byte, error) {
	name, types, err := parseSignature(signature)
	if err != nil {
		return nil, err
	}
	if len(args) != len(types) {
		return nil, fmt.Errorf("call %s takes %d args, not %d", signature, len(types), len(args))
	}
	var head, tail []byte
	names := make([]string, len(types))
	for i, t := range types {
		value, err := t.encode(args[i])
		if err != nil {
			return nil, fmt.Errorf("args[%d] of %s: %w", i, signature, err)
		}
		if t.dynamic() { // head gets the offset; tail gets the length and the bytes
			head = append(head, uintWord(32*len(types)+len(tail))...)
			tail = append(append(tail, uintWord(len(value))...), value...)
			tail = append(tail, make([]byte, -len(value)&31)...)
		} else {
			head = append(head, value...)
		}
		names[i] = t.name
	}
	selector := crypto.Keccak256([]byte(name + "(" + strings.Join(names, ",") + ")"))[:4]
	return append(append(selector, head...), tail...), nil
}

func uintWord(n int) []byte { return math.U256Bytes(big.NewInt(int64(n))) }

func parseSignature(s string) (name string, types []argType, err error) {
	form := signatureForm.FindStringSubmatch(s)
	if form == nil || len(s) > maxSignature {
		return "", nil, fmt.Errorf(`call %q: want "name(types)", such as "lockOf(address)"`, Clip(s))
	}
	if form[2] == "" {
		return form[1], nil, nil
	}
	for text := range strings.SplitSeq(form[2], ",") {
		t, ok := parseArgType(text)
		if !ok {
			return "", nil, fmt.Errorf("call %q: arguments of type %q are not supported", Clip(s), text)
		}
		types = append(types, t)
	}
	return form[1], types, nil
}

// An argType is a Solidity type whose values are one word or one byte string, such as uint256.
type argType struct {
	name string
	base string // the type without its size
	size int    // bits of an integer type, or bytes of a bytes type; 0 if the name has no size
}

func parseArgType(name string) (t argType, ok bool) {
	if name == "uint" || name == "int" {
		name += "256" // Solidity's default
	}
	t = argType{name: name, base: strings.TrimRight(name, "0123456789")}
	size := name[len(t.base):]
	t.size, _ = strconv.Atoi(size)
	switch sized := size != "" && size[0] != '0'; t.base {
	case "address", "bool", "string":
		return t, size == ""
	case "bytes":
		return t, size == "" || sized && t.size <= 32
	case "uint", "int":
		return t, sized && t.size%8 == 0 && t.size <= 256
	}
	return t, false
}

func (t argType) dynamic() bool { return t.name == "bytes" || t.name == "string" }

// encode returns s as one word, or as the bytes of a dynamic type.
func (t argType) encode(s string) ([]byte, error) {
	if len(s) > maxArg {
		return nil, fmt.Errorf("longer than %d characters", maxArg)
	}
	switch t.base {
	case "address":
		a, err := ParseAddress(s)
		return common.LeftPadBytes(a[:], 32), err
	case "bool":
		if s != "true" && s != "false" {
			return nil, fmt.Errorf("%q is not true or false", Clip(s))
		}
		if s == "true" {
			return uintWord(1), nil
		}
		return uintWord(0), nil
	case "string":
		return []byte(s), nil
	case "bytes":
		return t.encodeBytes(s)
	}
	return t.encodeInteger(s)
}

func (t argType) encodeBytes(s string) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	raw, err := hex.DecodeString(digits)
	switch {
	case !ok || err != nil:
		return nil, fmt.Errorf("%q: want 0x and pairs of hex digits", Clip(s))
	case t.size == 0:
		return raw, nil
	case len(raw) != t.size:
		return nil, fmt.Errorf("%q has %d bytes, not %d", Clip(s), len(raw), t.size)
	}
	return common.RightPadBytes(raw, 32), nil
}

// integerForm excludes any doubt about the base: only hex numbers may have leading zeros.
var integerForm = regexp.MustCompile(`^-?(0|[1-9][0-9]*|0x[0-9a-fA-F]+)$`)

func (t argType) encodeInteger(s string) ([]byte, error) {
	if !integerForm.MatchString(s) {
		return nil, fmt.Errorf("%q is not a whole number: want decimal without leading zeros, or hex with 0x", Clip(s))
	}
	n, _ := new(big.Int).SetString(s, 0)
	low := new(big.Int)
	high := new(big.Int).Lsh(big.NewInt(1), uint(t.size))
	if t.base == "int" {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	if n.Cmp(low) < 0 || n.Cmp(high) >= 0 {
		return nil, fmt.Errorf("%q does not fit %s", Clip(s), t.name)
	}
	return math.U256Bytes(n), nil
}
