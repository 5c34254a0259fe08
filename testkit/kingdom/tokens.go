package kingdom

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
)

// These addresses have no keys, and are the same on every chain.
var (
	Dead     = common.HexToAddress("0x000000000000000000000000000000000000dEaD")
	Treasury = common.HexToAddress("0x00000000000000000000000000000000000071ea")
)

// A coin is a token on its home chain, and on the chain that a bridge takes it to.
type coin struct {
	path, symbol, name string
	cap                int64 // the most that can exist, in whole tokens
	home               *Chain
	token              common.Address
	vesting            common.Address // zero means none
	furnace            common.Address // contract on the chain gas that burns what it gets; zero means none
	gas                *Chain         // the chain on which the coin is the gas token; nil means none
	lost               int64          // whole tokens that are declared as burned

	bridge       string // portal or relay; "" means none
	far          *Chain
	farToken     common.Address
	farDecimals  int
	gate, farEnd common.Address
	flights      []flight
	sent         [2]int64 // messages sent: from home, from afar
}

// A flight is a message on its way over a bridge.
type flight struct {
	back  bool // towards home
	nonce int64
	value *big.Int // in 18 decimals
	left  int      // rounds until it arrives
}

// issue deploys the three tokens and gives each entry of their ledgers an amount.
func (k *Kingdom) issue(ctx context.Context) error {
	first, second, third := k.Chains[0], k.Chains[1], k.Chains[2]
	k.coins = []*coin{
		{path: "jewel", symbol: "JEWEL", name: "Jewel", cap: 125_000_000, home: first, gas: second, bridge: "portal",
			far: third, farDecimals: 18},
		{path: "crystal", symbol: "CRYSTAL", name: "Crystal", cap: 250_000_000, home: second, bridge: "relay", far: third,
			farDecimals: 8},
		{path: "jade", symbol: "JADE", name: "Jade", cap: 250_000_000, home: third, lost: 12_500},
	}
	for _, c := range k.coins {
		if err := c.deploy(ctx); err != nil {
			return fmt.Errorf("issuing %s: %w", c.symbol, err)
		}
	}
	return nil
}

func (c *coin) deploy(ctx context.Context) (err error) {
	crown, out := c.home.Accounts[0], func(to common.Address, method string, args ...any) {
		if err == nil {
			err = c.home.Send(ctx, to, method, args...)
		}
	}
	if c.token, err = c.home.Deploy(ctx, "Token", c.name, c.symbol, uint8(18), whole(c.cap)); err != nil {
		return err
	}
	out(c.token, "mint", crown, whole(c.cap/2))
	out(c.token, "transfer", Dead, whole(c.cap/100))
	out(c.token, "lock", c.home.Accounts[1], whole(c.cap/20), big.NewInt(time.Now().Add(time.Hour).Unix()))
	if c.gas == nil {
		out(c.token, "transfer", Treasury, whole(c.cap/25))
	} else if err == nil {
		err = c.warm(ctx)
	}
	if c.path != "jade" && err == nil {
		if c.vesting, err = c.home.Deploy(ctx, "Vesting", c.token, c.home.Accounts[2], big.NewInt(time.Now().Unix()),
			big.NewInt(86400)); err == nil {
			out(c.token, "approve", c.vesting, whole(math.MaxInt32))
			out(c.vesting, "fund", whole(c.cap/10))
		}
	}
	if c.bridge != "" && err == nil {
		err = c.span(ctx)
	}
	return err
}

// warm sets the coin up as a gas token, with a treasury and a furnace.
func (c *coin) warm(ctx context.Context) (err error) {
	if c.furnace, err = c.gas.Deploy(ctx, "Furnace"); err != nil {
		return err
	}
	_, err = c.gas.Do(ctx, anvil.Tx{To: c.furnace, Value: whole(1000)}, anvil.Tx{To: Treasury, Value: whole(c.cap / 50)})
	return err
}

// span deploys both ends of the coin's bridge and moves some coins across.
func (c *coin) span(ctx context.Context) (err error) {
	if c.farToken, err = c.far.Deploy(ctx, "Token", c.name, c.symbol, uint8(c.farDecimals), new(big.Int)); err != nil {
		return err
	}
	end := func(n *Chain, token common.Address, home bool) (at common.Address, err error) {
		if c.bridge == "portal" {
			at, err = n.Deploy(ctx, "Portal", token, home)
		} else {
			at, err = n.Deploy(ctx, "Relay", token)
		}
		if err != nil {
			return at, err
		}
		_, err = n.Do(ctx,
			anvil.Tx{To: token, Method: "setMinter", Args: []any{at, true}},
			anvil.Tx{To: token, Method: "approve", Args: []any{at, whole(math.MaxInt32)}})
		return at, err
	}
	if c.gate, err = end(c.home, c.token, true); err != nil {
		return err
	}
	if c.farEnd, err = end(c.far, c.farToken, false); err != nil {
		return err
	}
	f := c.leave(false, whole(c.cap/20))
	if err := c.home.Send(ctx, c.gate, "send", c.far.Accounts[0], f.value); err != nil {
		return err
	}
	return c.far.Send(ctx, c.farEnd, "deliver", big.NewInt(f.nonce), c.far.Accounts[0], c.abroad(f.value))
}

// leave returns a new flight, with the number that the contract will give its message.
func (c *coin) leave(back bool, value *big.Int) flight {
	side := 0
	if back {
		side = 1
	}
	f := flight{back: back, nonce: c.sent[side], value: value, left: 2}
	c.sent[side]++
	return f
}

// abroad returns an amount in the far token's decimals. Amounts are multiples of 1e-8, so no digits
// are lost.
func (c *coin) abroad(value *big.Int) *big.Int {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(18-c.farDecimals)), nil)
	return scale.Div(value, scale)
}
