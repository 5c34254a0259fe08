package evm

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/testkit/anvil"
	"petsupply/testkit/faultproxy"

	"petsupply/internal/evm/jsonrpc"
)

var transfer = common.HexToHash("0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef")

// TestLogs: whole ranges come in order, as a quorum has them. Future blocks are absent. A provider
// that lies about a log is outvoted.
func TestLogs(t *testing.T) {
	t.Parallel() // it mostly waits
	k := newKingdom(t, 3, anvil.Options{})
	ctx := t.Context()
	top, err := k.Height(ctx)
	must(t, err)
	c := k.dial(t, Config{Quorum: 2})
	q := LogQuery{From: 0, To: top, Addresses: []common.Address{k.token},
		Topics: [][]common.Hash{{transfer}, nil, {common.BytesToHash(k.Accounts[1][:])}}}
	logs, err := c.Logs(ctx, q)
	must(t, err)
	if len(logs) != 11 || !slices.IsSortedFunc(logs, func(a, b Log) int { return int(a.Block) - int(b.Block) }) {
		t.Fatalf("%d logs", len(logs))
	}
	last := logs[10]
	b, err := c.Block(ctx, top)
	must(t, err)
	if last.Address != k.token || last.Topics[0] != transfer || last.Hash != b.Hash ||
		new(big.Int).SetBytes(last.Data).Int64() != 1 {
		t.Errorf("the last log is %+v", last)
	}
	q.To = top + 1
	if _, err := c.Logs(ctx, q); !errors.Is(err, ErrAbsent) {
		t.Errorf("logs of a future block: %v", err)
	}
	q.From, q.To = top, top-1
	if _, err := c.Logs(ctx, q); err == nil {
		t.Error("a range that ends before it begins has logs")
	}

	// A node that stopped two blocks ago must not hide the last logs.
	k.proxies[0].Set(faultproxy.Behind(top - 2))
	k.proxies[1].Set(faultproxy.RPCError())
	q.From, q.To = 0, top
	if _, err := k.dial(t, Config{Quorum: 2}).Logs(ctx, q); !errors.Is(err, ErrUnavailable) &&
		!errors.Is(err, ErrAbsent) {
		t.Errorf("with one of three up to date: %v", err)
	}
	k.proxies[1].Set(faultproxy.None())
	all := k.dial(t, Config{Quorum: 3}) // nor must it hide that the others have a block
	if _, err := all.Block(ctx, top); !errors.Is(err, ErrLagging) {
		t.Errorf("with two of three up to date: %v", err)
	}
	if _, err := all.Block(ctx, top+1); !errors.Is(err, ErrAbsent) || errors.Is(err, ErrLagging) {
		t.Errorf("a future block: %v", err)
	}
	if logs, err = k.dial(t, Config{Quorum: 2}).Logs(ctx, q); err != nil || len(logs) != 11 {
		t.Errorf("with two of three up to date: %d logs, %v", len(logs), err)
	}
}

// TestLogsRange: a node's complaint about the range reaches the caller, even with an HTTP error
// status.
func TestLogsRange(t *testing.T) {
	_, url := replay(t, "range.txt")
	c := dial(t, Config{ID: 1}, url)
	q := LogQuery{From: 1000, To: 50999, Addresses: []common.Address{common.HexToAddress("0xa1")},
		Topics: [][]common.Hash{nil, {transfer}}}
	for range 2 {
		if _, err := c.Logs(t.Context(), q); !errors.Is(err, ErrRange) {
			t.Errorf("%v, want ErrRange", err)
		}
	}
	if h := c.Health()[0]; h.State != "ok" || h.Errors > 0 {
		t.Errorf("a provider is blamed for its narrow searches: %+v", h)
	}
	if _, err := c.Logs(t.Context(), q); !errors.Is(err, ErrUnavailable) ||
		!strings.Contains(err.Error(), "gave block 50998 where block 50999 was asked for") {
		t.Errorf("with another last block: %v", err)
	}
}

