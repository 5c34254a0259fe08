package supply

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"

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

// ChainCall returns the call that answers the entry. ok is false for a declared
// amount, which no chain is asked for.
func (e Entry) ChainCall() (call evm.Call, ok bool, err error) {
	address := func(key, text string) (a common.Address) {
		if err == nil {
			if a, err = ParseAddress(text); err != nil {
				err = fmt.Errorf("%s %w", key, err)
			}
		}
		return a
	}
	switch {
	case e.Amount != nil:
		return evm.Call{}, false, nil
	case e.ERC20 != "":
		call.To, call.Data = address("erc20", e.ERC20), selectTotalSupply
		if e.Holder != "" {
			holder := address("holder", e.Holder)
			call.Data = append(selectBalanceOf[:4:4], common.LeftPadBytes(holder[:], 32)...)
		}
	case e.Native != "":
		call.To, call.Balance = address("native", e.Native), true
	case e.Call != "":
		if call.To = address("to", e.To); err == nil {
			call.Data, err = encodeCall(e.Call, e.Args)
		}
	default:
		err = errors.New("no source: want one of amount, erc20, native or call")
	}
	return call, err == nil, err
}

// decimalsCall asks an erc20 entry's contract for its own decimals.
func decimalsCall(contract common.Address) evm.Call {
	return evm.Call{To: contract, Data: selectDecimals}
}

// declaredDecimals is the entry's decimals where its contract is not asked for
// them.
func (e Entry) declaredDecimals(token int) int {
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
