package faultproxy

import (
	"bytes"
	"context"
	"encoding/json"
)

// NoProofs is a node that does not know eth_getProof.
func NoProofs() Fault {
	return Fault{Name: "no proofs", before: func(_ context.Context, _ *Proxy, c *Call) {
		if c.Method == "eth_getProof" {
			c.fail(-32601, "the method eth_getProof does not exist/is not available")
		}
	}}
}

// BadProofs changes a digit at the end of every proof.
func BadProofs() Fault {
	return Fault{Name: "wrong proofs", after: func(c *Call) {
		var proof map[string]json.RawMessage
		if c.Method != "eth_getProof" || json.Unmarshal(c.reply.Result, &proof) != nil {
			return
		}
		nodes := bytes.Clone(proof["accountProof"])
		if n := len(nodes) - 3; n > 0 { // the last digit, before the quote and the bracket
			nodes[n] ^= 1
		}
		proof["accountProof"] = nodes
		c.give(proof)
	}}
}
