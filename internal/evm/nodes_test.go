package evm

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/evm/jsonrpc"
)

// A recording has the answers of a real node by question, in any order. Some questions are names of
// our own: "batch" and "body" with a size, and "state" with a distance from the newest block.
type recording map[string]turn

func loadRecording(t *testing.T, client string) recording {
	t.Helper()
	all := recording{}
	name := "testdata/nodes/" + client + ".txt"
	for _, turn := range parseTranscript(t, name, readFile(t, name)) {
		all[turn.asked[0]] = turn
	}
	return all
}

// find returns the recorded answer to a request. A call that was not recorded at its block is
// answered as at the latest block.
func (r recording) find(method string, params []json.RawMessage) string {
	text, _ := json.Marshal(params)
	if turn, ok := r[fmt.Sprintf(`{"method":%q,"params":%s}`, method, text)]; ok {
		return turn.replies[0]
	}
	if len(params) == 2 && method == "eth_call" {
		for asked, turn := range r {
			if strings.HasPrefix(asked, `{"method":"eth_call","params":[`+string(params[0])+`,"latest"`) {
				return turn.replies[0]
			}
		}
	}
	return fmt.Sprintf(`{"error":{"code":-32099,"message":"%s was not recorded"}}`, method)
}

func (r recording) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var batch []struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(req.Body).Decode(&batch); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var out []string
	for _, m := range batch {
		out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s`, m.ID, r.find(m.Method, m.Params)[1:]))
	}
	fmt.Fprintf(w, "[%s]", strings.Join(out, ","))
}

// refusal returns a recorded refusal as an HTTP status and a body in which $1 is the id.
func (r recording) refusal(t *testing.T, asked string) (status int, body string) {
	t.Helper()
	turn, ok := r[asked]
	if !ok {
		t.Fatalf("%s was not recorded", asked)
	}
	if turn.status != "" {
		return http.StatusRequestEntityTooLarge, turn.body[0]
	}
	return http.StatusOK, `[{"jsonrpc":"2.0","id":$1,` + turn.replies[0][1:] + "]"
}

// fault returns the fault that our code makes of a recorded refusal.
func (r recording) fault(t *testing.T, asked string) *jsonrpc.Fault {
	t.Helper()
	_, body := r.refusal(t, asked)
	req := jsonrpc.Ask("eth_call")
	must(t, echoClient([]byte(body)).Send(t.Context(), req))
	if req.Fault == nil {
		t.Fatalf("%s was answered with %s", asked, body)
	}
	return req.Fault
}

// A strictServer answers within its limits and refuses everything else in the words of a real
// client.
type strictServer struct {
	calls, bytes int
	status       int
	body         string
	posts        int
}

func (s *strictServer) RoundTrip(req *http.Request) (*http.Response, error) {
	s.posts++
	text, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	var batch []struct{ ID json.RawMessage }
	if err := json.Unmarshal(text, &batch); err != nil {
		return nil, err
	}
	status, body := s.status, strings.ReplaceAll(s.body, "$1", "null")
	if len(batch) <= s.calls && len(text) <= s.bytes {
		var out []string
		for _, m := range batch {
			out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":"0x"}`, m.ID))
		}
		status, body = http.StatusOK, "["+strings.Join(out, ",")+"]"
	}
	return &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)),
		Request: req}, nil
}

// checkLimit sends requests of the given number and total size to a node that refuses them as
// recorded. They must be served in parts without guessing the limit.
func (r recording) checkLimit(t *testing.T, server strictServer, asked string, requests, bytes int) {
	t.Helper()
	server.status, server.body = r.refusal(t, asked)
	client := jsonrpc.New(jsonrpc.Config{URL: "http://127.0.0.1:1", Timeout: 5 * time.Second,
		Observe: func(time.Duration) {}, Transport: &server})
	var reqs []*jsonrpc.Request
	for range requests {
		reqs = append(reqs, jsonrpc.Ask("eth_call", json.RawMessage(`"`+strings.Repeat("0", bytes/requests)+`"`)))
	}
	if err := client.Send(t.Context(), reqs...); err != nil || server.posts > 6 {
		t.Errorf("%s: %d posts, %v", asked, server.posts, err)
	}
	for i, req := range reqs {
		if string(req.Result) != `"0x"` {
			t.Fatalf("%s: request %d of %d was answered with %s, %v", asked, i, requests, req.Result, req.Fault)
		}
	}
}

// recordedNodes are the recorded clients and their limits.
var recordedNodes = []struct {
	client      string
	id          uint64
	token       string
	tags        bool // knows the tags finalized and safe
	forgets     bool // has recorded errors about dropped state
	batch       int  // a batch of this length is refused
	body, limit int  // bytes that are refused, and the real limit
}{
	{client: "geth", id: 1337, token: "0xdb7d6ab1f17c6b31909ae466702703daef9269cf", tags: true, batch: 1001,
		body: 6_000_000, limit: 5_242_880},
	{client: "geth-hash", id: 1337, token: "0xdb7d6ab1f17c6b31909ae466702703daef9269cf", tags: true, forgets: true,
		batch: 1001, body: 6_000_000, limit: 5_242_880},
	{client: "coreth", id: 43112, token: "0x17ab05351fc94a1a67bf3f56ddbb941ae6c63e25", tags: true, forgets: true,
		batch: 1001, body: 6_000_000, limit: 5_242_880},
	{client: "subnet-evm", id: 53935, token: "0x17ab05351fc94a1a67bf3f56ddbb941ae6c63e25", tags: true, forgets: true,
		batch: 1001, body: 6_000_000, limit: 5_242_880},
	{client: "kaia", id: 88217, token: "0xe7f1725e7734ce288f8367e1bb143e90bb3f0512", forgets: true, body: 1_000_000,
		limit: 524_288},
}

