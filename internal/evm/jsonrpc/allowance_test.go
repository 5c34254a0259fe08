package jsonrpc

import (
	"testing"
	"testing/synctest"
	"time"
)

// A limit that a node imposed is tried again after an hour.
func TestAllowanceIsForgotten(t *testing.T) {
	for name, f := range map[string]*Fault{
		"calls": {Kind: Refused, raw: "batch too large, limit is 20"},
		"bytes": {Kind: status, code: 413, raw: "content length too large (40000>8000)"},
		"none":  {Kind: Refused, code: -32600, raw: "invalid request"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var a allowance
				a.reset()
				reqs := make([]*Request, 200)
				for i := range reqs {
					reqs[i] = Ask("eth_blockNumber")
				}
				n, size := a.fit(reqs)
				if n != 200 || !a.shrink(f, n, size) {
					t.Fatalf("%d requests fit at first", n)
				}
				time.Sleep(59 * time.Minute)
				if n, _ := a.fit(reqs); n > 40 {
					t.Errorf("%d requests fit after the refusal", n)
				}
				time.Sleep(2 * time.Minute)
				if n, _ := a.fit(reqs); n != 200 {
					t.Errorf("%d requests fit after an hour", n)
				}
			})
		})
	}
}
