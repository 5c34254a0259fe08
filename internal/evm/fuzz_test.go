package evm

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm/jsonrpc"
)

// An echoServer sends the same body to every request. It replaces $1, $2 … by the ids of the batch.
type echoServer struct{ body []byte }

func (p echoServer) RoundTrip(req *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	body := p.body
	for i, part := range strings.Split(string(text), `"id":`)[1:] {
		id, _, _ := strings.Cut(part, ",")
		body = bytes.ReplaceAll(body, []byte(fmt.Sprintf("$%d", i+1)), []byte(id))
	}
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body)),
		Request: req}, nil
}

// echoClient speaks with an echoServer.
func echoClient(body []byte) *jsonrpc.Client {
	return jsonrpc.New(jsonrpc.Config{URL: "http://127.0.0.1:1/" + secret, Timeout: 50 * time.Millisecond,
		Observe: func(time.Duration) {}, Transport: echoServer{body}})
}

// FuzzAnswers: no answer of a node causes a panic, a returned block is the one asked for, and a
// read returns one result for each call.
func FuzzAnswers(f *testing.F) {
	for _, name := range []string{"nodes/kaia.txt", "nodes/subnet-evm.txt", "harmony.txt", "faults.txt", "range.txt"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		for _, turn := range parseTranscript(f, name, string(text)) {
			body := strings.Join(turn.body, "\n")
			if turn.replies != nil {
				var out []string
				for i, r := range turn.replies {
					out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":$%d,%s`, i+1, r[1:]))
				}
				body = "[" + strings.Join(out, ",") + "]"
			}
			f.Add([]byte(body))
		}
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		synctest.Test(t, func(t *testing.T) {
			c := dial(t, Config{ID: 8217, Timeout: 50 * time.Millisecond}, "http://127.0.0.1:1/"+secret)
			p := c.providers[0]
			p.Client = echoClient(body)
			ctx := t.Context()
			_, err := c.head(ctx, p, "latest")
			private(t, err)
			blocks, err := c.headers(ctx, p, []uint64{0xb6a3f10})
			private(t, err)
			if err == nil && blocks[0].Number != 0xb6a3f10 {
				t.Errorf("asked for one block, got %d", blocks[0].Number)
			}
			at := Block{Number: 0xb6a3f10,
				Hash:   common.HexToHash("0xbdd8ba1dde22b5f25a6f13ab937fdaa0abd258768ca603681e43e383bd8175f4"),
				Parent: common.HexToHash("0x06b6fbc1d6db69f0ef162707303ee3da576671ed59b3ee087652ebd71b86eb2f"),
				Time:   time.Unix(0x6ba0f1c0, 0)}
			for _, multicall := range []common.Address{{}, c.cfg.Multicall} {
				c.cfg.Multicall = multicall
				results, err := c.readFrom(ctx, p, at, c.plan(scripted()))
				private(t, err)
				if err == nil && len(results) != 3 {
					t.Errorf("%d results of 3 calls", len(results))
				}
			}
			q := LogQuery{From: 1000, To: 50999}
			found, err := c.logsFrom(ctx, p, q)
			private(t, err)
			for _, l := range found.logs {
				if !q.matches(l) {
					t.Errorf("a log of block %d", l.Block)
				}
			}
			if err != nil {
				jsonrpc.AsFault(err).TooWide()
			}
		})
	})
}

// private fails the test if err contains a secret.
func private(t *testing.T, err error) {
	t.Helper()
	if err != nil && strings.Contains(err.Error(), secret) {
		t.Errorf("a secret got out: %v", err)
	}
}
