package main

import (
	"fmt"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/process"
)

// verify can read a chain without Multicall3, even if another contract is at its usual address.
func TestVerifyWithoutMulticall(t *testing.T) {
	process.SkipShort(t)
	for name, bare := range map[string]bool{"no contract": true, "another contract": false} {
		t.Run(name, func(t *testing.T) {
			node := anvil.Test(t, anvil.Options{Chain: 53935, Manual: true, Bare: true})
			coin, err := node.Deploy(t.Context(), "Token", "Gem", "GEM", uint8(18), new(big.Int))
			must(t, err)
			if !bare {
				const returnsZero = "0x60206000f3"
				call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"anvil_setCode","params":["%s","%s"]}`, anvil.Multicall3,
					returnsZero)
				res, err := http.Post(node.URL, "application/json", strings.NewReader(call))
				must(t, err)
				res.Body.Close()
			}
			must(t, node.Send(t.Context(), coin, "mint", node.Accounts[0], ledger.Whole(1000, 18).Units))
			must(t, node.Mine(t.Context(), 1))
			dir := t.TempDir()
			config := filepath.Join(dir, "petsupply.yaml")
			must(t, os.WriteFile(config, fmt.Appendf(nil, `
chains:
  second: {id: 53935, rpc: ["%s"], finality: latest, blocks: on-demand, multicall: none}
tokens:
  - {path: gem, symbol: GEM, name: Gem, decimals: 18, ledger: [{label: Minted, bucket: issued, chain: second, erc20: "%s"}]}
`, node.URL, coin.Hex()), 0o600))
			s := start(t, "--config", config, "--data", dir)
			within(t, time.Minute, "evidence", func() bool {
				code, _,
					_ := fetch(t, s.supply+"/gem/evidence")
				return code == 200
			})
			code, out, errs := call(t, "verify", s.supply+"/gem/evidence", "--rpc", "53935="+node.URL)
			if code != exitOK {
				t.Errorf("exit %d\n%s%s", code, out, errs)
			}
		})
	}
}
