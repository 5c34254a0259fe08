package main

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/supply"
	"petsupply/internal/supply/proof"
)

// offline verifies ev by its proof, and says what remains to be believed.
func (c *verifyCmd) offline(ctx context.Context, p *program, ev *supply.Evidence) (supply.Verdict, []string, error) {
	blocks, err := c.blocks(ev)
	if err != nil {
		return nil, nil, err
	}
	address, err := c.proofAddress(ev)
	if err != nil {
		return nil, nil, err
	}
	in, err := p.fetch(ctx, address)
	if err != nil {
		return nil, nil, usage("opening the proof: %w", err)
	}
	defer in.Close()
	d, err := proof.Parse(in)
	if err != nil {
		return nil, nil, err
	}
	return supply.VerifyProof(ev, d, blocks), supply.Believed(ev, d, blocks), nil
}

// proofAddress is where the proof is: beside the evidence, if that has an
// address.
func (c *verifyCmd) proofAddress(ev *supply.Evidence) (string, error) {
	if c.Proof != "" {
		return c.Proof, nil
	}
	u, err := url.Parse(c.Evidence)
	if base, ok := strings.CutSuffix(strings.TrimSuffix(u.Path, "/"), "/evidence"); err == nil && isAddress(c.Evidence) && ok {
		u.Path, u.RawQuery = base+"/proof", url.Values{"snapshot": {ev.Snapshot}}.Encode()
		return u.String(), nil
	}
	return "", usage("where is the proof? Give its file or address after the evidence, or nodes to ask with --rpc CHAINID=URL")
}

// blocks reads what the caller knows of the chains.
func (c *verifyCmd) blocks(ev *supply.Evidence) (map[uint64]common.Hash, error) {
	out := map[uint64]common.Hash{}
	for _, arg := range c.Block {
		name, text, _ := strings.Cut(arg, "=")
		id, err := strconv.ParseUint(name, 10, 64)
		hash, bad := hexutil.Decode(text)
		if err != nil || bad != nil || len(hash) != common.HashLength {
			return nil, usage("--block wants CHAINID=HASH, such as 53935=0x followed by 64 digits")
		}
		known := false
		for _, chain := range ev.Chains {
			known = known || chain.ChainID == id
		}
		if !known {
			return nil, usage("--block %d: the evidence has no such chain", id)
		}
		out[id] = common.BytesToHash(hash)
	}
	return out, nil
}
