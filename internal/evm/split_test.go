package evm

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// TestSplitReadByNumber: a node that takes no block hashes gets another block at the same height
// while a long batch is sent in parts. The calls of later parts must not be answered at that block.
func TestSplitReadByNumber(t *testing.T) {
	at := Block{Number: 5, Hash: common.HexToHash("0x55"), Parent: common.HexToHash("0x44"),
		Time: time.Unix(0x6ba0f1c0, 0)}
	for name, limit := range map[string]func(w http.ResponseWriter, body string, calls int) bool{
		"by size": func(w http.ResponseWriter, body string, _ int) bool {
			if len(body) > 4000 {
				http.Error(w, "request entity too large", http.StatusRequestEntityTooLarge)
			}
			return len(body) > 4000
		},
		"by number": func(w http.ResponseWriter, _ string, calls int) bool {
			if calls > 10 {
				fmt.Fprint(w, `[{"id":null,"error":{"code":-32600,"message":"batch too large, limit 10"}}]`)
			}
			return calls > 10
		},
	} {
		t.Run(name, func(t *testing.T) {
			served := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				var batch []struct {
					ID     json.RawMessage
					Method string
				}
				if json.Unmarshal(body, &batch) != nil || limit(w, string(body), len(batch)) {
					return
				}
				moved, out := served > 0, []string{}
				for _, m := range batch {
					reply := ""
					switch {
					case m.Method == "eth_chainId":
						reply = `"result":"0x1"`
					case m.Method == "eth_getBlockByNumber":
						hash := at.Hash
						if moved {
							hash = common.HexToHash("0x56")
						}
						reply = fmt.Sprintf(`"result":{"number":"0x5","hash":%q,"parentHash":%q,"timestamp":"0x6ba0f1c0"}`,
							hash, at.Parent)
					case m.Method == "eth_call":
						answer := word(1)
						if moved {
							answer = word(2)
						}
						reply = fmt.Sprintf(`"result":"0x%x"`, answer)
					}
					out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, reply))
				}
				served++
				fmt.Fprint(w, "["+strings.Join(out, ",")+"]")
			}))
			defer server.Close()
			c, err := Dial(Config{Name: "one", ID: 1, Quorum: 1, Finality: "latest", Timeout: 5 * time.Second,
				MaxLag: time.Hour, Providers: []Provider{{Name: "a", URL: server.URL}}}, nil)
			must(t, err)
			defer c.Close()
			c.providers[0].byNumber.Store(true)
			var calls []Call
			for i := range 50 {
				calls = append(calls, Call{To: common.HexToAddress("0xa1"), Data: word(uint64(i))})
			}
			if _, err = c.Read(t.Context(), at, calls); !errors.Is(err, ErrReorg) {
				t.Errorf("with %d posts: %v", served, err)
			}
		})
	}
}
