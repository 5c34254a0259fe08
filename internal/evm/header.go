package evm

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// parseBlock takes the four facts of a block from a node's JSON, whatever else
// is or is not in it. A null, which is how nodes say that they have no such
// block, is absence.
func parseBlock(raw json.RawMessage) (Block, error) {
	if string(raw) == "null" {
		return Block{}, faultf(absent, "block is not known")
	}
	var h struct {
		Number     *hexutil.Uint64
		Hash       *common.Hash
		ParentHash *common.Hash
		Timestamp  *hexutil.Uint64
	}
	fields := map[string]any{`"number"`: &h.Number, `"hash"`: &h.Hash, `"parentHash"`: &h.ParentHash, `"timestamp"`: &h.Timestamp}
	c, valid := cursor{raw}, true
	whole := c.members(func(key string, value []byte) {
		if f := fields[key]; f != nil {
			valid = valid && json.Unmarshal(value, f) == nil
		}
	})
	if !whole || !valid {
		return Block{}, faultf(malformed, "header is not valid")
	}
	if h.Number == nil || h.Hash == nil || h.ParentHash == nil || h.Timestamp == nil || *h.Hash == (common.Hash{}) {
		return Block{}, faultf(malformed, "header lacks number, hash, parentHash or timestamp")
	}
	if *h.Timestamp > math.MaxInt64 {
		return Block{}, faultf(malformed, "header has an impossible time")
	}
	return Block{uint64(*h.Number), *h.Hash, *h.ParentHash, time.Unix(int64(*h.Timestamp), 0).UTC()}, nil
}

// block is the block in the reply to r.
func (r *request) block() (Block, error) {
	if r.fault != nil {
		return Block{}, r.fault
	}
	return parseBlock(r.result)
}

// checkChain makes sure that the reply to an eth_chainId names the chain id.
func (r *request) checkChain(id uint64) error {
	if r.fault != nil {
		return r.fault
	}
	var got hexutil.Uint64
	if json.Unmarshal(r.result, &got) != nil {
		return faultf(malformed, "chain id is not valid")
	}
	if uint64(got) != id {
		return faultf(mismatch, "answers for chain %d", uint64(got))
	}
	return nil
}

// bytes is the reply to r as bytes, never nil: an empty answer is an answer.
func (r *request) bytes() ([]byte, error) {
	if r.fault != nil {
		return nil, r.fault
	}
	s := r.result
	if len(s) < 4 || s[0] != '"' || s[1] != '0' || s[2] != 'x' || s[len(s)-1] != '"' {
		return nil, faultf(malformed, "answer is not a hex string")
	}
	s = s[3 : len(s)-1]
	out := make([]byte, hex.DecodedLen(len(s)))
	if _, err := hex.Decode(out, s); err != nil {
		return nil, faultf(malformed, "answer is not a hex string")
	}
	return out, nil
}

// headers asks p for blocks by number, and makes sure that it speaks for this
// chain. All or nothing; more than the node takes in a batch make several.
func (c *Chain) headers(ctx context.Context, p *provider, numbers []uint64) ([]Block, error) {
	blocks := make([]Block, 0, len(numbers))
	for len(blocks) < len(numbers) {
		limit := int(p.batchMax.Load())
		rest := numbers[len(blocks):]
		chunk, err := c.headerChunk(ctx, p, rest[:min(len(rest), limit-1)])
		if p.shorten(limit, min(limit, len(rest)+1), err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, chunk...)
	}
	return blocks, nil
}

func (c *Chain) headerChunk(ctx context.Context, p *provider, numbers []uint64) ([]Block, error) {
	reqs := []*request{ask("eth_chainId")}
	for _, n := range numbers {
		reqs = append(reqs, ask("eth_getBlockByNumber", hexutil.Uint64(n), false))
	}
	if err := p.send(ctx, reqs...); err != nil {
		return nil, err
	}
	if f := firstFault(reqs); f != nil && f.crowded() {
		return nil, f
	}
	if err := reqs[0].checkChain(c.id); err != nil {
		return nil, err
	}
	blocks := make([]Block, len(numbers))
	for i, n := range numbers {
		b, err := reqs[i+1].block()
		if err != nil {
			return nil, err
		}
		if b.Number != n {
			return nil, faultf(mismatch, "gave block %d for block %d", b.Number, n)
		}
		blocks[i] = b
	}
	return blocks, nil
}

// blocks are the headers that a quorum agrees on.
func (c *Chain) blocks(ctx context.Context, numbers []uint64, few bool) ([]Block, error) {
	doing := fmt.Sprintf("block %d", numbers[0])
	got, err := agree(ctx, c, matter{name: doing, few: few}, func(ctx context.Context, p *provider) ([]Block, error) {
		return c.headers(ctx, p, numbers)
	}, keyOfBlocks)
	if err != nil {
		return nil, fmt.Errorf("asking %s for block %d: %w", c.name, numbers[0], c.absence(err, ErrAbsent))
	}
	return got[0], nil
}

// Block is the block with that number, as a quorum of providers knows it. If a
// quorum does not, the error is ErrAbsent.
func (c *Chain) Block(ctx context.Context, number uint64) (Block, error) {
	got, err := c.blocks(ctx, []uint64{number}, true)
	if err != nil {
		return Block{}, err
	}
	return got[0], nil
}

func keyOfBlocks(blocks []Block) key {
	h := sha256.New()
	for _, b := range blocks {
		h.Write(binary.BigEndian.AppendUint64(nil, b.Number))
		h.Write(b.Hash[:])
		h.Write(b.Parent[:])
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(b.Time.Unix())))
	}
	return key(h.Sum(nil))
}
