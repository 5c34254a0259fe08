package evm

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// Logs returns all logs of the range in the order of the chain, each once, as a
// quorum of providers has them to the byte, or an error. A provider must have
// block To: until a quorum does, the error is ErrAbsent. Where the nodes find
// the range too wide it is ErrRange, as a *RangeError with what they suggest.
func (c *Chain) Logs(ctx context.Context, q LogQuery) ([]Log, error) {
	doing := fmt.Sprintf("logs of blocks %d to %d", q.From, q.To)
	if q.To < q.From {
		return nil, fmt.Errorf("asking %s for %s: the range is empty", c.cfg.Name, doing)
	}
	t := topic{name: doing, quorumFirst: true, absent: ErrAbsent}
	got, err := agree(ctx, c, t, func(ctx context.Context, p *provider) (logAnswer, error) {
		return askAgain(ctx, p, q.To, func() (logAnswer, error) { return c.logsFrom(ctx, p, q) })
	}, logAnswer.equal)
	if err != nil {
		return nil, fmt.Errorf("asking %s for %s: %w", c.cfg.Name, doing, asRangeError(q, err))
	}
	return got[0].logs, nil
}

// A logAnswer is what one provider found, and the last block that it searched.
type logAnswer struct {
	last Block
	logs []Log
}

func (a logAnswer) equal(b logAnswer) bool {
	return a.last.Hash == b.last.Hash && slices.EqualFunc(a.logs, b.logs, Log.equal)
}

func (l Log) equal(m Log) bool {
	return l.Address == m.Address && slices.Equal(l.Topics, m.Topics) && bytes.Equal(l.Data, m.Data) &&
		l.Block == m.Block && l.Hash == m.Hash && l.Tx == m.Tx && l.Index == m.Index
}

// asRangeError makes a RangeError of the error of a poll if one of the nodes
// complained of the range. The smallest suggestion suits all of them.
func asRangeError(q LogQuery, err error) error {
	var pe *pollError
	if !errors.As(err, &pe) || !errors.Is(pe.err, ErrUnavailable) || q.From == q.To {
		return err
	}
	wide, complained := &RangeError{}, false
	for _, f := range pe.faults {
		n, is := f.TooWide(q.From, q.To)
		complained = complained || is
		if n > 0 && (wide.Blocks == 0 || n < wide.Blocks) {
			wide.Blocks = n
		}
	}
	if !complained {
		return err
	}
	return fmt.Errorf("%w (%v)", wide, pe.text)
}

// logsFrom asks p for logs, those of a single block by its receipts if p gives
// them in no other way.
func (c *Chain) logsFrom(ctx context.Context, p *provider, q LogQuery) (logAnswer, error) {
	got, err := c.searchFrom(ctx, p, q)
	if err != nil && q.From == q.To {
		if _, wide := jsonrpc.AsFault(err).TooWide(q.From, q.To); wide {
			return c.logsByReceipt(ctx, p, q)
		}
	}
	return got, err
}

// searchFrom asks p to search all blocks at once.
func (c *Chain) searchFrom(ctx context.Context, p *provider, q LogQuery) (logAnswer, error) {
	header, logs := jsonrpc.Ask("eth_getBlockByNumber", hexutil.Uint64(q.To), false), jsonrpc.Ask("eth_getLogs", q.filter())
	if err := c.send(ctx, p, header, logs); err != nil {
		return logAnswer{}, err
	}
	last, err := replyNumbered(header, q.To)
	if err != nil {
		return logAnswer{}, err
	}
	if logs.Fault != nil {
		return logAnswer{}, logs.Fault
	}
	found, err := parseLogs(logs.Result, q, last)
	return logAnswer{last, found}, err
}

