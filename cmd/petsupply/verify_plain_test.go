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

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/process"
)

// verify sends each call by itself. So it can read a chain without Multicall3, even if another
// contract is at its usual address, and a contract cannot answer it as it answers the service.
func TestVerifyWithoutMulticall(t *testing.T) {
	process.SkipShort(t)
	const returnsZero = "0x60206000f3"
	const returns17 = "0x3373ca11bde05977b3631167028862be2a173976ca111460110160005260206000f3" // and 18 to Multicall3
	for name, test := range map[string]struct {
		multicall, token string // code to put there
		setting, words   string
		code             int
	}{
		"no contract":         {"", "", "none", "1000, read", exitOK},
		"another contract":    {returnsZero, "", "none", "1000, read", exitOK},
		"other answers to it": {"", returns17, anvil.Multicall3.Hex(), "the evidence says", exitNo},
	} {
		t.Run(name, func(t *testing.T) {
			node := anvil.Test(t, anvil.Options{Chain: 53935, Manual: true, Bare: test.setting == "none"})
			coin, err := node.Deploy(t.Context(), "Token", "Gem", "GEM", uint8(18), new(big.Int))
			must(t, err)
			must(t, node.Send(t.Context(), coin, "mint", node.Accounts[0], ledger.Whole(1000, 18).Units))
			for at, code := range map[common.Address]string{anvil.Multicall3: test.multicall, coin: test.token} {
				if code == "" {
					continue
				}
				call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"anvil_setCode","params":["%s","%s"]}`, at.Hex(), code)
				res, err := http.Post(node.URL, "application/json", strings.NewReader(call))
				must(t, err)
				res.Body.Close()
			}
			must(t, node.Mine(t.Context(), 1))
			dir := t.TempDir()
			config := filepath.Join(dir, "petsupply.yaml")
			must(t, os.WriteFile(config, fmt.Appendf(nil, `
chains:
  second: {id: 53935, rpc: ["%s"], finality: latest, blocks: on-demand, multicall: %s}
tokens:
  - {path: gem, symbol: GEM, name: Gem, decimals: 18, ledger: [{label: Minted, bucket: issued, chain: second, erc20: "%s"}]}
`, node.URL, test.setting, coin.Hex()), 0o600))
			s := start(t, "--config", config, "--data", dir)
			within(t, time.Minute, "evidence", func() bool {
				code, _,
					_ := fetch(t, s.supply+"/gem/evidence")
				return code == 200
			})
			code, out, errs := call(t, "verify", s.supply+"/gem/evidence", "--rpc", "53935="+node.URL)
			if code != test.code || !strings.Contains(out, test.words) ||
				!strings.Contains(out, "as they answer address 0\n") {
				t.Errorf("exit %d, want %d and %q\n%s%s", code, test.code, test.words, out, errs)
			}
		})
	}
}
