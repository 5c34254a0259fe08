package evm

import (
	"context"
	"math"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

const (
	someReceipts    = 20        // receipts in one batch; each may have thousands of logs
	maxTransactions = 200_000   // transactions in a block; enough for 4 billion gas
	maxBlockLogs    = 128 << 20 // bytes of JSON of one block's matching logs
)

// logsByReceipt collects the logs of a one-block query from the receipts of the block's
// transactions. It is for a block with more logs than p returns at once, because a range of one
// block cannot be narrowed.
func (c *Chain) logsByReceipt(ctx context.Context, p *provider, q LogQuery) (logAnswer, error) {
	header := jsonrpc.Ask("eth_getBlockByNumber", hexutil.Uint64(q.To), false)
	if err := c.send(ctx, p, header); err != nil {
		return logAnswer{}, err
	}
	last, err := replyNumbered(header, q.To)
	if err != nil {
		return logAnswer{}, err
	}
	transactions, err := blockTransactions(header, q.To)
	if err != nil {
		return logAnswer{}, err
	}
	logs := []Log{}
	size := 0
	found := func(l Log, n int) error {
		size += n
		if size > maxBlockLogs {
			return jsonrpc.Faultf(jsonrpc.Malformed, "block %d has more than %d MB of logs", q.To, maxBlockLogs>>20)
		}
		logs = append(logs, l)
		return nil
	}
	for part := range slices.Chunk(transactions, someReceipts) {
		reqs := make([]*jsonrpc.Request, len(part))
		for i, tx := range part {
			reqs[i] = jsonrpc.Ask("eth_getTransactionReceipt", tx)
		}
		if err := c.send(ctx, p, reqs...); err != nil {
			return logAnswer{}, err
		}
		for _, r := range reqs {
			if err := receiptLogs(r, q, last, found); err != nil {
				return logAnswer{}, err
			}
		}
	}
	logs, err = ordered(logs, last)
	return logAnswer{last: last, logs: logs}, err
}

// blockTransactions returns the hashes of block n's transactions, from the reply to r.
func blockTransactions(r *jsonrpc.Request, n uint64) (hashes []common.Hash, err error) {
	whole := jsonrpc.Scan(r.Result).Members(func(key, value []byte) bool {
		if string(key) != `"transactions"` {
			return true
		}
		hashes = nil
		return jsonrpc.Scan(value).Items(maxTransactions, func(value []byte) bool {
			hashes = append(hashes, common.Hash{})
			return hashes[len(hashes)-1].UnmarshalJSON(value) == nil
		})
	})
	if !whole {
		return nil, jsonrpc.Faultf(jsonrpc.Malformed, "transactions of block %d are not valid", n)
	}
	return hashes, nil
}

// receiptLogs calls found with each matching log in the receipt that answers r, and with the size
// of the log's JSON. last is the block that the receipt must belong to.
func receiptLogs(r *jsonrpc.Request, q LogQuery, last Block, found func(l Log, size int) error) error {
	if r.Fault != nil {
		return r.Fault
	}
	var hash common.Hash
	var logs []byte
	valid := string(r.Result) == "null" || jsonrpc.Scan(r.Result).Members(func(key, value []byte) bool {
		switch string(key) {
		case `"blockHash"`:
			return hash.UnmarshalJSON(value) == nil
		case `"logs"`:
			logs = value
		}
		return true
	})
	if !valid {
		return jsonrpc.Faultf(jsonrpc.Malformed, "a receipt is not valid")
	}
	if logs == nil || hash != last.Hash {
		return jsonrpc.Faultf(jsonrpc.Moved, "a receipt of block %d is missing, or belongs to another block",
			last.Number)
	}
	fault := error(jsonrpc.Faultf(jsonrpc.Malformed, "logs of a receipt are not valid"))
	whole := jsonrpc.Scan(logs).Items(math.MaxInt, func(value []byte) bool {
		l, removed, err := parseLog(value)
		if err == nil && !removed && q.matches(l) {
			err = found(l, len(value))
		}
		if err != nil {
			fault = err
		}
		return err == nil
	})
	if whole {
		return nil
	}
	return fault
}
