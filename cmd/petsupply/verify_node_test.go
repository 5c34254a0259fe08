package main

import (
	"bytes"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
	"petsupply/testkit/process"
)

// heavy is an address with code that takes 260,000 gas and returns 17.
var heavy = common.HexToAddress("0x4ea7")

const heavyCode = "0x6127105b600190038060035750601160005260206000f3"

// A gem is a service that publishes the token gem of a node.
type gem struct {
	node *anvil.Node
	coin common.Address
}

func newGem(t *testing.T, bare bool) *gem {
	t.Helper()
	node := anvil.Test(t, anvil.Options{Chain: 53935, Manual: true, Bare: bare})
	coin, err := node.Deploy(t.Context(), "Token", "Gem", "GEM", uint8(18), new(big.Int))
	must(t, err)
	must(t, node.Send(t.Context(), coin, "mint", node.Accounts[0], ledger.Whole(1000, 18).Units))
	return &gem{node, coin}
}

// put puts code at an address.
func (g *gem) put(t *testing.T, at common.Address, code string) {
	t.Helper()
	must(t, g.node.RPC.CallContext(t.Context(), nil, "anvil_setCode", at, code))
}

// serve starts the service, and returns the address of its evidence. entry is a second entry of the
// ledger.
func (g *gem) serve(t *testing.T, multicall, entry string) string {
	t.Helper()
	must(t, g.node.Mine(t.Context(), 1))
	dir := t.TempDir()
	config := filepath.Join(dir, "petsupply.yaml")
	must(t, os.WriteFile(config, fmt.Appendf(nil, `
chains:
  second: {id: 53935, rpc: ["%s"], finality: latest, blocks: on-demand, multicall: %s}
tokens:
  - {path: gem, symbol: GEM, name: Gem, decimals: 18, ledger: [
      {label: Minted, bucket: issued, chain: second, erc20: "%s"}, %s]}
`, g.node.URL, multicall, g.coin.Hex(), entry), 0o600))
	s := start(t, "--config", config, "--data", dir)
	within(t, time.Minute, "evidence", func() bool {
		code, _, _ := fetch(t, s.supply+"/gem/evidence")
		return code == http.StatusOK
	})
	return s.supply + "/gem/evidence"
}

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
			g := newGem(t, test.setting == "none")
			if test.multicall != "" {
				g.put(t, anvil.Multicall3, test.multicall)
			}
			if test.token != "" {
				g.put(t, g.coin, test.token)
			}
			code, out, errs := call(t, "verify", g.serve(t, test.setting, ""), "--rpc", "53935="+g.node.URL)
			if code != test.code || !strings.Contains(out, test.words) ||
				!strings.Contains(out, "as they answer address 0\n") {
				t.Errorf("exit %d, want %d and %q\n%s%s", code, test.code, test.words, out, errs)
			}
		})
	}
}

// A node with a low limit of gas does not show that an entry is false.
func TestVerifyOnANodeWithLittleGas(t *testing.T) {
	process.SkipShort(t)
	g := newGem(t, false)
	g.put(t, heavy, heavyCode)
	limited := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		body = bytes.ReplaceAll(body, []byte(`{"data":`), []byte(`{"gas":"0x186a0","data":`)) // 100,000
		res, err := http.Post(g.node.URL, "application/json", bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		answer, _ := io.ReadAll(res.Body)
		_, _ = w.Write(outOfGas.ReplaceAll(answer, []byte(`"error":{"code":-32000,"message":"out of gas"}`)))
	}))
	defer limited.Close()
	evidence := g.serve(t, anvil.Multicall3.Hex(),
		fmt.Sprintf(`{label: Vested, bucket: locked, chain: second, call: "vested()", to: "%s", decimals: 0}`,
			heavy.Hex()))
	code, out, errs := call(t, "verify", evidence, "--rpc", "53935="+limited.URL)
	if code != exitUnreached || !regexp.MustCompile(`not proven +entry "Vested" .*out of gas`).MatchString(out) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// outOfGas is anvil's error. The test replaces it with geth's.
var outOfGas = regexp.MustCompile(`"error":\{[^{}]*OutOfGas[^{}]*\}`)
