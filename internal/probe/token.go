package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply/ledger"
)

// A token is an ERC-20 contract with the facts that a ledger needs.
type token struct {
	chain        *Chain
	at           common.Address
	symbol, name string
	total        ledger.Amount
	cap          *ledger.Amount // cap(); nil if there is none, or if it is below the total
	dead         []holder       // those with a balance
}

// A holder is a well-known address, and its balance of a token.
type holder struct {
	name, address string
	amount        ledger.Amount
}

var deadAddresses = []holder{
	{name: "Dead address", address: "0x000000000000000000000000000000000000dead"},
	{name: "Zero address", address: "0x0000000000000000000000000000000000000000"},
	{name: "Address one", address: "0x0000000000000000000000000000000000000001"},
	{name: "Burn address", address: "0xdead000000000000000042069420694206942069"},
}

// AddToken reads the token contract at an address, on every chain that has one.
func (f *Facts) AddToken(ctx context.Context, address string) error {
	at, err := ledger.ParseAddress(address)
	if err != nil {
		return fmt.Errorf("token %q: %w", address, err)
	}
	found, err := f.find(ctx, at)
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}
	for _, c := range found {
		t, err := c.inspectToken(ctx, at)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", at, c.Name, err)
		}
		f.tokens = append(f.tokens, t)
		f.Print("token %s (%s) on %s: %s in all, %d decimals", t.symbol, t.name, c.Name, t.total, t.total.Decimals)
		for _, h := range t.dead {
			f.Print("  %s holds %s", h.name, h.amount)
		}
	}
	return nil
}

// inspectToken reads all facts about a token at once.
func (c *Chain) inspectToken(ctx context.Context, at common.Address) (token, error) {
	t := token{chain: c, at: at}
	views := []string{"totalSupply()", "decimals()", "symbol()", "name()", "cap()"}
	var calls []evm.Call
	for _, view := range views {
		calls = append(calls, pet.View(at, view))
	}
	for _, h := range deadAddresses {
		holder := common.HexToAddress(h.address)
		calls = append(calls, pet.View(at, "balanceOf(address)", common.LeftPadBytes(holder[:], 32)))
	}
	out, err := c.Read(ctx, c.Block, calls)
	if err != nil {
		return t, err
	}
	return t, t.fill(out[:len(views)], out[len(views):])
}

// fill parses the answers of a contract: those of its functions, and the balance of each dead
// address. It returns an error if the contract is not a token.
func (t *token) fill(views, balances [][]byte) error {
	if len(views[0]) != 32 || len(views[1]) != 32 {
		return errors.New("not an ERC-20 token: totalSupply() or decimals() does not answer with a number")
	}
	decimals := new(big.Int).SetBytes(views[1])
	if !decimals.IsInt64() || decimals.Int64() > ledger.MaxDecimals {
		return fmt.Errorf("not an ERC-20 token: decimals() says %s, more than %d", decimals, ledger.MaxDecimals)
	}
	amount := func(word []byte) ledger.Amount {
		return ledger.Amount{Units: new(big.Int).SetBytes(word), Decimals: int(decimals.Int64())}
	}
	t.total = amount(views[0])
	t.symbol = cmp.Or(plainText(views[2]), strings.ToUpper(t.at.Hex()[2:8]))
	t.name = cmp.Or(plainText(views[3]), t.symbol)
	if a := amount(views[4]); len(views[4]) == 32 && a.Sign() > 0 && a.Units.Cmp(t.total.Units) >= 0 {
		t.cap = &a
	}
	for i, word := range balances {
		a := amount(word)
		if len(word) == 32 && a.Sign() > 0 {
			h := deadAddresses[i]
			h.amount = a
			t.dead = append(t.dead, h)
		}
	}
	return nil
}

// plainText returns the text in a contract's answer, as one line of at most 100 bytes.
func plainText(answer []byte) string {
	return strings.TrimSpace(collection.Clip(pet.ContractText(answer), 100))
}

// path returns an unused name for the token in URLs.
func (t *token) path(taken map[string]bool) string {
	stem := cmp.Or(slug(t.symbol), "token")
	path := stem
	for i := 2; taken[path]; i++ {
		path = fmt.Sprintf("%s-%d", stem, i)
	}
	taken[path] = true
	return path
}
