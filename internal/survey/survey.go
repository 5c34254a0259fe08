// Package survey inspects nodes and contracts and drafts a configuration, for petsupply init.
package survey

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

	"petsupply/internal/config"
	"petsupply/internal/evm"
)

// A Survey collects facts about nodes and contracts. Add the nodes, call InspectChains, add the
// contracts, call Draft, and Close the survey.
type Survey struct {
	Print  func(format string, args ...any) // called with a line for each finding
	chains []*chain
	tokens []token
	realms []realm
	own    *collectionDraft // the collection file to draft; nil for the default collection or no pets
}

// A chain is a network with at least one node.
type chain struct {
	config.Chain
	name      string
	written   []string    // the nodes' addresses as the file will have them: URLs or $NAME
	twins     [][2]string // nodes left out of the file, each with the node that has the same host and port
	known     []*reading  // how to read each node, judged by its software; nil if unknown
	reading   reading     // the chosen way to read the chain
	block     evm.Block   // contracts are read at this block
	late      bool        // block is newer than finality allows
	multicall bool        // whether Multicall3 is at its usual address
	limits    []evm.Limits
	dialled   *evm.Chain
}

// chainNames are the names of well-known networks, by their ids.
var chainNames = map[uint64]string{
	1: "ethereum", 10: "optimism", 56: "bnb", 100: "gnosis", 137: "polygon", 1088: "metis", 8217: "kaia", 8453: "base",
	31337: "local", 42161: "arbitrum", 43114: "avalanche", 53935: "dfk", 1666600000: "harmony",
}

// identifyTimeout is how long a node may take to name its chain.
const identifyTimeout = 10 * time.Second

// developmentNodes are programs that run a chain on a developer's machine, by the prefix of their
// web3_clientVersion.
var developmentNodes = map[string]string{
	"anvil/": "anvil", "HardhatNetwork/": "Hardhat", "hardhat/": "Hardhat", "edr/": "Hardhat",
	"Ganache/": "Ganache", "EthereumJS TestRPC/": "Ganache",
}

