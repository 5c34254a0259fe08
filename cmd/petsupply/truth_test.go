package main

import (
	"context"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"

	"petsupply/internal/supply"
	"petsupply/internal/supply/ledger"
)

// truth knows a token's figures at given blocks. It shares only the ledgers with the service. It
// reads the nodes directly, with one eth_call for each entry, and adds up the amounts itself.
type truth struct {
	tokens map[string]ledger.Token // by path

	mu     sync.Mutex               // guards the maps
	nodes  map[string][]*rpc.Client // by chain: nodes of the chain, then of its forks
	blocks map[blockKey]*blockReads
}

type blockKey struct {
	chain string
	hash  common.Hash
}

// blockReads has the answers of a chain at one block.
type blockReads struct {
	mu           sync.Mutex // held while it is read
	read         bool
	number, time uint64
	forked       bool                // it is a block of a fork
	values       map[string]*big.Int // by request
}

// A reading is one request to a node.
type reading struct {
	to   string
	data string // "" for the balance of the gas token
}

func (r reading) key() string { return strings.ToLower(r.to) + r.data }

// readings returns the requests for an entry's value and decimals.
func readings(e ledger.Entry) (value, decimals reading) {
	switch {
	case e.ERC20 != "" && e.Holder != "":
		value = reading{to: e.ERC20, data: "0x70a08231" + strings.Repeat("0", 24) + strings.ToLower(e.Holder[2:])}
	case e.ERC20 != "":
		value = reading{to: e.ERC20, data: "0x18160ddd"}
	case e.Native != "":
		return reading{to: e.Native}, reading{}
	default: // the kingdom's calls take no arguments
		return reading{to: e.To, data: hexutil.Encode(crypto.Keccak256([]byte(e.Call))[:4])}, reading{}
	}
	return value, reading{to: e.ERC20, data: "0x313ce567"}
}

// blockReads reads all values that ledgers need from a chain at a block. It reads each block once.
func (x *truth) blockReads(ctx context.Context, chain string, hash common.Hash) (*blockReads, error) {
	at := blockKey{chain, hash}
	x.mu.Lock()
	p, nodes := x.blocks[at], slices.Clone(x.nodes[chain])
	if p == nil {
		p = &blockReads{values: map[string]*big.Int{}}
		x.blocks[at] = p
	}
	x.mu.Unlock()
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, node := range nodes {
		if p.read {
			return p, nil
		}
		var b *struct{ Number, Timestamp hexutil.Uint64 }
		if err := node.CallContext(ctx, &b, "eth_getBlockByHash", hash, false); err != nil {
			return nil, fmt.Errorf("asking for block %s: %w", hash, err)
		}
		if b == nil {
			continue
		}
		p.number, p.time, p.forked = uint64(b.Number), uint64(b.Timestamp), i > 0
		if err := x.fill(ctx, node, at, p.values); err != nil {
			return nil, fmt.Errorf("reading block %d of %s: %w", p.number, chain, err)
		}
		p.read = true
		return p, nil
	}
	return nil, fmt.Errorf("%s is no block of %s", hash, chain)
}

func (x *truth) fill(ctx context.Context, node *rpc.Client, at blockKey, values map[string]*big.Int) error {
	block := map[string]any{"blockHash": at.hash}
	var asked []reading
	var calls []rpc.BatchElem
	for _, t := range x.tokens {
		for _, e := range t.Ledger {
			if e.Chain != at.chain {
				continue
			}
			value, decimals := readings(e)
			for _, r := range []reading{value, decimals} {
				switch {
				case r.to == "":
					continue
				case r.data == "":
					calls = append(calls, rpc.BatchElem{Method: "eth_getBalance", Args: []any{r.to, block}, Result: new(string)})
				default:
					calls = append(calls, rpc.BatchElem{Method: "eth_call", Args: []any{map[string]any{"to": r.to, "data": r.data},
						block}, Result: new(string)})
				}
				asked = append(asked, r)
			}
		}
	}
	if err := node.BatchCallContext(ctx, calls); err != nil {
		return err
	}
	for i, c := range calls {
		text := *c.Result.(*string)
		v, ok := new(big.Int).SetString(strings.TrimPrefix(text, "0x"), 16)
		if c.Error != nil || !ok {
			return fmt.Errorf("%s of %s: %q, %v", c.Method, asked[i].to, text, c.Error)
		}
		values[asked[i].key()] = v
	}
	return nil
}

