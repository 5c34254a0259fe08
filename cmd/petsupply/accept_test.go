package main

import (
	"math/big"
	"net/http"
	"strings"
	"testing"
	"time"

	"petsupply/internal/supply/ledger"
	"petsupply/testkit/anvil"
)

// TestAReplacedChainIsAcceptedByACommand: a chain is replaced by a new one, on which the same
// contract has other decimals. The last good figure stays until an operator has accepted both, each
// with a reason that the log keeps.
func TestAReplacedChainIsAcceptedByACommand(t *testing.T) {
	t.Parallel() // it mostly waits
	ctx := t.Context()
	dir := t.TempDir()
	chain := func(decimals uint8) (*anvil.Node, string) {
		node := anvil.Test(t, anvil.Options{Chain: 53935, BlockTime: time.Second})
		coin, err := node.Deploy(ctx, "Token", "Gem", "GEM", decimals, new(big.Int))
		must(t, err)
		must(t, node.Send(ctx, coin, "mint", node.Accounts[0], ledger.Whole(1000, int(decimals)).Units))
		return node, writeConfig(t, dir, node.URL, coin)
	}
	old, config := chain(18)
	must(t, old.Mine(ctx, 500))
	where := []string{"--config", config, "--data", dir}
	r := start(t, where...)
	total := func(status string) bool {
		code, header, body := fetch(t, r.supply+"/gem/totalsupply")
		return code == http.StatusOK && string(body) == "1000" && header.Get("Supply-Status") == status
	}
	within(t, time.Minute, "the figure of the old chain", func() bool { return total("fresh") })
	within(t, time.Minute, "the log", func() bool {
		return strings.Contains(r.out.String(),
			"a log of publications begins")
	})
	snapshot := func() string {
		_, header, _ := fetch(t, r.supply+"/gem/totalsupply")
		return header.Get("Supply-Snapshot")
	}
	before := snapshot()
	r.stop()

	chain(6) // the configuration stays the same
	r = start(t, where...)
	accept := func(what string) {
		t.Helper()
		within(t, time.Minute, "the remedy in the log",
			func() bool { return strings.Contains(r.out.String(), "petsupply release --accept "+what) })
		if now := snapshot(); now != before {
			t.Errorf("before %s are accepted %s is published, not %s", what, now, before)
		}
		code, out, errs := call(t, append([]string{"release", "gem", "--accept", what, "--reason",
			"the chain began anew: " + what}, where...)...)
		if code != exitOK || !strings.Contains(out, "Accepted: the next figure of gem may have other "+what) {
			t.Fatalf("accepting %s: exit %d\n%s%s", what, code, out, errs)
		}
	}
	accept("heights")
	accept("decimals")
	within(t, time.Minute, "the figure of the new chain", func() bool {
		return total("fresh") && snapshot() != before
	})
	within(t, time.Minute, "both reasons in a log that holds", func() bool {
		code, out, _ := call(t, "audit", r.supply)
		return code == exitOK && strings.Contains(out, "2 petsupply-decision/1")
	})
	if code, _, errs := call(t, append([]string{"release", "gem", "--accept", "anything", "--reason", "x"},
		where...)...); code != exitUsage || !strings.Contains(errs, "heights") {
		t.Errorf("accepting something that does not exist: exit %d, %s", code, errs)
	}
}
