package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// A recorder asks a node and records its answers, in the form that the tests of package evm replay.
type recorder struct {
	url  string
	text strings.Builder
}

// answer is a reply as it is recorded.
type answer struct {
	Result json.RawMessage `json:"result,omitempty"`
	Error  json.RawMessage `json:"error,omitempty"`
}

// recordNode records the answers of the town's node.
func (s *settings) recordNode(ctx context.Context, t *town) error {
	r := &recorder{url: t.url}
	fmt.Fprintf(&r.text, "# Answers of %s (%s), each after its request. Blooms and lists of transactions are left out.\n",
		t.name, t.version)
	var head struct {
		Number hexutil.Uint64
		Hash   string
	}
	if err := t.rpc.CallContext(ctx, &head, "eth_getBlockByNumber", "latest", false); err != nil {
		return err
	}
	for _, q := range questions(strings.ToLower(t.token.Hex()), head.Hash, head.Number) {
		got, _, err := r.post(ctx, request(q.method, q.params))
		if err != nil {
			return err
		}
		r.write(q.what, request(q.method, q.params), got)
	}
	if err := r.recordLimits(ctx); err != nil {
		return err
	}
	if err := r.recordState(ctx, supplyOf(strings.ToLower(t.token.Hex())), uint64(head.Number)); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(s.root, "internal", "evm", "testdata", "nodes", t.name+".txt"),
		[]byte(r.text.String()), 0o644)
}

// A question is one request, and its purpose.
type question struct {
	what, method string
	params       []any
}

func supplyOf(token string) any { return map[string]any{"data": "0x18160ddd", "to": token} }

// questions are the requests to every client.
func questions(token, head string, number hexutil.Uint64) []question {
	supply := supplyOf(token)
	byHash := map[string]any{"blockHash": head, "requireCanonical": true}
	nowhere := "0x" + strings.Repeat("11", 32)
	const none = "0x00000000000000000000000000000000000000c1"
	future := number + 100_000
	return []question{
		{"chainId", "eth_chainId", []any{}},
		{"block-latest", "eth_getBlockByNumber", []any{"latest", false}},
		{"block-finalized", "eth_getBlockByNumber", []any{"finalized", false}},
		{"block-safe", "eth_getBlockByNumber", []any{"safe", false}},
		{"block-byHash", "eth_getBlockByHash", []any{head, false}},
		{"block-future", "eth_getBlockByNumber", []any{future, false}},
		{"block-unknownHash", "eth_getBlockByHash", []any{nowhere, false}},
		{"call-byHash", "eth_call", []any{supply, byHash}},
		{"call-byNumber", "eth_call", []any{supply, number}},
		{"call-noCode", "eth_call", []any{map[string]any{"data": "0x18160ddd", "to": none}, "latest"}},
		{"call-revert", "eth_call", []any{map[string]any{"data": "0xa9059cbb" + strings.Repeat("0", 63) + "1" +
			strings.Repeat("f", 64), "to": token}, "latest"}},
		{"call-revertBlank", "eth_call", []any{map[string]any{"data": "0x60006000fd"}, "latest"}},
		{"call-invalidOpcode", "eth_call", []any{map[string]any{"data": "0xfe"}, "latest"}},
		{"call-badJump", "eth_call", []any{map[string]any{"data": "0x600056"}, "latest"}},
		{"call-stackUnderflow", "eth_call", []any{map[string]any{"data": "0x01"}, "latest"}},
		{"call-outOfGas", "eth_call", []any{map[string]any{"data": "0x5b600056", "gas": "0x186a0"}, "latest"}},
		{"call-unknownHash", "eth_call", []any{supply, map[string]any{"blockHash": nowhere, "requireCanonical": true}}},
		{"call-future", "eth_call", []any{supply, future}},
		{"balance-byHash", "eth_getBalance", []any{token, byHash}},
		{"logs-wide", "eth_getLogs", []any{map[string]any{"address": token, "fromBlock": "0x0", "toBlock": "0xfffffff"}}},
		{"logs-future", "eth_getLogs", []any{map[string]any{"address": token, "fromBlock": number + 1000, "toBlock": number +
			2000}}},
		{"proof-unknownHash", "eth_getProof", []any{token, []string{}, map[string]any{"blockHash": nowhere}}},
		{"unknownMethod", "eth_nonsense", []any{}},
	}
}

