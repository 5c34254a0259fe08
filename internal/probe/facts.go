// Package probe reads nodes and contracts into Facts. petsupply init drafts files from them, and
// Compare checks whether a configuration fits them.
package probe

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/config"
	"petsupply/internal/evm"
)

// Facts are what nodes and contracts show. To draft files, add the nodes, call ReadChains, and add
// the contracts. Then Draft and Collection return the files. Compare reads the facts about a
// configuration itself. Close the facts at the end.
type Facts struct {
	Print  func(format string, args ...any) // called with a line for each finding
	chains []*Chain
	tokens []token
	realms []realm
	own    *collectionDraft // the collection file to draft; nil for the default collection or no pets
}

// chainNames are the names of well-known networks, by their ids.
var chainNames = map[uint64]string{
	1: "ethereum", 10: "optimism", 56: "bnb", 100: "gnosis", 137: "polygon", 1088: "metis", 8217: "kaia", 8453: "base",
	31337: "local", 42161: "arbitrum", 43114: "avalanche", 53935: "dfk", 1666600000: "harmony",
}

// identifyTimeout is how long a node may take to name its chain or its software.
const identifyTimeout = 10 * time.Second

// A reading is a way to read a chain, and the reasons for it.
type reading struct {
	finality, why string
	// blocks is the setting "blocks" of the chain, such as on-demand; "" means the default. whyBlocks
	// says why. If only blocks is set, the reason is that the newest block is old.
	blocks, whyBlocks string
}

// readings are the ways to read a chain, the most final block first.
var readings = []reading{
	{"finalized", "its nodes know final blocks, and have their state", "", ""},
	{"latest-10", "no recent final block can be read. ? How many blocks until one is final here? " +
		"Once final blocks can be read, write finality: finalized", "", ""},
	{"latest", "blocks before the newest cannot be read. ? Is the newest block final here? " +
		"Once final blocks can be read, write finality: finalized", "", ""},
	{"latest", "this chain makes blocks on demand, so its newest block is its current state", config.OnDemand, ""},
}

var (
	// developmentNode matches the web3_clientVersion of programs that run a chain on a developer's
	// machine.
	developmentNode = regexp.MustCompile(`^(anvil|HardhatNetwork|hardhat|edr|Ganache|EthereumJS TestRPC)/`)
	// avalancheNode matches the web3_clientVersion of coreth and subnet-evm: a version number without
	// a name.
	avalancheNode = regexp.MustCompile(`^v\d+\.\d+\.\d+`)
)

// readingOf returns the way to read a node that is known by its software, and otherwise nil.
func readingOf(ctx context.Context, url string) *reading {
	var version string
	_ = evm.Ask(ctx, url, identifyTimeout, "web3_clientVersion", &version) // some nodes do not answer it
	switch {
	case developmentNode.MatchString(version):
		r := &reading{finality: "latest", why: "a development node: its newest block is its current state"}
		automine := true
		// It stays true if the node does not answer.
		_ = evm.Ask(ctx, url, identifyTimeout, "hardhat_getAutomine", &automine)
		if automine {
			r.blocks = config.OnDemand
			r.whyBlocks = "it makes a block only for a transaction, so an old block may be the newest"
		}
		return r
	case avalancheNode.MatchString(version):
		return &reading{"latest", "its nodes look like Avalanche's, whose newest block is final", config.OnDemand,
			"Avalanche's chains make no block while nothing happens. ? Does this one always make blocks? " +
				"Then write blocks: steady"}
	}
	return nil
}

