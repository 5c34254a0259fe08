package probe

import (
	"context"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/evm"
	"petsupply/internal/pet"
	"petsupply/internal/pet/collection"
)

// A Chain has the facts about a network. It reads the network as the service does. It also puts
// every question to all providers, because a quorum hides a provider that is wrong.
type Chain struct {
	*evm.Chain // nil if no provider can be dialled
	Name       string
	Settings   config.Chain
	Block      evm.Block        // contracts are read at this block
	Late       bool             // Block is newer than the finality allows
	Limits     []evm.Limits     // of each provider
	Wrong      map[string]error // why a provider gives no usable answers, by its name

	// For drafts only.
	written []string   // the nodes' addresses as the file will have them: URLs or $NAME
	known   []*reading // how to read each node, judged by its software; nil if unknown
	reading reading    // the chosen way to read the chain

	all *evm.Chain // the providers that answer, which must all agree; nil if fewer than two answer
}

// dial connects to the chain. It tries each provider alone, then reads the block that the finality
// selects, and measures what the providers allow.
func (c *Chain) dial(ctx context.Context) error {
	cfg := c.Settings.WithDefaults(c.Name).EVM(c.Name)
	c.Wrong = map[string]error{}
	var good []evm.Provider
	for _, p := range cfg.Providers {
		if len(cfg.Providers) == 1 {
			break // the chain's own error says what is wrong with it
		}
		alone := cfg
		alone.Providers = []evm.Provider{p}
		alone.Quorum = 1
		chain, err := evm.Dial(alone, nil)
		if err == nil {
			_, err = chain.Reach(ctx)
			chain.Close()
		}
		if err != nil {
			c.Wrong[p.Name] = err
		} else {
			good = append(good, p)
		}
	}
	var err error
	c.Chain, err = evm.Dial(cfg, nil)
	if err != nil {
		return err
	}
	if len(good) > 1 {
		cfg.Providers = good
		cfg.Quorum = len(good)
		c.all, err = evm.Dial(cfg, nil)
		if err != nil {
			return err
		}
	}
	c.Block, err = c.Reach(ctx)
	if err == nil {
		c.Limits = c.Chain.Limits(ctx, []common.Address{{1}})
	}
	return err
}

// isRead reports whether the chain was connected to, and has a block.
func (c *Chain) isRead() bool { return c.Block != evm.Block{} }

// Close closes the connections to the nodes.
func (c *Chain) Close() {
	for _, chain := range []*evm.Chain{c.Chain, c.all} {
		if chain != nil {
			chain.Close()
		}
	}
}

// Read returns the answers of a quorum. It waits until all providers have answered, so that
// findOutvoted knows who disagrees.
func (c *Chain) Read(ctx context.Context, at evm.Block, calls []evm.Call) ([][]byte, error) {
	if c.all != nil {
		_, _ = c.all.Read(ctx, at, calls) // its error says less than the error of the quorum
	}
	return c.Chain.Read(ctx, at, calls)
}

// findOutvoted adds the providers to Wrong that disagreed with the others so far.
func (c *Chain) findOutvoted() (names []string) {
	for _, chain := range []*evm.Chain{c.all, c.Chain} {
		if chain == nil {
			continue
		}
		for _, h := range chain.Health() {
			if h.Disagreements > 0 && c.Wrong[h.Name] == nil {
				c.Wrong[h.Name] = errors.New("it disagrees with the other providers (" + h.LastError + ")")
				names = append(names, h.Name)
			}
		}
	}
	return names
}

// find returns the chain if the block that is read has a contract at the address. If only the newest
// block has it, find returns a copy that is read there. If there is no contract, it returns nil.
func (c *Chain) find(ctx context.Context, at common.Address) (*Chain, error) {
	code, err := c.Code(ctx, c.Block, []common.Address{at})
	if err != nil {
		return nil, err
	}
	if len(code[0]) > 0 {
		return c, nil
	}
	newest := *c
	newest.Late = c.Settings.Finality != "latest"
	newest.Block, err = c.AtLatest().Pin(ctx, time.Time{})
	if err != nil {
		return nil, err
	}
	code, err = c.Code(ctx, newest.Block, []common.Address{at})
	if err != nil || len(code[0]) == 0 {
		return nil, err
	}
	return &newest, nil
}

// firstBlock finds the first block of a contract. It returns 0 if the nodes do not keep the state
// of all blocks, or if the search fails. It also returns a remark for the file.
func (c *Chain) firstBlock(ctx context.Context, at common.Address) (uint64, string) {
	for _, l := range c.Limits {
		if l.Err != nil || !l.AllState {
			return 0, "? In which block was the contract made? The nodes do not keep such old states"
		}
	}
	lacks := uint64(0)
	has := c.Block.Number
	for has-lacks > 1 {
		middle := lacks + (has-lacks)/2
		var code [][]byte
		block, err := c.Chain.Block(ctx, middle)
		if err == nil {
			code, err = c.Code(ctx, block, []common.Address{at})
		}
		switch {
		case err != nil:
			return 0, "? In which block was the contract made? The search for it failed"
		case len(code[0]) > 0:
			has = middle
		default:
			lacks = middle
		}
	}
	return has, "the contract's first block"
}

// A contract has the answers of a contract of pets when it is read with one offset and one getter.
type contract struct {
	counts bool   // the collection has a call that counts the contract's pets
	count  uint64 // the answer of this call
	next   uint64 // the number of the next pet, or 0 if the call does not answer with a number
	listed bool   // the contract can list its pets
	sample pet.Sample
}

// readContract reads some pets of a realm: the newest that it counts, or those that it lists, or
// those that its Transfer events name.
func (c *Chain) readContract(ctx context.Context, rg *pet.Registry, r pet.Realm) (x contract, err error) {
	call, counts := rg.CountCall(r)
	if counts {
		x.counts = true
		out, err := c.Read(ctx, c.Block, []evm.Call{call})
		if err != nil || len(out[0]) != 32 {
			return x, err
		}
		x.count, _ = pet.DecodeUint(out[0])
		x.next = rg.NextNumber(r, out[0])
		if x.next > 0 {
			x.sample, err = rg.SampleNative(ctx, c, r, c.Block, x.next)
		}
		return x, err
	}
	words, listed, err := pet.Listed(ctx, c, r.Contract, c.Block, maxSamples)
	x.listed = listed
	if err == nil && len(words) == 0 && foundByEvents(rg, r) {
		words, err = c.transferred(ctx, r.Contract, r.StartBlock)
	}
	if err != nil {
		return x, err
	}
	x.sample, err = rg.SampleWords(ctx, c, r, c.Block, words)
	return x, err
}

// maxSamples is the most tokens of a contract that are read.
const maxSamples = 100

// transferred returns the ids in Transfer events of a contract, as words of 32 bytes. start is the
// contract's first block, or 0 if it is unknown.
func (c *Chain) transferred(ctx context.Context, at common.Address, start uint64) ([][]byte, error) {
	return pet.Transferred(ctx, c, at, start, c.Block.Number, evm.SearchWidth(c.Limits), maxSamples)
}

// foundByEvents reports whether the realm's own pets are found by their Transfer events.
func foundByEvents(rg *pet.Registry, r pet.Realm) bool {
	return r.Offset != nil && rg.Collection.Count.Kind == collection.Transfers
}
