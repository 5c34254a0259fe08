package evm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Logs returns all logs of the range in the order of the chain, each once, as a
// quorum of providers has them to the byte, or an error. A provider must have
// block To: until a quorum does, the error is ErrAbsent. Where the nodes find
// the range too wide it is ErrRange, as a *RangeError with what they suggest.
func (c *Chain) Logs(ctx context.Context, q LogQuery) ([]Log, error) {
	doing := fmt.Sprintf("logs of blocks %d to %d", q.From, q.To)
	if q.To < q.From {
		return nil, fmt.Errorf("asking %s for %s: the range is empty", c.name, doing)
	}
	got, err := agree(ctx, c, matter{name: doing, few: true}, func(ctx context.Context, p *provider) (find, error) {
		return c.logsFrom(ctx, p, q)
	}, find.key)
	if err != nil {
		return nil, fmt.Errorf("asking %s for %s: %w", c.name, doing, tooWide(q, c.absence(err, ErrAbsent)))
	}
	return got[0].logs, nil
}

// A find is what one provider found, and the last block that it searched.
type find struct {
	last Block
	logs []Log
}

// tooWide turns the error of a round into a RangeError if one of the nodes
// complained of the range. The smallest suggestion suits all of them.
func tooWide(q LogQuery, err error) error {
	var re *roundError
	if !errors.As(err, &re) || !errors.Is(re.err, ErrUnavailable) {
		return err
	}
	var wide *RangeError
	for _, f := range re.list {
		n, is := f.tooWide(q.From, q.To)
		if !is || q.From == q.To {
			continue
		}
		if wide == nil {
			wide = &RangeError{}
		}
		if n > 0 && (wide.Blocks == 0 || n < wide.Blocks) {
			wide.Blocks = n
		}
	}
	if wide == nil {
		return err
	}
	return fmt.Errorf("%w (%v)", wide, re.text)
}

func (c *Chain) logsFrom(ctx context.Context, p *provider, q LogQuery) (find, error) {
	chain, header, logs := ask("eth_chainId"), ask("eth_getBlockByNumber", hexutil.Uint64(q.To), false), ask("eth_getLogs", q.filter())
	if err := p.send(ctx, chain, header, logs); err != nil {
		return find{}, err
	}
	if err := chain.checkChain(c.id); err != nil {
		return find{}, err
	}
	last, err := header.block()
	switch {
	case err != nil:
		return find{}, err
	case last.Number != q.To:
		return find{}, faultf(mismatch, "gave block %d for block %d", last.Number, q.To)
	case logs.fault != nil:
		return find{}, logs.fault
	}
	found, err := parseLogs(logs.result, q, last)
	return find{last, found}, err
}

func (q LogQuery) filter() any {
	f := map[string]any{"fromBlock": hexutil.Uint64(q.From), "toBlock": hexutil.Uint64(q.To)}
	if len(q.Addresses) > 0 {
		f["address"] = q.Addresses
	}
	if len(q.Topics) > 0 {
		topics := make([]any, len(q.Topics))
		for i, set := range q.Topics {
			if len(set) > 0 {
				topics[i] = set
			}
		}
		f["topics"] = topics
	}
	return f
}

// matches reports whether the query asked for l.
func (q LogQuery) matches(l Log) bool {
	if l.Block < q.From || l.Block > q.To || len(q.Addresses) > 0 && !slices.Contains(q.Addresses, l.Address) || len(l.Topics) < len(q.Topics) {
		return false
	}
	for i, set := range q.Topics {
		if len(set) > 0 && !slices.Contains(set, l.Topics[i]) {
			return false
		}
	}
	return true
}

// parseLogs reads, checks and orders a node's logs. One that was not asked for
// condemns the answer: who sends those may have left out others.
func parseLogs(raw json.RawMessage, q LogQuery, last Block) ([]Log, error) {
	var sent []struct {
		Address     *common.Address `json:"address"`
		Topics      []common.Hash   `json:"topics"`
		Data        hexutil.Bytes   `json:"data"`
		BlockNumber *hexutil.Uint64 `json:"blockNumber"`
		BlockHash   *common.Hash    `json:"blockHash"`
		Tx          *common.Hash    `json:"transactionHash"`
		Index       *hexutil.Uint   `json:"logIndex"`
		Removed     bool            `json:"removed"`
	}
	if json.Unmarshal(raw, &sent) != nil || string(raw) == "null" {
		return nil, faultf(malformed, "logs are not valid")
	}
	logs := make([]Log, 0, len(sent))
	for _, s := range sent {
		if s.Removed {
			continue
		}
		if s.Address == nil || s.BlockNumber == nil || s.BlockHash == nil || s.Tx == nil || s.Index == nil {
			return nil, faultf(malformed, "a log lacks address, block, transaction or index")
		}
		l := Log{*s.Address, s.Topics, s.Data, uint64(*s.BlockNumber), *s.BlockHash, *s.Tx, uint(*s.Index)}
		if !q.matches(l) {
			return nil, faultf(mismatch, "sent a log of block %d that was not asked for", l.Block)
		}
		logs = append(logs, l)
	}
	slices.SortStableFunc(logs, func(a, b Log) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Index, b.Index))
	})
	return distinct(logs, last)
}

// distinct drops logs that are there twice, and makes sure that all logs of a
// block name the same block.
func distinct(logs []Log, last Block) ([]Log, error) {
	out := logs[:0]
	for _, l := range logs {
		if l.Block == last.Number && l.Hash != last.Hash {
			return nil, faultf(moved, "logs of block %d are of another block than its header", l.Block)
		}
		if n := len(out); n > 0 && out[n-1].Block == l.Block {
			prev := out[n-1]
			switch {
			case prev.Hash != l.Hash:
				return nil, faultf(moved, "logs of block %d are of two blocks", l.Block)
			case prev.Index == l.Index && (find{logs: []Log{prev}}).key() == (find{logs: []Log{l}}).key():
				continue
			case prev.Index == l.Index:
				return nil, faultf(mismatch, "two logs of block %d have index %d", l.Block, l.Index)
			}
		}
		out = append(out, l)
	}
	return out, nil
}

func (f find) key() key {
	h := sha256.New()
	num := func(n uint64) { h.Write(binary.BigEndian.AppendUint64(nil, n)) }
	h.Write(f.last.Hash[:])
	for _, l := range f.logs {
		h.Write(l.Address[:])
		num(uint64(len(l.Topics)))
		for _, t := range l.Topics {
			h.Write(t[:])
		}
		num(uint64(len(l.Data)))
		h.Write(l.Data)
		num(l.Block)
		h.Write(l.Hash[:])
		h.Write(l.Tx[:])
		num(uint64(l.Index))
	}
	return key(h.Sum(nil))
}