// AddNode asks a node for its chain id, and adds the node to that chain. It leaves out a node that
// has the host and port of an earlier one. written is the node's address for the file: a URL or
// $NAME.
func (f *Facts) AddNode(ctx context.Context, written, url string) error {
	var number hexutil.Uint64
	if err := evm.Ask(ctx, url, identifyTimeout, "eth_chainId", &number); err != nil {
		return fmt.Errorf("the node %s: %w", written, err)
	}
	id := uint64(number)
	if id == 0 {
		return fmt.Errorf("the node %s: its chain id is 0", written)
	}
	i := slices.IndexFunc(f.chains, func(c *Chain) bool { return c.Settings.ID == id })
	if i < 0 {
		i = len(f.chains)
		f.addChain(cmp.Or(chainNames[id], fmt.Sprintf("chain-%d", id)), config.Chain{ID: id})
	}
	c := f.chains[i]
	twin := slices.IndexFunc(c.Settings.RPC, func(p config.Provider) bool { return config.SameHost(p.URL, url) })
	if twin >= 0 {
		return fmt.Errorf("the node %s has the host and port of %s, so it may be the same node; if it is another one, "+
			"add it to the file, with separate: true", written, c.written[twin])
	}
	c.Settings.RPC = append(c.Settings.RPC, config.Provider{URL: url})
	c.written = append(c.written, written)
	c.known = append(c.known, readingOf(ctx, url))
	f.Print("%s: a node of chain %d", written, id)
	return nil
}

// ReadChains finds out how to read each chain. Call it after all nodes are added.
func (f *Facts) ReadChains(ctx context.Context) error {
	if len(f.chains) == 0 {
		return errors.New("no node was given")
	}
	for _, c := range f.chains {
		if err := c.choose(ctx); err != nil {
			return fmt.Errorf("chain %s (%d): %w", c.Name, c.Settings.ID, err)
		}
		f.printChain(c)
	}
	return nil
}

// addChain adds a chain that is not connected yet.
func (f *Facts) addChain(name string, settings config.Chain) *Chain {
	c := &Chain{Name: name, Settings: settings}
	f.chains = append(f.chains, c)
	return c
}

// chain returns the chain with a name, or nil if it cannot be read.
func (f *Facts) chain(name string) *Chain {
	i := slices.IndexFunc(f.chains, func(c *Chain) bool { return c.Name == name && c.isRead() })
	if i < 0 {
		return nil
	}
	return f.chains[i]
}

// printChain prints which block of a chain is read, and what its usable providers allow.
func (f *Facts) printChain(c *Chain) {
	f.Print("chain %s has the id %d and is read at block %d (%s, %s)",
		c.Name, c.Settings.ID, c.Block.Number, c.Settings.Finality, c.Block.Time.Format(time.RFC3339))
	for _, l := range c.Limits {
		if c.Wrong[l.Provider] == nil && l.Err == nil {
			f.Print("chain %s, provider %s", c.Name, l)
		}
	}
}

// choose connects to the chain. It tries readings in turn and keeps the first that works.
func (c *Chain) choose(ctx context.Context) error {
	var failed error
	ways := readings
	if !slices.Contains(c.known, nil) {
		ways = []reading{*c.known[0], readings[len(readings)-1]}
	}
	for _, r := range ways {
		c.reading = r
		c.Settings.Finality = r.finality
		c.Settings.Blocks = r.blocks
		err := c.dial(ctx)
		if err == nil {
			return nil
		}
		c.Close()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = errors.Join(failed, fmt.Errorf("reading at %s: %w", r.finality, err))
	}
	return failed
}

// find returns the chains that have a contract at an address.
func (f *Facts) find(ctx context.Context, at common.Address) (found []*Chain, err error) {
	var names []string
	for _, c := range f.chains {
		name := fmt.Sprintf("%s (%d)", c.Name, c.Settings.ID)
		names = append(names, name)
		chain, err := c.find(ctx, at)
		if err != nil {
			return nil, fmt.Errorf("chain %s: %w", name, err)
		}
		if chain == nil {
			continue
		}
		if chain.Late {
			f.Print("chain %s: there is no contract at %s in block %d (%s) yet; it is read at the newest block, %d",
				name, at, c.Block.Number, c.Settings.Finality, chain.Block.Number)
		}
		found = append(found, chain)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no contract at %s on %s", at, strings.Join(names, ", "))
	}
	return found, nil
}

// Close closes the connections to the nodes.
func (f *Facts) Close() {
	for _, c := range f.chains {
		c.Close()
	}
}
