package evm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"petsupply/internal/evm/jsonrpc"
)

// matches reports whether l is within the query.
func (q LogQuery) matches(l Log) bool {
	if l.Block < q.From || l.Block > q.To || len(q.Addresses) > 0 && !slices.Contains(q.Addresses, l.Address) ||
		len(l.Topics) < len(q.Topics) {
		return false
	}
	for i, set := range q.Topics {
		if len(set) > 0 && !slices.Contains(set, l.Topics[i]) {
			return false
		}
	}
	return true
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
	if sent.Address == nil || sent.BlockNumber == nil || sent.BlockHash == nil || sent.Tx == nil || sent.Index == nil {
		return Log{}, false, jsonrpc.Faultf(jsonrpc.Malformed, "a log lacks address, block, transaction or index")
	}
	return Log{
		Address: *sent.Address, Topics: sent.Topics, Data: sent.Data,
		Block: uint64(*sent.BlockNumber), Hash: *sent.BlockHash, Tx: *sent.Tx, Index: uint(*sent.Index),
	}, sent.Removed, nil
}

// logTopics are the topics of a log: at most four, the limit of the EVM.
type logTopics []common.Hash

func (t *logTopics) UnmarshalJSON(raw []byte) error {
	*t = logTopics{}
	whole := jsonrpc.Scan(raw).Items(4, func(value []byte) bool {
		*t = append(*t, common.Hash{})
		return (*t)[len(*t)-1].UnmarshalJSON(value) == nil
	})
	if !whole {
		return errors.New("topics are not valid")
	}
	return nil
}

// ordered sorts logs, drops duplicates, and checks that all logs of one height name the same block.
// The argument last is the last block that was searched. Logs at the height of that block must name
// it.
func ordered(logs []Log, last Block) ([]Log, error) {
	slices.SortStableFunc(logs, func(a, b Log) int {
		return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Index, b.Index))
	})
	out := logs[:0]
	for _, l := range logs {
		if l.Block == last.Number && l.Hash != last.Hash {
			return nil, jsonrpc.Faultf(jsonrpc.Moved, "a log at height %d names another block than the header", l.Block)
		}
		if n := len(out); n > 0 && out[n-1].Block == l.Block {
			prev := out[n-1]
			switch {
			case prev.Hash != l.Hash:
				return nil, jsonrpc.Faultf(jsonrpc.Moved, "logs at height %d name two different blocks", l.Block)
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

func (l Log) equal(m Log) bool {
	return l.Address == m.Address && slices.Equal(l.Topics, m.Topics) && bytes.Equal(l.Data, m.Data) &&
		l.Block == m.Block && l.Hash == m.Hash && l.Tx == m.Tx && l.Index == m.Index
}
