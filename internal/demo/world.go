package demo

import (
	"context"
	"fmt"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
	"petsupply/internal/pet/index"
	"petsupply/internal/supply"
	"petsupply/internal/world"
)

// multicall is the address of Multicall3 on every chain.
var multicall = common.HexToAddress("0xcA11bde05977b3631167028862bE2a173976CA11")

// networks are the chains of the kingdom. No real network has their ids.
var networks = []world.Chain{
	{Name: "first", ID: 990_000_001, Blocks: world.Steady{Genesis: Start.AddDate(-4, 0, 0), Every: 6 * time.Second}},
	{Name: "second", ID: 990_000_002, Blocks: world.Steady{Genesis: Start.AddDate(-3, 0, 0), Every: 5 * time.Second}},
	{Name: "third", ID: 990_000_003, Blocks: world.Steady{Genesis: Start.AddDate(-2, 0, 0), Every: 4 * time.Second}},
}

// ChainIDs returns the ids of the kingdom's chains, by name.
func ChainIDs() map[string]uint64 {
	ids := map[string]uint64{}
	for _, c := range networks {
		ids[c.Name] = c.ID
	}
	return ids
}

// NodeURL returns the address of the only node of a chain.
func NodeURL(chain string) string { return "http://" + chain + ".demo.invalid" }

// A World is the kingdom at the time of its clock. The state of a block depends only on the block's
// time, so a world is ready at once, however old the kingdom is.
type World struct {
	Now    func() time.Time
	chains []world.Chain
	pets   *petWorld
}

// NewWorld returns the world, with now as its clock. words are the pack's tables, which say which
// appearances and bonuses pets have.
func NewWorld(now func() time.Time, words map[string]collection.Table) *World {
	w := &World{Now: now, chains: slices.Clone(networks), pets: newPetWorld(words)}
	for i := range w.chains {
		w.chains[i].Multicall = multicall
		w.chains[i].State = ground{chain: w.chains[i].Name, realm: i, pets: w.pets}
	}
	return w
}

// Nodes returns a transport to the nodes of the world.
func (w *World) Nodes() http.RoundTripper {
	nodes := world.Nodes{}
	for i := range w.chains {
		c := &w.chains[i]
		nodes[strings.TrimPrefix(NodeURL(c.Name), "http://")] = &world.Node{Chain: c, Now: w.Now}
	}
	return nodes
}

// Chains returns the world's chains by name. They are read directly, not through nodes. The demo's
// past is measured on these chains.
func (w *World) Chains() map[string]*Chain {
	out := map[string]*Chain{}
	for i := range w.chains {
		out[w.chains[i].Name] = &Chain{chain: &w.chains[i], now: w.Now}
	}
	return out
}

// Chains returns the kingdom's chains by name, as they were at the given time.
func Chains(at time.Time) map[string]supply.Chain {
	out := map[string]supply.Chain{}
	for name, c := range NewWorld(func() time.Time { return at }, nil).Chains() {
		out[name] = c
	}
	return out
}

// A Chain reads a chain of the world directly. It can be used in place of an evm.Chain.
type Chain struct {
	chain *world.Chain
	now   func() time.Time
}

var (
	_ supply.Chain = (*Chain)(nil)
	_ index.Chain  = (*Chain)(nil)
)

func (c *Chain) view() world.View { return world.View{Chain: c.chain, At: c.now()} }

// ID returns the chain's id.
func (c *Chain) ID() uint64 { return c.chain.ID }

// OnDemand returns false, because the chain makes blocks all the time.
func (c *Chain) OnDemand() bool { return false }

// Pin returns the last block that is no later than limit. A zero limit means now.
func (c *Chain) Pin(_ context.Context, limit time.Time) (evm.Block, error) {
	v := c.view()
	if limit.IsZero() || limit.After(v.At) {
		limit = v.At
	}
	return c.block(v, v.Blocks.Newest(limit)), nil
}

// Blocks returns blocks by their numbers.
func (c *Chain) Blocks(_ context.Context, numbers ...uint64) ([]evm.Block, error) {
	v := c.view()
	out := make([]evm.Block, len(numbers))
	for i, n := range numbers {
		if n > v.Head().Number {
			return nil, evm.ErrAbsent
		}
		out[i] = c.block(v, n)
	}
	return out, nil
}

