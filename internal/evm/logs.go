package evm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// Logs returns all logs of the range, each once, in chain order. A quorum of providers must return
// the same bytes. If no quorum has block To, the error is ErrAbsent. If the nodes refuse the range
// as too wide, it is ErrRange.
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
		return nil, fmt.Errorf("asking %s for %s: %w", c.cfg.Name, doing, asErrRange(q, err))
	}
	return got.logs, nil
}

// A logAnswer is one provider's logs and the last block that it searched.
type logAnswer struct {
	last Block
	logs []Log
}

func (a logAnswer) equal(b logAnswer) bool {
	return a.last.Hash == b.last.Hash && slices.EqualFunc(a.logs, b.logs, Log.equal)
}

// asErrRange turns the error of a poll into ErrRange if a node refused the range. A range of one
// block cannot be narrowed, so its error stays as it is.
func asErrRange(q LogQuery, err error) error {
	pe, ok := errors.AsType[*pollError](err)
	if !ok || !errors.Is(pe.err, ErrUnavailable) || q.From == q.To {
		return err
	}
	if !slices.ContainsFunc(pe.faults, (*jsonrpc.Fault).TooWide) {
		return err
	}
	return fmt.Errorf("%w (%v)", ErrRange, pe.text)
}

// logsFrom asks p for logs. If p refuses even a single block, logsFrom reads that block's receipts
// instead.
func (c *Chain) logsFrom(ctx context.Context, p *provider, q LogQuery) (logAnswer, error) {
	got, err := c.searchFrom(ctx, p, q)
	if err != nil && q.From == q.To && jsonrpc.AsFault(err).TooWide() {
		return c.logsByReceipt(ctx, p, q)
	}
	return got, err
}

// searchFrom asks p to search all blocks at once.
func (c *Chain) searchFrom(ctx context.Context, p *provider, q LogQuery) (logAnswer, error) {
	header := jsonrpc.Ask("eth_getBlockByNumber", hexutil.Uint64(q.To), false)
	logs := jsonrpc.Ask("eth_getLogs", q.filter())
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
	return logAnswer{last: last, logs: found}, err
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

// parseLogs reads, checks and orders a node's logs. If one log was not asked for, it rejects the
// whole answer, because such a node may also have left out logs. It stops at the first invalid log,
// so that a bad answer costs little.
func parseLogs(raw json.RawMessage, q LogQuery, last Block) ([]Log, error) {
	logs := []Log{}
	var fault error
	whole := jsonrpc.Scan(raw).Items(math.MaxInt, func(value []byte) bool {
		l, removed, err := parseLog(value)
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
