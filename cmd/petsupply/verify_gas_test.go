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

// A node with a low limit of gas does not show that an entry is false.
func TestVerifyOnANodeWithLittleGas(t *testing.T) {
	process.SkipShort(t)
	const loops10000 = "0x6127105b600190038060035750601160005260206000f3" // takes 260,000 gas and returns 17
	node := anvil.Test(t, anvil.Options{Chain: 53935, Manual: true})
	coin, err := node.Deploy(t.Context(), "Token", "Gem", "GEM", uint8(18), new(big.Int))
	must(t, err)
	must(t, node.Send(t.Context(), coin, "mint", node.Accounts[0], ledger.Whole(1000, 18).Units))
	heavy := common.HexToAddress("0x4ea7")
	set := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"anvil_setCode","params":["%s","%s"]}`, heavy.Hex(), loops10000)
	res, err := http.Post(node.URL, "application/json", strings.NewReader(set))
	must(t, err)
	res.Body.Close()
	must(t, node.Mine(t.Context(), 1))
	dir := t.TempDir()
	config := filepath.Join(dir, "petsupply.yaml")
	must(t, os.WriteFile(config, fmt.Appendf(nil, `
chains:
  second: {id: 53935, rpc: ["%s"], finality: latest, blocks: on-demand}
tokens:
  - {path: gem, symbol: GEM, name: Gem, decimals: 18, ledger: [
      {label: Minted, bucket: issued, chain: second, erc20: "%s"},
      {label: Vested, bucket: locked, chain: second, call: "vested()", to: "%s", decimals: 0}]}
`, node.URL, coin.Hex(), heavy.Hex()), 0o600))
	s := start(t, "--config", config, "--data", dir)
	within(t, time.Minute, "evidence", func() bool {
		code, _, _ := fetch(t, s.supply+"/gem/evidence")
		return code == 200
	})
	limited := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		body = bytes.ReplaceAll(body, []byte(`{"data":`), []byte(`{"gas":"0x186a0","data":`)) // 100,000
		res, err := http.Post(node.URL, "application/json", bytes.NewReader(body))
		if err != nil {
			t.Error(err)
			return
		}
		defer res.Body.Close()
		answer, _ := io.ReadAll(res.Body)
		_, _ = w.Write(outOfGas.ReplaceAll(answer, []byte(`"error":{"code":-32000,"message":"out of gas"}`)))
	}))
	defer limited.Close()
	code, out, errs := call(t, "verify", s.supply+"/gem/evidence", "--rpc", "53935="+limited.URL)
	if code != exitUnreached || !regexp.MustCompile(`not proven +entry "Vested" .*out of gas`).MatchString(out) {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

// outOfGas is anvil's error. The test replaces it with geth's.
var outOfGas = regexp.MustCompile(`"error":\{[^{}]*OutOfGas[^{}]*\}`)