// A figureSet is a token's figures in units of 18 decimals, by their name in the
// document.
type figureSet map[string]*big.Int

// figures returns the true figures of a token at these blocks, and whether one of the blocks is
// on a fork. A block that does not exist, or has a wrong name, is an error.
func (x *truth) figures(ctx context.Context, path string, blocks []supply.Block) (_ figureSet, forked bool, err error) {
	t := x.tokens[path]
	pages := map[string]*blockReads{}
	for _, b := range blocks {
		p, err := x.blockReads(ctx, b.Chain, b.Hash)
		if err != nil {
			return nil, false, err
		}
		if p.number != b.Number || int64(p.time) != b.Time.Unix() {
			return nil, false, fmt.Errorf("%s is block %d of %d, not %d of %d", b.Hash, p.number, p.time, b.Number,
				b.Time.Unix())
		}
		pages[b.Chain], forked = p, forked || p.forked
	}
	sums := map[ledger.Bucket]*big.Int{ledger.Issued: {}, ledger.Escrowed: {}, ledger.Burned: {}, ledger.Locked: {},
		ledger.Reserved: {}}
	for _, e := range t.Ledger {
		v, err := amount(e, pages[e.Chain])
		if err != nil {
			return nil, false, err
		}
		if t.Bridges[e.Bridge].Count != ledger.CountSource { // otherwise the other side is counted
			sums[e.Bucket].Add(sums[e.Bucket], v)
		}
	}
	b := figureSet{"burnedSupply": sums[ledger.Burned], "lockedSupply": sums[ledger.Locked],
		"reservedSupply": sums[ledger.Reserved]}
	b["totalSupply"] = new(big.Int).Sub(sums[ledger.Issued], sums[ledger.Burned])
	b["circulatingSupply"] = new(big.Int).Sub(b["totalSupply"], new(big.Int).Add(b["lockedSupply"], b["reservedSupply"]))
	b["maxSupply"] = x.max(path)
	return b, forked, nil
}

func (x *truth) max(path string) *big.Int { return amountOf(x.tokens[path].MaxSupply.String()) }

// amount returns the amount of an entry, in units of 18 decimals.
func amount(e ledger.Entry, p *blockReads) (*big.Int, error) {
	if e.Amount != nil {
		return amountOf(e.Amount.String()), nil
	}
	if p == nil {
		return nil, fmt.Errorf("%q is on %s, and no block of it is named", e.Label, e.Chain)
	}
	value, decimals := readings(e)
	v, scale := p.values[value.key()], new(big.Int).SetInt64(18)
	if decimals.to != "" {
		scale = p.values[decimals.key()]
	}
	up := new(big.Int).Exp(big.NewInt(10), new(big.Int).Sub(big.NewInt(18), scale), nil)
	return up.Mul(up, v), nil
}

// figure matches a published figure.
var figure = regexp.MustCompile(`^\d+(\.\d+)?$`)

// amountOf reads a published figure. It returns nil for other texts.
func amountOf(text string) *big.Int {
	if !figure.MatchString(text) {
		return nil
	}
	whole, part, _ := strings.Cut(text, ".")
	if len(part) > 18 {
		return nil
	}
	v, ok := new(big.Int).SetString(whole+part+strings.Repeat("0", 18-len(part)), 10)
	if !ok {
		return nil
	}
	return v
}
