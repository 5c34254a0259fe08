package probe

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/config"
	"petsupply/internal/evm"
)

// A Survey looks at nodes and contracts that nobody has described yet, and drafts
// a configuration of what it sees. Add the nodes, then Settle, then add contracts,
// then Draft. Close it.
type Survey struct {
	Say    func(format string, args ...any) // told what was seen, a line each
	chains []*surveyedChain
	tokens []surveyedToken
	realms []surveyedRealm
}

// A surveyedChain is a network that nodes were given of.
type surveyedChain struct {
	config.Chain
	name      string
	written   []string // the nodes' addresses as they shall stand in the file
	finality  string   // why this one
	block     evm.Block
	multicall bool
	limits    []evm.Limits
	dialled   *evm.Chain
}

// chainNames are what to call well-known networks.
var chainNames = map[uint64]string{1: "ethereum", 10: "optimism", 56: "bnb", 100: "gnosis", 137: "polygon", 1088: "metis", 8217: "kaia",
	8453: "base", 31337: "local", 42161: "arbitrum", 43114: "avalanche", 53935: "dfk", 1666600000: "harmony"}

// nodeTime is how long a node may take to say who it is.
const nodeTime = 10 * time.Second

// AddNode asks a node which chain it is of. written is how its address shall
// stand in the file: the address itself, or $NAME.
func (s *Survey) AddNode(ctx context.Context, written, url string) error {
	id, err := evm.Identify(ctx, url, nodeTime)
	if err != nil {
		return fmt.Errorf("the node %s: %w", written, err)
	}
	i := slices.IndexFunc(s.chains, func(c *surveyedChain) bool { return c.ID == id })
	if i < 0 {
		name, known := chainNames[id]
		if !known {
			name = fmt.Sprintf("chain-%d", id)
		}
		i, s.chains = len(s.chains), append(s.chains, &surveyedChain{Chain: config.Chain{ID: id}, name: name})
	}
	c := s.chains[i]
	if slices.Contains(c.written, written) {
		return fmt.Errorf("the node %s was given twice", written)
	}
	c.RPC, c.written = append(c.RPC, config.Provider{URL: url}), append(c.written, written)
	s.Say("%s: a node of chain %d", written, id)
	return nil
}

// Settle finds out, when all nodes are there, how each chain can be read.
func (s *Survey) Settle(ctx context.Context) error {
	if len(s.chains) == 0 {
		return errors.New("no node was given")
	}
	for _, c := range s.chains {
		if err := c.settle(ctx); err != nil {
			return fmt.Errorf("chain %s (%d): %w", c.name, c.ID, err)
		}
		multicall := []common.Address{c.WithDefaults(c.name).EVM(c.name).Multicall}
		code, err := c.dialled.Code(ctx, c.block, multicall)
		if err != nil {
			return err
		}
		c.multicall = len(code[0]) > 0
		c.limits = c.dialled.Limits(ctx, multicall)
		s.Say("chain %s (%d): block %d of %s, read at %s", c.name, c.ID, c.block.Number, c.block.Time.Format(time.RFC3339), c.Finality)
		for _, l := range c.limits {
			s.Say("  %s", limitsText(l))
		}
	}
	return nil
}

// settle takes the most settled block that the nodes can be read at.
func (c *surveyedChain) settle(ctx context.Context) error {
	var first error
	for _, way := range []struct {
		finality, why string
		blocks        config.Blocks
	}{
		{"finalized", "its nodes know final blocks, and have their state", config.Steady},
		{"latest-10", "its nodes cannot be read at final blocks. ? How many blocks until one is final here?", config.Steady},
		{"latest", "its nodes cannot be read further back. ? Is the newest block final here?", config.Steady},
		{"latest", "on a chain that makes blocks on demand the newest one is its state", config.OnDemand},
	} {
		c.Finality, c.finality, c.Blocks = way.finality, way.why, way.blocks
		chain, err := evm.Dial(c.WithDefaults(c.name).EVM(c.name), nil)
		if err != nil {
			return err
		}
		if c.block, err = reach(ctx, chain); err == nil {
			c.dialled = chain
			return nil
		}
		chain.Close()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		first = errors.Join(first, fmt.Errorf("at %s: %w", way.finality, err))
	}
	return first
}

// find returns the chains on which there is a contract at an address.
func (s *Survey) find(ctx context.Context, at common.Address) (found []*surveyedChain, err error) {
	for _, c := range s.chains {
		code, err := c.dialled.Code(ctx, c.block, []common.Address{at})
		if err != nil {
			return nil, err
		}
		if len(code[0]) > 0 {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		var names []string
		for _, c := range s.chains {
			names = append(names, fmt.Sprintf("%s (%d)", c.name, c.ID))
		}
		return nil, fmt.Errorf("there is no contract at %s on %v", at, names)
	}
	return found, nil
}

// Close ends every conversation with a node.
func (s *Survey) Close() {
	for _, c := range s.chains {
		if c.dialled != nil {
			c.dialled.Close()
		}
	}
}
