package evm

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/world"
)

// headNode answers after a while as a node with the newest block head. It also knows the given
// blocks.
func headNode(wait time.Duration, head Block, blocks ...Block) roundTripper {
	header := func(b Block) string {
		return fmt.Sprintf(`{"number":"0x%x","hash":%q,"parentHash":%q,"timestamp":"0x%x"}`, b.Number, b.Hash,
			b.Parent, b.Time.Unix())
	}
	return func(r *http.Request) (*http.Response, error) {
		var batch []struct {
			ID     int
			Method string
			Params []any
		}
		if err := json.NewDecoder(r.Body).Decode(&batch); err != nil {
			return nil, err
		}
		time.Sleep(wait)
		var out []string
		for _, q := range batch {
			result := "null"
			switch q.Method {
			case "eth_chainId":
				result = `"0x1"`
			case "eth_call": // there is no Multicall3
				result = `"0x"`
			case "eth_getBalance":
				result = `"0x7"`
			case "eth_syncing":
				result = "false"
			default:
				for _, b := range append([]Block{head}, blocks...) {
					if q.Params[0] == "latest" && b == head || q.Params[0] == fmt.Sprintf("0x%x", b.Number) ||
						q.Params[0] == b.Hash.Hex() {
						result = header(b)
						break
					}
				}
			}
			out = append(out, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, q.ID, result))
		}
		body := io.NopCloser(strings.NewReader("[" + strings.Join(out, ",") + "]"))
		return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: body, Request: r}, nil
	}
}

// A roundTripper is a function as a transport.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// dialHeads dials a chain on three nodes in memory.
func dialHeads(t *testing.T, a, b, c roundTripper) *Chain {
	nodes := world.Nodes{"a": a, "b": b, "c": c}
	return dial(t, Config{ID: 1, Transport: nodes}, "http://a", "http://b", "http://c")
}

// TestALiarIsNotElectedThroughAnHonestChild: a node that reports the newest block with its true
// hash but a false time or parent is outvoted, even if another node's next block names that hash.
// The honest nodes are not blamed.
func TestALiarIsNotElectedThroughAnHonestChild(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		parent := Block{Number: 9, Hash: common.Hash{9}, Parent: common.Hash{8},
			Time: time.Now().Add(-20 * time.Second).Truncate(time.Second).UTC()}
		block := Block{Number: 10, Hash: common.Hash{10}, Parent: parent.Hash, Time: parent.Time.Add(5 * time.Second)}
		child := Block{Number: 11, Hash: common.Hash{11}, Parent: block.Hash, Time: parent.Time.Add(10 * time.Second)}
		late, orphan := block, block
		late.Time, orphan.Parent = block.Time.Add(12*time.Second), common.Hash{77}
		for name, lie := range map[string]Block{"time": late, "parent": orphan} {
			c := dialHeads(t, headNode(0, lie, parent), headNode(0, child, block, parent),
				headNode(50*time.Millisecond, block, parent))
			got, err := c.Pin(t.Context(), time.Time{})
			if err != nil || got != block {
				t.Errorf("with a false %s pinned %+v, %v", name, got, err)
			}
			if _, err := c.Read(t.Context(), got, []Call{{To: common.Address{1}, Balance: true}}); err != nil {
				t.Errorf("with a false %s: %v", name, err)
			}
			waitFor(t, func() bool { return c.Health()[0].State != "ok" })
			for _, h := range c.Health()[1:] {
				if h.State != "ok" || h.Disagreements > 0 || h.Errors > 0 {
					t.Errorf("with a false %s an honest node is blamed: %+v", name, h)
				}
			}
		}
	})
}

// TestASlowNodeOutvotesOneThatStoppedLongAgo: with a quorum of two, the block of the node that
// stopped is too old, so Pin waits for the slow node.
func TestASlowNodeOutvotesOneThatStoppedLongAgo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		now := time.Now().Truncate(time.Second).UTC()
		old := Block{Number: 9, Hash: common.Hash{9}, Time: now.Add(-time.Hour)}
		head := Block{Number: 90, Hash: common.Hash{90}, Time: now}
		c := dialHeads(t, headNode(0, old), headNode(0, head, old), headNode(3*lingerTime, head, old))
		if got, err := c.Pin(t.Context(), time.Time{}); err != nil || got != head {
			t.Errorf("pinned %+v, %v", got, err)
		}
	})
}