// TestRecordedNodes: our code understands the real answers of every client.
func TestRecordedNodes(t *testing.T) {
	for _, n := range recordedNodes {
		t.Run(n.client, func(t *testing.T) {
			r := loadRecording(t, n.client)
			server := httptest.NewServer(r)
			defer server.Close()
			at := r.blockOf(t)
			open := func(finality string) *Chain {
				c, err := Dial(Config{Name: n.client, ID: n.id, Quorum: 1, Finality: finality,
					Timeout: 5 * time.Second, MaxLag: time.Hour,
					Providers: []Provider{{Name: "a", URL: server.URL}}}, nil)
				must(t, err)
				t.Cleanup(c.Close)
				c.now = func() time.Time { return at.Time }
				return c
			}
			for _, finality := range []string{"latest", "finalized", "safe"} {
				b, err := open(finality).Pin(t.Context(), time.Time{})
				if ok := finality == "latest" || n.tags; (err == nil) != ok || ok && b.Hash == (common.Hash{}) ||
					!ok && !strings.Contains(err.Error(), "finality to latest") {
					t.Errorf("pinned at %s: %+v, %v", finality, b, err)
				}
			}
			r.checkReads(t, open("latest"), at, common.HexToAddress(n.token))
			if gone := r.checkWords(t); n.forgets && gone == 0 {
				t.Error("no error about dropped state is recorded")
			}
			if n.batch > 0 {
				r.checkLimit(t, strictServer{calls: n.batch - 1, bytes: math.MaxInt},
					fmt.Sprintf(`{"method":"batch","params":[%d]}`, n.batch), n.batch, 0)
			}
			r.checkLimit(t, strictServer{calls: math.MaxInt, bytes: n.limit},
				fmt.Sprintf(`{"method":"body","params":[%d]}`, n.body), 100, n.body)
		})
	}
}

// blockOf returns the block that was asked for by hash.
func (r recording) blockOf(t *testing.T) Block {
	for asked, turn := range r {
		if strings.Contains(asked, "eth_getBlockByHash") && !strings.Contains(asked, "0x11111111") {
			b, err := parseBlock(json.RawMessage(turn.replies[0][len(`{"result":`) : len(turn.replies[0])-1]))
			must(t, err)
			return b
		}
	}
	t.Fatal("no block was recorded")
	return Block{}
}

func (r recording) checkReads(t *testing.T, c *Chain, at Block, token common.Address) {
	t.Helper()
	blank := append(common.FromHex("0xa9059cbb"), append(word(1), bytes.Repeat([]byte{255}, 32)...)...)
	nobody := common.HexToAddress("0xc1")
	out, err := c.Read(t.Context(), at, []Call{
		{To: token, Data: totalSupply},
		{To: token, Balance: true},
		{To: token, Data: blank, MayRevert: true},
	})
	if err != nil || len(out[0]) != 32 || out[1] == nil || out[2] != nil {
		t.Errorf("read %x, %v", out, err)
	}
	lost := at
	lost.Hash = common.HexToHash("0x" + strings.Repeat("11", 32))
	if _, err := c.Read(t.Context(), lost, []Call{{To: token, Data: totalSupply}}); !errors.Is(err, ErrReorg) {
		t.Errorf("a block that is not known: %v", err)
	}
	f := r.find("eth_call", []json.RawMessage{callArg(nobody, totalSupply), json.RawMessage(`"latest"`)})
	if empty := strings.Contains(f, `"result":"0x"`); !empty &&
		!strings.Contains(strings.ToLower(f), "vm error occurs while running smart contract") {
		t.Errorf("a call to an address without code: %s", f)
	}
}

// checkWords checks the kind of each recorded error and counts those about dropped state.
func (r recording) checkWords(t *testing.T) (gone int) {
	t.Helper()
	for asked, turn := range r {
		if len(turn.replies) == 0 || !strings.HasPrefix(turn.replies[0], `{"error"`) {
			continue
		}
		f, want, said := r.fault(t, asked), jsonrpc.Refused, strings.ToLower(turn.replies[0])
		creates := strings.Contains(asked, `"params":[{"data"`) && !strings.Contains(asked, `"to"`)
		failed := creates || strings.Contains(asked, "a9059cbb")
		switch {
		case strings.Contains(asked, `"state"`):
			want = jsonrpc.Pruned
			gone++
		case strings.Contains(asked, "0x11111111"), strings.Contains(asked, "eth_getLogs"), strings.Contains(said,
			"unfinalized"), strings.Contains(said, "header"):
			want = jsonrpc.Absent
		}
		if f.Kind != want || failed != f.Reverts() && !strings.Contains(said, "aborted") &&
			!strings.Contains(asked, "0000c1") {
			t.Errorf("%s\nis answered with %s\ntaken for %s, reverts %v; want %s", asked, turn.replies[0], f.Kind,
				f.Reverts(), want)
		}
	}
	return gone
}