func (c *Chain) block(v world.View, number uint64) evm.Block {
	b := v.Block(number)
	return evm.Block{Number: number, Hash: v.Hash(b), Parent: v.Parent(b), Time: b.Time}
}

// Read answers every call as of the given block.
func (c *Chain) Read(_ context.Context, at evm.Block, calls []evm.Call) ([][]byte, error) {
	b := c.view().Block(at.Number)
	out := make([][]byte, len(calls))
	for i, call := range calls {
		if call.Balance {
			out[i] = world.Word(c.chain.State.Balance(b, call.To))
			continue
		}
		answer, ok := c.chain.State.Call(b, call.To, call.Data)
		if !ok && !call.MayRevert {
			return nil, fmt.Errorf("calling %s on the demo's chain %s: %w", call.To, c.chain.Name, evm.ErrReverted)
		}
		out[i] = answer
	}
	return out, nil
}

// Logs returns the logs of a range of blocks.
func (c *Chain) Logs(_ context.Context, q evm.LogQuery) ([]evm.Log, error) {
	var list []evm.Log
	v := c.view()
	for n := q.From; n <= q.To; n++ {
		b := v.Block(n)
		for i, l := range v.State.Logs(b) {
			if slices.Contains(q.Addresses, l.Address) {
				list = append(list, evm.Log{Address: l.Address, Topics: l.Topics, Data: l.Data, Block: n,
					Hash: v.Hash(b), Tx: v.Hash(b), Index: uint(i)})
			}
		}
	}
	return list, nil
}

// A ground is the state of one chain: amounts of tokens, and the pets of a realm.
type ground struct {
	chain string
	realm int
	pets  *petWorld
}

// tides are the amounts on all chains, by chain, address and calldata.
var tides = sync.OnceValue(func() map[string]tide {
	out := map[string]tide{}
	for _, ledger := range lines {
		for _, l := range ledger {
			if call, measured, err := l.source.ChainCall(); err == nil && measured {
				out[l.source.Chain+string(call.To[:])+string(call.Data)] = l.tide
			}
		}
	}
	return out
})

var callDecimals = string(crypto.Keccak256([]byte("decimals()"))[:4])

// Call returns the answer of a contract.
func (g ground) Call(at world.Block, to common.Address, data []byte) (out []byte, ok bool) {
	if to == petContract(g.realm) {
		return g.pets.call(at.Time, g.realm, data)
	}
	if string(data) == callDecimals && g.HasCode(at, to) {
		return world.Encode(uint64(decimals)), true
	}
	flow, ok := tides()[g.chain+string(to[:])+string(data)]
	if !ok {
		return nil, false
	}
	return world.Word(flow.at(at.Time)), true
}

// Balance returns an account's balance of the gas token.
func (g ground) Balance(at world.Block, of common.Address) *big.Int {
	if flow, ok := tides()[g.chain+string(of[:])]; ok {
		return flow.at(at.Time)
	}
	return new(big.Int)
}

// HasCode reports whether an address answers at least one call.
func (g ground) HasCode(_ world.Block, address common.Address) bool {
	for key := range tides() {
		if data, found := strings.CutPrefix(key, g.chain+string(address[:])); found && data != "" {
			return true
		}
	}
	return address == petContract(g.realm)
}

// Logs returns the events of a block: everything that happened to pets since the previous block.
func (g ground) Logs(at world.Block) (list []world.Log) {
	every := networks[g.realm].Blocks.(world.Steady).Every
	for _, e := range g.pets.between(g.realm, at.Time.Add(-every), at.Time) {
		list = append(list, e.log(g.pets))
	}
	return list
}

// Touched returns the ids of a realm's pets that changed after one time and up to another.
func (w *World) Touched(realm pet.Realm, after, until time.Time) (ids []uint64) {
	i := slices.IndexFunc(networks, func(c world.Chain) bool { return c.Name == realm.Chain })
	for _, e := range w.pets.between(i, after, until) {
		ids = append(ids, e.id)
	}
	return ids
}
