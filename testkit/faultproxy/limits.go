package faultproxy

import (
	"context"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Forgets is a full node: it keeps the state of the last blocks only, the newest
// among them, and says of others what a client says, such as "missing trie node".
func Forgets(blocks uint64, says string) Fault {
	return Fault{Name: "old state is gone", before: func(ctx context.Context, p *Proxy, c *Call) {
		tag, hash := c.block()
		if !c.readsState() || tag == "latest" || tag == "pending" {
			return
		}
		var b *struct{ Number hexutil.Uint64 }
		var head hexutil.Uint64
		method, at := "eth_getBlockByNumber", tag
		if hash != "" {
			method, at = "eth_getBlockByHash", hash
		}
		if err := p.ask(ctx, &b, method, at, false); err != nil || b == nil {
			return // it is the node's to say
		}
		if err := p.ask(ctx, &head, "eth_blockNumber"); err != nil {
			c.fail(-32603, err.Error())
		} else if uint64(b.Number)+blocks <= uint64(head) {
			c.fail(-32000, says)
		}
	}}
}

// LogRange searches so many blocks at once, and says of more what a provider says.
func LogRange(blocks uint64, code int, says string) Fault {
	return Fault{Name: "logs of few blocks at once", before: func(_ context.Context, _ *Proxy, c *Call) {
		var filter struct{ FromBlock, ToBlock hexutil.Uint64 }
		if c.Method == "eth_getLogs" && json.Unmarshal(c.Params[0], &filter) == nil && uint64(filter.ToBlock-filter.FromBlock) >= blocks {
			c.fail(code, says)
		}
	}}
}
