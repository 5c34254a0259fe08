// Package kingdom founds an invented kingdom on real nodes: four chains, three tokens with bridges,
// locks and treasuries, and a pet realm on each chain. Call Found or Test, configure a service with
// Config, and call Step to make changes. Books and Places then return the truth.
package kingdom

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
	"golang.org/x/sync/errgroup"

	"petsupply/testkit/anvil"
	"petsupply/testkit/process"
)

// Options say what to found.
type Options struct {
	Pets int    // hatched at first in each realm but the last, by default 24
	Seed uint64 // the same seed makes the same changes
	// Age is how long ago, by the chains' clocks, everything was founded. Nothing has happened
	// since.
	Age time.Duration
}

// A Chain is one chain of the kingdom, with its node.
type Chain struct {
	*anvil.Node
	Name     string
	ID       uint64
	Finality string // the finality at which the service should read the chain
}

// A Kingdom runs until Close. Only one goroutine at a time may use it; others read the chains
// through their nodes.
type Kingdom struct {
	Chains []*Chain // first, second, third, arena
	Realms []*Realm // one on each chain, in the same order; the last has no pets of its own

	coins []*coin
	pets  []*petState // in the order of hatching
	dice  *rand.Rand
}

// Test founds a kingdom that ends with the test.
func Test(t testing.TB, o Options) *Kingdom {
	t.Helper()
	process.SkipShort(t)
	k, err := Found(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return k
}

// Found starts the nodes, deploys everything, issues the tokens and hatches the first pets. When it
// returns, all of that is final on every chain.
func Found(ctx context.Context, o Options) (*Kingdom, error) {
	k := &Kingdom{dice: rand.New(rand.NewPCG(o.Seed, 1))}
	if err := k.found(ctx, o); err != nil {
		k.Close()
		return nil, fmt.Errorf("founding a kingdom: %w", err)
	}
	return k, nil
}

func (k *Kingdom) found(ctx context.Context, o Options) error {
	for _, c := range []Chain{
		{Name: "first", ID: 31001, Finality: "latest-2"},
		{Name: "second", ID: 31002, Finality: "latest"},
		{Name: "third", ID: 31003, Finality: "finalized"},
		{Name: "arena", ID: 31004, Finality: "latest"},
	} {
		node, err := anvil.Start(ctx, anvil.Options{Chain: c.ID, Manual: true, Genesis: time.Now().Add(-time.Minute - o.Age)})
		if err != nil {
			return fmt.Errorf("chain %s: %w", c.Name, err)
		}
		c.Node = node
		k.Chains = append(k.Chains, &c)
	}
	if err := k.issue(ctx); err != nil {
		return err
	}
	pets := o.Pets
	if pets == 0 {
		pets = 24
	}
	if err := k.settle(ctx, pets); err != nil {
		return err
	}
	now := time.Now()
	for _, c := range k.Chains {
		if err := c.ripen(ctx, now); err != nil {
			return err
		}
	}
	return nil
}

// ripen adds a block with the time now, and makes it final. It is called with the same time for all
// chains, after everything is deployed.
func (c *Chain) ripen(ctx context.Context, now time.Time) error {
	if err := c.MineAt(ctx, now); err != nil {
		return err
	}
	return c.Mine(ctx, 4) // a final block is at most two blocks behind the newest
}

// Close ends the nodes.
func (k *Kingdom) Close() {
	for _, c := range k.Chains {
		c.Close()
	}
}

// A round has the transactions of one block of each chain.
type round struct {
	txs     map[*Chain][]anvil.Tx
	touched map[uint64]bool // pets that have a change in txs; each gets only one, so their order does not matter
	said    []string
}

func (r *round) do(c *Chain, tx anvil.Tx) { r.txs[c] = append(r.txs[c], tx) }

func (r *round) say(format string, args ...any) {
	r.said = append(r.said, fmt.Sprintf(format, args...))
}

// Step makes one round. It changes each token, makes at most as many changes of pets as deeds says,
// and adds a block to every chain. It describes the changes in words.
func (k *Kingdom) Step(ctx context.Context, deeds int) ([]string, error) {
	r := &round{txs: map[*Chain][]anvil.Tx{}, touched: map[uint64]bool{}}
	for _, c := range k.coins {
		if err := k.trade(ctx, r, c); err != nil {
			return nil, fmt.Errorf("trading %s: %w", c.symbol, err)
		}
	}
	for range deeds {
		if err := k.play(ctx, r); err != nil {
			return nil, err
		}
	}
	work, ctx := errgroup.WithContext(ctx)
	for _, c := range k.Chains {
		work.Go(func() error {
			if len(r.txs[c]) == 0 {
				return c.Mine(ctx, 1)
			}
			if _, err := c.Do(ctx, r.txs[c]...); err != nil {
				return fmt.Errorf("on chain %s: %w", c.Name, err)
			}
			return nil
		})
	}
	return r.said, work.Wait()
}

// Settle makes empty blocks until everything is final. The first of these blocks has the same time
// on all chains of the tokens, because chains that a bridge joins are read as of one time. If one
// chain had no block after another chain's last change, that change could never be read.
func (k *Kingdom) Settle(ctx context.Context) error {
	tokens, arena := k.Chains[:3], k.Chains[3]
	var last int64
	for _, c := range tokens {
		head, err := c.Block(ctx, rpc.LatestBlockNumber)
		if err != nil {
			return err
		}
		last = max(last, int64(head.Time))
	}
	for _, c := range tokens {
		if err := c.ripen(ctx, time.Unix(last+1, 0)); err != nil {
			return err
		}
	}
	return arena.Mine(ctx, 4)
}

// chance is true with this probability, in percent.
func (k *Kingdom) chance(percent int) bool { return k.dice.IntN(100) < percent }

// whole returns this many tokens in units of 18 decimals.
func whole(tokens int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(tokens), big.NewInt(1e18))
}
