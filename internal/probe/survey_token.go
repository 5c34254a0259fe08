package probe

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm"
	"petsupply/internal/supply/ledger"
)

// A surveyedToken is an ERC-20 contract and what stands out about it.
type surveyedToken struct {
	chain        *surveyedChain
	at           common.Address
	symbol, name string
	total        ledger.Amount
	cap          *ledger.Amount // cap(), where there is one
	locked       *ledger.Amount // totalLock(), likewise
	dead         []holding
	bridges      []holding
}

// A holding is a known address with a balance.
type holding struct {
	holder
	amount ledger.Amount
}

// A holder is an address that many tokens have to do with.
type holder struct{ name, address string }

var deadAddresses = []holder{
	{"Dead address", "0x000000000000000000000000000000000000dead"},
	{"Zero address", "0x0000000000000000000000000000000000000000"},
	{"Address one", "0x0000000000000000000000000000000000000001"},
	{"Burn address", "0xdead000000000000000042069420694206942069"},
}

// bridgeAddresses are public bridges that hold what is minted again elsewhere.
var bridgeAddresses = []holder{
	{"Optimism's bridge", "0x99c9fc46f92e8a1c0dec1b1747d010903e884be1"},
	{"Base's bridge", "0x3154cf16ccdb4c6d922629664174b904d80f2c35"},
	{"Arbitrum's gateway", "0xa3a7b6f88361f48403514059f1f16c8e78d60eec"},
	{"Arbitrum's custom gateway", "0xcee284f754e854890e311e3280b767f80797180d"},
	{"Polygon's bridge", "0x40ec5b33f54e0e8a33a975908c5ba1c14e5bbbdf"},
	{"Wormhole's bridge", "0x3ee18b2214aff97000d974cf647e7c347e8fa585"},
	{"Synapse's bridge", "0xe05c976d3f045d0e6e7a6f61083d98a15603cf6a"},
}

// AddToken looks at a token contract on every chain that has one there.
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
		t, err := c.lookAtToken(ctx, at)
		if err != nil {
			return fmt.Errorf("%s on %s: %w", at, c.name, err)
		}
		s.tokens = append(s.tokens, t)
		s.Say("token %s (%s) on %s: %s in all, %d decimals", t.symbol, t.name, c.name, t.total, t.total.Decimals)
		for _, h := range append(t.dead, t.bridges...) {
			s.Say("  %s holds %s", h.name, h.amount)
		}
	}
	return nil
}

// lookAtToken reads all that is of interest in one call.
func (c *surveyedChain) lookAtToken(ctx context.Context, at common.Address) (surveyedToken, error) {
	t := surveyedToken{chain: c, at: at}
	views := []string{"totalSupply()", "decimals()", "symbol()", "name()", "cap()", "totalLock()"}
	holders := append(append([]holder{}, deadAddresses...), bridgeAddresses...)
	var calls []evm.Call
	add := func(e ledger.Entry) error {
		call, _, err := e.ChainCall()
		call.MayRevert = true
		calls = append(calls, call)
		return err
	}
	for _, view := range views {
		if err := add(ledger.Entry{Call: view, To: at.Hex()}); err != nil {
			return t, err
		}
	}
	for _, h := range holders {
		if err := add(ledger.Entry{ERC20: at.Hex(), Holder: common.HexToAddress(h.address).Hex()}); err != nil {
			return t, err
		}
	}
	out, err := c.dialled.Read(ctx, c.block, calls)
	if err != nil {
		return t, err
	}
	return t, t.fill(out[:len(views)], out[len(views):], holders)
}

// fill takes the answers in; an error says that this is no token.
func (t *surveyedToken) fill(views, balances [][]byte, holders []holder) error {
	if len(views[0]) != 32 || len(views[1]) != 32 {
		return fmt.Errorf("not an ERC-20 token: totalSupply() or decimals() does not answer with a number")
	}
	decimals := new(big.Int).SetBytes(views[1])
	if !decimals.IsInt64() || decimals.Int64() > ledger.MaxDecimals {
		return fmt.Errorf("not an ERC-20 token: decimals() says %s", decimals)
	}
	amount := func(word []byte) ledger.Amount {
		return ledger.Amount{Units: new(big.Int).SetBytes(word), Decimals: int(decimals.Int64())}
	}
	t.total = amount(views[0])
	t.symbol, t.name = plainText(views[2]), plainText(views[3])
	if t.symbol == "" {
		t.symbol = strings.ToUpper(t.at.Hex()[2:8])
	}
	if t.name == "" {
		t.name = t.symbol
	}
	for i, to := range []**ledger.Amount{&t.cap, &t.locked} {
		if word := views[4+i]; len(word) == 32 {
			if a := amount(word); a.Sign() > 0 && (i > 0 || a.Units.Cmp(t.total.Units) >= 0) {
				*to = &a
			}
		}
	}
	for i, word := range balances {
		a := amount(word)
		if len(word) != 32 || a.Sign() == 0 {
			continue
		}
		if i < len(deadAddresses) {
			t.dead = append(t.dead, holding{holders[i], a})
		} else {
			t.bridges = append(t.bridges, holding{holders[i], a})
		}
	}
	return nil
}

// plainText reads a text that a contract returned, as string or as bytes32, and
// leaves out what does not belong into one line of a file.
func plainText(b []byte) string {
	if len(b) >= 64 {
		n := binary.BigEndian.Uint64(b[56:64])
		if rest := uint64(len(b) - 64); n > rest {
			n = rest
		}
		b = b[64 : 64+n]
	}
	text := strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, strings.TrimRight(string(b), "\x00"))
	for len(text) > 100 {
		_, n := utf8.DecodeLastRuneInString(text)
		text = text[:len(text)-n]
	}
	return strings.TrimSpace(text)
}

var notInPaths = regexp.MustCompile(`[^a-z0-9]+`)

// path is the token's name in addresses, unlike all that are taken.
func (t *surveyedToken) path(taken map[string]bool) string {
	stem := strings.Trim(notInPaths.ReplaceAllString(strings.ToLower(t.symbol), "-"), "-")
	if len(stem) > 24 {
		stem = strings.Trim(stem[:24], "-")
	}
	if stem == "" {
		stem = "token"
	}
	path := stem
	for i := 2; taken[path]; i++ {
		path = fmt.Sprintf("%s-%d", stem, i)
	}
	taken[path] = true
	return path
}