// TestLogsRefused: logs that are out of order or duplicated are accepted. Logs that were not asked
// for, or that contradict each other, fail the answer.
func TestLogsRefused(t *testing.T) {
	at, hash := common.HexToAddress("0xa1"), common.HexToHash("0xb10c")
	q := LogQuery{From: 5, To: 9, Addresses: []common.Address{at}, Topics: [][]common.Hash{{transfer}}}
	last := Block{Number: 9, Hash: common.HexToHash("0x9")}
	log := func(change ...any) string {
		m := map[string]any{"address": at, "topics": []any{transfer}, "data": "0x01", "blockNumber": "0x7",
			"blockHash": hash, "transactionHash": hash, "logIndex": "0x1", "transactionIndex": "0x0", "removed": false}
		for i := 0; i < len(change); i += 2 {
			m[change[i].(string)] = change[i+1]
		}
		text, _ := json.Marshal(m)
		return string(text)
	}
	for name, tc := range map[string]struct {
		logs []string
		want string // indexes, or the outcome
	}{
		"none":            {nil, "[]"},
		"out of order":    {[]string{log("logIndex", "0x5"), log("blockNumber", "0x6"), log()}, "[6/1 7/1 7/5]"},
		"twice":           {[]string{log(), log(), log("logIndex", "0x2")}, "[7/1 7/2]"},
		"removed":         {[]string{log("removed", true), log("logIndex", "0x2")}, "[7/2]"},
		"same index":      {[]string{log(), log("data", "0x02")}, "mismatch"},
		"another address": {[]string{log("address", common.HexToAddress("0xb2"))}, "mismatch"},
		"another topic":   {[]string{log("topics", []any{hash})}, "mismatch"},
		"no topic":        {[]string{log("topics", []any{})}, "mismatch"},
		"before":          {[]string{log("blockNumber", "0x4")}, "mismatch"},
		"after":           {[]string{log("blockNumber", "0xa")}, "mismatch"},
		"pending":         {[]string{log("blockNumber", nil, "blockHash", nil)}, "malformed"},
		"odd data":        {[]string{log("data", "0x1")}, "malformed"},
		"two blocks":      {[]string{log(), log("logIndex", "0x2", "blockHash", last.Hash)}, "moved"},
		"another head":    {[]string{log("blockNumber", "0x9")}, "moved"},
	} {
		t.Run(name, func(t *testing.T) {
			logs, err := parseLogs(json.RawMessage("["+strings.Join(tc.logs, ",")+"]"), q, last)
			got := []string{}
			for _, l := range logs {
				got = append(got, fmt.Sprintf("%d/%d", l.Block, l.Index))
			}
			text := fmt.Sprint(got)
			if err != nil {
				text = string(jsonrpc.AsFault(err).Kind)
			}
			if text != tc.want {
				t.Errorf("%s: %s, %v, want %s", name, text, err, tc.want)
			}
		})
	}
}

// TestLogsOfOneBlock: a provider that refuses to search even one block gives the same logs by
// receipts.
func TestLogsOfOneBlock(t *testing.T) {
	k := newKingdom(t, 2, anvil.Options{})
	top, err := k.Height(t.Context())
	must(t, err)
	k.proxies[0].Set(faultproxy.LogSize(0, "query returned more than 0 results"))
	c := k.dial(t, Config{Quorum: 2})
	q := LogQuery{From: top, To: top, Addresses: []common.Address{k.token}}
	logs, err := c.Logs(t.Context(), q)
	if err != nil || len(logs) != 1 || logs[0].Topics[0] != transfer {
		t.Errorf("logs of the block: %+v, %v", logs, err)
	}
	q.Addresses = []common.Address{{1}}
	if logs, err := c.Logs(t.Context(), q); err != nil || len(logs) != 0 {
		t.Errorf("logs of another contract: %+v, %v", logs, err)
	}
	if _, err := c.Logs(t.Context(),
		LogQuery{From: top - 3, To: top, Addresses: []common.Address{k.token}}); !errors.Is(err, ErrRange) {
		t.Errorf("logs of four blocks: %v, want ErrRange", err)
	}
}
