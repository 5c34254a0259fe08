package kingdom

import (
	"context"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
)

// trade makes one change of a coin, and delivers its flights.
func (k *Kingdom) trade(ctx context.Context, r *round, c *coin) error {
	c.land(r)
	value := k.amount()
	home := func(method string, to common.Address, args ...any) {
		r.do(c.home, anvil.Tx{To: to, Method: method, Args: args})
	}
	who := c.home.Accounts[2+k.dice.IntN(3)] // not Accounts[1], which has a large lock
	switch k.dice.IntN(8) {
	case 0:
		issued, err := c.home.Uint(ctx, c.token, "totalSupply")
		if err != nil || issued.Add(issued, value).Cmp(whole(c.cap*9/10)) > 0 {
			return err
		}
		home("mint", c.token, c.home.Accounts[0], value)
		r.say("%s %s minted on %s", tokens(value), c.symbol, c.home.Name)
	case 1:
		home("burn", c.token, value)
		r.say("%s %s burned on %s", tokens(value), c.symbol, c.home.Name)
	case 2:
		k.sink(r, c, value)
	case 3:
		home("lock", c.token, who, value, big.NewInt(time.Now().Add(time.Minute).Unix()))
		r.say("%s %s locked", tokens(value), c.symbol)
	case 4:
		home("unlock", c.token, who)
		r.say("a lock of %s opened", c.symbol)
	case 5:
		if c.vesting != (common.Address{}) {
			home("release", c.vesting)
			r.say("vested %s released", c.symbol)
		}
	case 6:
		return k.spend(ctx, r, c, value)
	case 7:
		return k.ship(ctx, r, c, value)
	}
	return nil
}

// sink removes tokens for good.
func (k *Kingdom) sink(r *round, c *coin, value *big.Int) {
	if c.furnace != (common.Address{}) && k.chance(50) {
		r.do(c.gas, anvil.Tx{To: c.furnace, Value: value})
		r.say("%s %s into the furnace on %s", tokens(value), c.symbol, c.gas.Name)
		return
	}
	r.do(c.home, anvil.Tx{To: c.token, Method: "transfer", Args: []any{Dead, value}})
	r.say("%s %s to the dead address", tokens(value), c.symbol)
}

// spend moves tokens into the treasury or out of it, at random. If the treasury has too few tokens to
// take out, nothing moves.
func (k *Kingdom) spend(ctx context.Context, r *round, c *coin, value *big.Int) error {
	where, out := c.home, k.chance(50)
	in := anvil.Tx{To: c.token, Method: "transfer", Args: []any{Treasury, value}}
	has, err := c.home.Uint(ctx, c.token, "balanceOf", Treasury)
	if c.gas != nil {
		where, in = c.gas, anvil.Tx{To: Treasury, Value: value}
		has, err = c.gas.Uint(ctx, anvil.Multicall3, "getEthBalance", Treasury)
	}
	switch {
	case err != nil:
		return err
	case !out:
		r.do(where, in)
		r.say("%s %s into the treasury", tokens(value), c.symbol)
	case has.Cmp(value) > 0:
		tx := anvil.Tx{From: Treasury, To: c.token, Method: "transfer", Args: []any{where.Accounts[0], value}}
		if c.gas != nil {
			tx = anvil.Tx{From: Treasury, To: where.Accounts[0], Value: value}
		}
		r.do(where, tx)
		r.say("%s %s out of the treasury", tokens(value), c.symbol)
	}
	return nil
}

// ship sends tokens over the bridge, in either direction.
func (k *Kingdom) ship(ctx context.Context, r *round, c *coin, value *big.Int) error {
	if c.bridge == "" {
		return nil
	}
	back := k.chance(50)
	from, gate, units, to := c.home, c.gate, value, c.far
	if back {
		from, gate, units, to = c.far, c.farEnd, c.abroad(value), c.home
		has, err := c.far.Uint(ctx, c.farToken, "balanceOf", c.far.Accounts[0])
		if err != nil || has.Cmp(units) < 0 {
			return err
		}
	}
	r.do(from, anvil.Tx{To: gate, Method: "send", Args: []any{to.Accounts[0], units}})
	c.flights = append(c.flights, c.leave(back, value))
	r.say("%s %s leave %s for %s", tokens(value), c.symbol, from.Name, to.Name)
	return nil
}

// land delivers the flights that are due.
func (c *coin) land(r *round) {
	var aloft []flight
	for _, f := range c.flights {
		if f.left--; f.left > 0 {
			aloft = append(aloft, f)
			continue
		}
		at, gate, units := c.far, c.farEnd, c.abroad(f.value)
		if f.back {
			at, gate, units = c.home, c.gate, f.value
		}
		r.do(at, anvil.Tx{To: gate, Method: "deliver", Args: []any{big.NewInt(f.nonce), at.Accounts[0], units}})
		r.say("%s %s arrive on %s", tokens(f.value), c.symbol, at.Name)
	}
	c.flights = aloft
}

// amount returns a small quantity: 10 to 20,010 tokens, with up to eight decimals.
func (k *Kingdom) amount() *big.Int {
	return new(big.Int).Mul(big.NewInt(1e9+k.dice.Int64N(2e12)), big.NewInt(1e10))
}

// tokens writes an amount in whole tokens, because the rest does not fit into a line.
func tokens(value *big.Int) string {
	return new(big.Int).Div(value, big.NewInt(1e18)).String()
}
