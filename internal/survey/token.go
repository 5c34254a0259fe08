package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/supply/ledger"
)

// A token is an ERC-20 contract with the facts that a ledger needs.
type token struct {
	chain        *chain
	at           common.Address
	symbol, name string
	total        ledger.Amount
	cap          *ledger.Amount // cap(); nil if there is none, or if it is below the total
	locked       *ledger.Amount // totalLock(); nil if there is none, or if it is 0
	dead         []holding
	bridges      []holding
}

// A holding is a known address with a balance.
type holding struct {
	holder
	amount ledger.Amount
}

// A holder is a well-known address.
type holder struct{ name, address string }

var deadAddresses = []holder{
	{"Dead address", "0x000000000000000000000000000000000000dead"},
	{"Zero address", "0x0000000000000000000000000000000000000000"},
	{"Address one", "0x0000000000000000000000000000000000000001"},
	{"Burn address", "0xdead000000000000000042069420694206942069"},
}

// bridgeAddresses are public bridges. Tokens that they hold are minted again on other chains.
var bridgeAddresses = []holder{
	{"Optimism's bridge", "0x99c9fc46f92e8a1c0dec1b1747d010903e884be1"},
	{"Base's bridge", "0x3154cf16ccdb4c6d922629664174b904d80f2c35"},
	{"Arbitrum's gateway", "0xa3a7b6f88361f48403514059f1f16c8e78d60eec"},
	{"Arbitrum's custom gateway", "0xcee284f754e854890e311e3280b767f80797180d"},
	{"Polygon's bridge", "0x40ec5b33f54e0e8a33a975908c5ba1c14e5bbbdf"},
	{"Wormhole's bridge", "0x3ee18b2214aff97000d974cf647e7c347e8fa585"},
	{"Synapse's bridge", "0xe05c976d3f045d0e6e7a6f61083d98a15603cf6a"},
}

// AddToken looks at the token contract at an address, on every chain that has one.
func (s *Survey) AddToken(ctx context.Context, address string) error {
	at, err := ledger.ParseAddress(address)
	if err != nil {
		return fmt.Errorf("token %q: %w", address, err)
	}
	found, err := s.find(ctx, at)
	if err != nil {
		return fmt.Errorf("token: %w", err)
	}
	for _, c := range found {
		t, err := c.inspectToken(ctx, at)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", at, c.name, err)
		}
		s.tokens = append(s.tokens, t)
		s.Print("token %s (%s) on %s: %s in all, %d decimals", t.symbol, t.name, c.name, t.total, t.total.Decimals)
		for _, h := range slices.Concat(t.dead, t.bridges) {
			s.Print("  %s holds %s", h.name, h.amount)
		}
	}
	return nil
}

// inspectToken reads all facts about a token at once.
func (c *chain) inspectToken(ctx context.Context, at common.Address) (token, error) {
	t := token{chain: c, at: at}
	views := []string{"totalSupply()", "decimals()", "symbol()", "name()", "cap()", "totalLock()"}
	holders := slices.Concat(deadAddresses, bridgeAddresses)
	var calls []evm.Call
	for _, view := range views {
		calls = append(calls, pet.View(at, view))
	}
	for _, h := range holders {
		holder := common.HexToAddress(h.address)
		calls = append(calls, pet.View(at, "balanceOf(address)", common.LeftPadBytes(holder[:], 32)))
	}
	out, err := c.dialled.Read(ctx, c.block, calls)
	if err != nil {
		return t, err
	}
	return t, t.fill(out[:len(views)], out[len(views):], holders)
}

// fill parses the answers of a contract: those of its functions, and the balance of each holder. It
// returns an error if the contract is not a token.
func (t *token) fill(views, balances [][]byte, holders []holder) error {
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
	if a := amount(views[5]); len(views[5]) == 32 && a.Sign() > 0 {
		t.locked = &a
	}
	for i, word := range balances {
		a := amount(word)
		if len(word) != 32 || a.Sign() == 0 {
			continue
		}
		if i < len(deadAddresses) {
			t.dead = append(t.dead, holding{holder: holders[i], amount: a})
		} else {
			t.bridges = append(t.bridges, holding{holder: holders[i], amount: a})
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