// avalancheVersion matches the web3_clientVersion of coreth and subnet-evm: a version number
// without a name.
var avalancheVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+`)

// readingOf returns the way to read a node if its software makes blocks on demand, and otherwise
// nil. version is its web3_clientVersion.
func readingOf(version string) *reading {
	for prefix, name := range developmentNodes {
		if strings.HasPrefix(version, prefix) {
			return &reading{"latest", name + " is a development node: its newest block is its current state", config.OnDemand,
				"it makes a block when it has a transaction, so an old block may be the newest"}
		}
	}
	if avalancheVersion.MatchString(version) {
		return &reading{"latest", "its nodes look like Avalanche's, whose newest block is final", config.OnDemand,
			"Avalanche's chains make no block while nothing happens. ? Does this one always make blocks? " +
				"Then write blocks: steady"}
	}
	return nil
}

// AddNode asks a node for its chain id, and adds the node to that chain. It leaves out a node that
// has the host and port of an earlier one. written is the node's address for the file: a URL or
// $NAME.
func (s *Survey) AddNode(ctx context.Context, written, url string) error {
	id, version, err := evm.Identify(ctx, url, identifyTimeout)
	if err != nil {
		return fmt.Errorf("the node %s: %w", written, err)
	}
	i := slices.IndexFunc(s.chains, func(c *chain) bool { return c.ID == id })
	if i < 0 {
		name := cmp.Or(chainNames[id], fmt.Sprintf("chain-%d", id))
		i, s.chains = len(s.chains), append(s.chains, &chain{Chain: config.Chain{ID: id}, name: name})
	}
	c := s.chains[i]
	if slices.Contains(c.written, written) {
		return fmt.Errorf("the node %s was given twice", written)
	}
	if i := slices.IndexFunc(c.RPC, func(p config.Provider) bool { return config.SameHost(p.URL, url) }); i >= 0 {
		c.twins = append(c.twins, [2]string{written, c.written[i]})
		s.Print("%s: has the host and port of %s, so they count as one node of chain %d", written, c.written[i], id)
		return nil
	}
	c.RPC, c.written = append(c.RPC, config.Provider{URL: url}), append(c.written, written)
	c.known = append(c.known, readingOf(version))
	s.Print("%s: a node of chain %d", written, id)
	return nil
}

// InspectChains finds out how to read each chain. Call it after all nodes are added.
func (s *Survey) InspectChains(ctx context.Context) error {
	if len(s.chains) == 0 {
		return errors.New("no node was given")
	}
	for _, c := range s.chains {
		if err := c.dial(ctx); err != nil {
			return fmt.Errorf("chain %s (%d): %w", c.name, c.ID, err)
		}
		multicall := []common.Address{c.WithDefaults(c.name).EVM(c.name).Multicall}
		code, err := c.dialled.Code(ctx, c.block, multicall)
		if err != nil {
			return err
		}
		c.multicall = len(code[0]) > 0
		c.limits = c.dialled.Limits(ctx, multicall)
		s.Print("chain %s (%d): block %d of %s, read with finality %s",
			c.name, c.ID, c.block.Number, c.block.Time.Format(time.RFC3339), c.Finality)
		for _, l := range c.limits {
			s.Print("  provider %s", l)
		}
	}
	return nil
}

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

// dial connects to the chain. It tries readings in turn and keeps the first that works.
func (c *chain) dial(ctx context.Context) error {
	var failed error
	ways := readings
	if !slices.Contains(c.known, nil) {
		ways = []reading{*c.known[0]}
	}
	for _, r := range ways {
		c.Finality, c.Blocks, c.reading = r.finality, r.blocks, r
		dialled, err := evm.Dial(c.WithDefaults(c.name).EVM(c.name), nil)
		if err != nil {
			return err
		}
		if c.block, err = dialled.Reach(ctx); err == nil {
			c.dialled = dialled
			return nil
		}
		dialled.Close()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = errors.Join(failed, fmt.Errorf("reading at %s: %w", r.finality, err))
	}
	return failed
}

// find returns the chains that have a contract at an address, in the block that is read. If there
// are none, find tries the newest blocks.
func (s *Survey) find(ctx context.Context, at common.Address) ([]*chain, error) {
	found, err := withContract(ctx, s.chains, at)
	if err != nil || len(found) > 0 {
		return found, err
	}
	var newest []*chain
	var names []string
	for _, c := range s.chains {
		now, err := c.atNewest(ctx)
		if err != nil {
			return nil, fmt.Errorf("chain %s (%d): %w", c.name, c.ID, err)
		}
		newest, names = append(newest, now), append(names, fmt.Sprintf("%s (%d)", c.name, c.ID))
	}
	if found, err = withContract(ctx, newest, at); err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no contract at %s on %s", at, strings.Join(names, ", "))
	}
	for i, c := range newest {
		if slices.Contains(found, c) && c.late {
			s.Print("chain %s (%d): there is no contract at %s in block %d (%s) yet; it is read at the newest block, %d",
				c.name, c.ID, at, s.chains[i].block.Number, c.Finality, c.block.Number)
		}
	}
	return found, nil
}

// withContract returns the chains that have a contract at an address.
func withContract(ctx context.Context, chains []*chain, at common.Address) (found []*chain, err error) {
	for _, c := range chains {
		code, err := c.dialled.Code(ctx, c.block, []common.Address{at})
		if err != nil {
			return nil, err
		}
		if len(code[0]) > 0 {
			found = append(found, c)
		}
	}
	return found, nil
}

// atNewest returns a copy of the chain that is read at its newest block.
func (c *chain) atNewest(ctx context.Context) (*chain, error) {
	cfg := c.Chain
	cfg.Finality = "latest"
	dialled, err := evm.Dial(cfg.WithDefaults(c.name).EVM(c.name), nil)
	if err != nil {
		return nil, err
	}
	defer dialled.Close()
	newest := *c
	newest.late = c.Finality != "latest"
	newest.block, err = dialled.Reach(ctx)
	return &newest, err
}

// Close closes the connections to the nodes.
func (s *Survey) Close() {
	for _, c := range s.chains {
		if c.dialled != nil {
			c.dialled.Close()
		}
	}
}