func (q LogQuery) filter() any {
	f := map[string]any{"fromBlock": hexutil.Uint64(q.From), "toBlock": hexutil.Uint64(q.To)}
	if len(q.Addresses) > 0 {
		f["address"] = q.Addresses
	}
	if len(q.Topics) > 0 {
		f["topics"] = q.Topics
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
// condemns the answer: who sends those may have left out others. The first that
// is not valid ends it, so that an answer of other things costs nothing.
func parseLogs(raw json.RawMessage, q LogQuery, last Block) ([]Log, error) {
	logs := []Log{}
	var fault error
	s := jsonrpc.Scan(raw)
	whole := s.Each('[', ']', func() bool {
		l, removed, err := parseLog(s.Value())
		switch {
		case err != nil:
			fault = err
		case removed:
		case !q.matches(l):
			fault = jsonrpc.Faultf(jsonrpc.Mismatch, "sent a log of block %d that was not asked for", l.Block)
		default:
			logs = append(logs, l)
		}
		return fault == nil
	})
	if fault != nil {
		return nil, fault
	}
	if !whole {
		return nil, jsonrpc.Faultf(jsonrpc.Malformed, "logs are not valid")
	}
	return ordered(logs, last)
}

func parseLog(raw []byte) (l Log, removed bool, err error) {
	var sent struct {
		Address     *common.Address `json:"address"`
		Topics      logTopics       `json:"topics"`
		Data        hexutil.Bytes   `json:"data"`
		BlockNumber *hexutil.Uint64 `json:"blockNumber"`
		BlockHash   *common.Hash    `json:"blockHash"`
		Tx          *common.Hash    `json:"transactionHash"`
		Index       *hexutil.Uint   `json:"logIndex"`
		Removed     bool            `json:"removed"`
	}
	if json.Unmarshal(raw, &sent) != nil {
		return Log{}, false, jsonrpc.Faultf(jsonrpc.Malformed, "logs are not valid")
	}
	if sent.Removed {
		return Log{}, true, nil
	}
	if sent.Address == nil || sent.BlockNumber == nil || sent.BlockHash == nil || sent.Tx == nil || sent.Index == nil {
		return Log{}, false, jsonrpc.Faultf(jsonrpc.Malformed, "a log lacks address, block, transaction or index")
	}
	return Log{*sent.Address, sent.Topics, sent.Data, uint64(*sent.BlockNumber), *sent.BlockHash, *sent.Tx, uint(*sent.Index)}, false, nil
}

// logTopics are the topics of a log: at most four, as the EVM has it.
type logTopics []common.Hash

func (t *logTopics) UnmarshalJSON(raw []byte) error {
	if string(raw) == "null" {
		return nil
	}
	s := jsonrpc.Scan(raw)
	*t = logTopics{}
	whole := s.Each('[', ']', func() bool {
		var topic common.Hash
		if len(*t) == 4 || topic.UnmarshalJSON(s.Value()) != nil {
			return false
		}
		*t = append(*t, topic)
		return true
	})
	if !whole {
		return errors.New("topics are not valid")
	}
	return nil
}

// ordered puts logs in the order of the chain, drops those that are there twice,
// and makes sure that all logs of a block name the same block.
func ordered(logs []Log, last Block) ([]Log, error) {
	slices.SortStableFunc(logs, func(a, b Log) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Index, b.Index))
	})
	out := logs[:0]
	for _, l := range logs {
		if l.Block == last.Number && l.Hash != last.Hash {
			return nil, jsonrpc.Faultf(jsonrpc.Moved, "logs of block %d are of another block than its header", l.Block)
		}
		if n := len(out); n > 0 && out[n-1].Block == l.Block {
			prev := out[n-1]
			switch {
			case prev.Hash != l.Hash:
				return nil, jsonrpc.Faultf(jsonrpc.Moved, "logs of block %d are of two blocks", l.Block)
			case prev.Index == l.Index && prev.equal(l):
				continue
			case prev.Index == l.Index:
				return nil, jsonrpc.Faultf(jsonrpc.Mismatch, "two logs of block %d have index %d", l.Block, l.Index)
			}
		}
		out = append(out, l)
	}
	return out, nil
}
