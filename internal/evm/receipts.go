package evm

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// someReceipts is how many are asked for at once: each may have thousands of logs.
const someReceipts = 20

// logsByReceipt gathers the logs of the query's one block from the receipts of its
// transactions: a block may have more of them than p gives at once, and a range
// cannot be narrower.
func (c *Chain) logsByReceipt(ctx context.Context, p *provider, q LogQuery) (logAnswer, error) {
	header := jsonrpc.Ask("eth_getBlockByNumber", hexutil.Uint64(q.To), false)
	if err := c.send(ctx, p, header); err != nil {
		return logAnswer{}, err
	}
	last, err := replyNumbered(header, q.To)
	if err != nil {
		return logAnswer{}, err
	}
	var block struct{ Transactions []common.Hash }
	if json.Unmarshal(header.Result, &block) != nil {
		return logAnswer{}, jsonrpc.Faultf(jsonrpc.Malformed, "transactions of block %d are not valid", q.To)
	}
	logs := []Log{}
	for part := range slices.Chunk(block.Transactions, someReceipts) {
		reqs := make([]*jsonrpc.Request, len(part))
		for i, tx := range part {
			reqs[i] = jsonrpc.Ask("eth_getTransactionReceipt", tx)
		}
		if err := c.send(ctx, p, reqs...); err != nil {
			return logAnswer{}, err
		}
		for _, r := range reqs {
			found, err := receiptLogs(r, q, last)
			if err != nil {
				return logAnswer{}, err
			}
			logs = append(logs, found...)
		}
	}
	logs, err = ordered(logs, last)
	return logAnswer{last: last, logs: logs}, err
}

// receiptLogs are the logs in the receipt that answers r which q asks for. The
// receipt must be of the block.
func receiptLogs(r *jsonrpc.Request, q LogQuery, last Block) (logs []Log, err error) {
	if r.Fault != nil {
		return nil, r.Fault
	}
	var receipt *struct {
		BlockHash common.Hash
		Logs      []json.RawMessage
	}
	if json.Unmarshal(r.Result, &receipt) != nil {
		return nil, jsonrpc.Faultf(jsonrpc.Malformed, "a receipt is not valid")
	}
	if receipt == nil || receipt.BlockHash != last.Hash {
		return nil, jsonrpc.Faultf(jsonrpc.Moved, "a receipt of block %d is not there, or of another block", last.Number)
	}
	for _, raw := range receipt.Logs {
		l, removed, err := parseLog(raw)
		if err != nil {
			return nil, err
		}
		if !removed && q.matches(l) {
			logs = append(logs, l)
		}
	}
	return logs, nil
}
