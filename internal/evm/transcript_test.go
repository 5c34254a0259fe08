package evm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"petsupply/testkit/anvil"
)

// A transcript is a conversation with a node, replayed in order. Transcripts that are named after a
// fault are written by hand; testdata/nodes has the answers of real nodes. The form is:
//
//	# remark
//	> {"method":"eth_chainId","params":[]}     the requests of a batch, a line each
//	< {"result":"0x1"}                         their replies; version and id are added
//	! 429 Retry-After: 7                       or an HTTP status and header instead
//	| <html>                                   or a raw body, with $1, $2 … for the ids
//
// The test fails on a request that is not next in the transcript, and on a turn that was never
// used.
type transcript struct {
	t     testing.TB
	name  string
	mu    sync.Mutex
	turns []turn
	trips int
}

type turn struct {
	line    int
	asked   []string
	replies []string
	status  string
	body    []string
}

func replay(t testing.TB, name string) (*transcript, string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	tr := &transcript{t: t, name: name, turns: parseTranscript(t, name, string(text))}
	server := httptest.NewServer(tr)
	t.Cleanup(func() {
		server.Close()
		if len(tr.turns) > 0 {
			t.Errorf("%s:%d: never asked", name, tr.turns[0].line)
		}
	})
	return tr, server.URL
}

func parseTranscript(t testing.TB, name, text string) []turn {
	var turns []turn
	answering := true
	for i, line := range strings.Split(text, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		rest := strings.TrimSpace(line[1:])
		if line[0] == '>' {
			if answering {
				turns = append(turns, turn{line: i + 1})
			}
			last := &turns[len(turns)-1]
			last.asked = append(last.asked, compact(t, rest))
			answering = false
			continue
		}
		answering = true
		last := &turns[len(turns)-1]
		switch line[0] {
		case '<':
			last.replies = append(last.replies, compact(t, rest))
		case '!':
			last.status = rest
		case '|':
			last.body = append(last.body, rest)
		default:
			t.Fatalf("%s:%d: %q is not a line of a transcript", name, i+1, line)
		}
	}
	return turns
}

func compact(t testing.TB, s string) string {
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(s)); err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return b.String()
}

func (tr *transcript) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var batch []struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	body, _ := io.ReadAll(r.Body)
	text, alone := body, bytes.HasPrefix(body, []byte("{"))
	if alone {
		text = []byte("[" + string(body) + "]")
	}
	if err := json.Unmarshal(text, &batch); err != nil {
		tr.t.Errorf("%s: asked %s", tr.name, body)
		return
	}
	tr.mu.Lock()
	defer tr.mu.Unlock()
	tr.trips++
	if len(tr.turns) == 0 {
		tr.t.Errorf("%s: asked after its end: %s", tr.name, body)
		return
	}
	now := tr.turns[0]
	tr.turns = tr.turns[1:]
	for i, msg := range batch {
		got := fmt.Sprintf(`{"method":%q,"params":%s}`, msg.Method, msg.Params)
		if i >= len(now.asked) || len(batch) != len(now.asked) || got != now.asked[i] {
			tr.t.Errorf("%s:%d: request %d of %d is\n%s\nwant %d:\n%s", tr.name, now.line, i+1, len(batch), got,
				len(now.asked), strings.Join(now.asked, "\n"))
			return
		}
	}
	ids := make([]string, 0, 2*len(batch))
	for i, msg := range batch {
		ids = append(ids, "$"+strconv.Itoa(i+1), string(msg.ID))
	}
	now.write(w, ids, alone)
}

func (now turn) write(w http.ResponseWriter, ids []string, alone bool) {
	w.Header().Set("Content-Type", "application/json")
	if now.status != "" {
		status, header, _ := strings.Cut(now.status, " ")
		if k, v, ok := strings.Cut(header, ": "); ok {
			w.Header().Set(k, v)
		}
		code, _ := strconv.Atoi(status)
		w.WriteHeader(code)
	}
	if now.body != nil || now.replies == nil {
		io.WriteString(w, strings.NewReplacer(ids...).Replace(strings.Join(now.body, "\n")))
		return
	}
	var out []string
	for i, reply := range now.replies {
		out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s`, ids[2*i+1], reply[1:]))
	}
	if alone {
		io.WriteString(w, out[0])
		return
	}
	io.WriteString(w, "["+strings.Join(out, ",")+"]")
}

// dial makes a chain of nodes named a, b, c …, and closes it after the test. It fills in zero
// fields of cfg; the quorum is a majority.
func dial(t testing.TB, cfg Config, urls ...string) *Chain {
	t.Helper()
	for i, u := range urls {
		cfg.Providers = append(cfg.Providers, Provider{string(rune('a' + i)), u})
	}
	cfg.Name = cmp.Or(cfg.Name, "test")
	cfg.Quorum = cmp.Or(cfg.Quorum, len(cfg.Providers)/2+1)
	cfg.Finality = cmp.Or(cfg.Finality, "latest")
	cfg.Timeout = cmp.Or(cfg.Timeout, 2*time.Second)
	cfg.MaxLag = cmp.Or(cfg.MaxLag, 10*time.Minute)
	cfg.Multicall = anvil.Multicall3
	c, err := Dial(cfg, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func readFile(t testing.TB, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