// recordState finds the oldest block that has state, and records both sides of that edge.
func (r *recorder) recordState(ctx context.Context, call any, head uint64) error {
	var kept answer
	for depth := uint64(1); depth < min(head, 1000); depth++ {
		got, _, err := r.post(ctx, request("eth_call", []any{call, hexutil.Uint64(head - depth)}))
		if err != nil {
			return err
		}
		if got.Error == nil {
			kept = got
			continue
		}
		r.write("the last before it is gone", request("state", []any{"call", depth - 1}), kept)
		r.write("the first that is gone", request("state", []any{"call", depth}), got)
		return nil
	}
	return nil
}

// recordLimits records the first batch and the first body that are refused.
func (r *recorder) recordLimits(ctx context.Context) error {
	one := request("eth_chainId", []any{})
	for _, n := range []int{11, 101, 1001, 5001} {
		batch := "[" + strings.Repeat(one+",", n-1) + one + "]"
		got, _, err := r.post(ctx, batch)
		if err != nil {
			return err
		}
		if got.Error != nil {
			r.write("a batch that it refused", request("batch", []any{n}), got)
			break
		}
	}
	for _, size := range []int{1_000_000, 4_000_000, 6_000_000} {
		long := request("eth_call", []any{map[string]any{"data": "0x" + strings.Repeat("0", size)}, "latest"})
		_, refused, err := r.post(ctx, long)
		if err != nil {
			return err
		}
		if refused != "" {
			fmt.Fprintf(&r.text, "# a body that it refused\n> %s\n! 413\n| %s\n", request("body", []any{size}), refused)
			break
		}
	}
	return nil
}

func request(method string, params []any) string {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err) // the questions above are valid
	}
	return fmt.Sprintf(`{"method":%q,"params":%s}`, method, text)
}

// post sends one request or a batch, and returns the answer. Of a batch it returns the first
// answer. refused is the body of an answer with status 413.
func (r *recorder) post(ctx context.Context, body string) (got answer, refused string, err error) {
	body = strings.ReplaceAll(body, `{"method"`, `{"jsonrpc":"2.0","id":1,"method"`)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url, strings.NewReader(body))
	if err != nil {
		return got, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return got, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return got, "", err
	}
	if resp.StatusCode == http.StatusRequestEntityTooLarge {
		return got, strings.TrimSpace(string(text)), nil
	}
	if bytes.HasPrefix(text, []byte("[")) {
		var all []answer
		if err := json.Unmarshal(text, &all); err != nil || len(all) == 0 {
			return got, "", fmt.Errorf("the answer to %.60s is an empty or malformed batch: %.200s", body, text)
		}
		return all[0], "", nil
	}
	return got, "", json.Unmarshal(text, &got)
}

// write records one answer, without its long and unimportant parts.
func (r *recorder) write(what, asked string, got answer) {
	var block map[string]json.RawMessage
	if strings.HasPrefix(what, "block-") && json.Unmarshal(got.Result, &block) == nil && block != nil {
		for _, long := range []string{"logsBloom", "transactions", "uncles", "withdrawals"} {
			delete(block, long)
		}
		got.Result, _ = json.Marshal(block)
	}
	if got.Result == nil && got.Error == nil {
		got.Result = json.RawMessage("null")
	}
	text, _ := json.Marshal(got)
	fmt.Fprintf(&r.text, "# %s\n> %s\n< %s\n", what, asked, text)
}
