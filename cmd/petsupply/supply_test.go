package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"petsupply/internal/supply/ledger"
	"petsupply/internal/supply/tlog"
	"petsupply/testkit/anvil"
)

// call runs the program and returns its exit code and output.
func call(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, os.Getenv, strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

// TestMeasureServeHoldReleaseVerify does the work of an operator and then of a consumer, on a real
// node.
func TestMeasureServeHoldReleaseVerify(t *testing.T) {
	t.Parallel() // it mostly waits
	ctx := t.Context()
	dir := t.TempDir()
	node := anvil.Test(t, anvil.Options{Chain: 53935, BlockTime: time.Second})
	coin, err := node.Deploy(ctx, "Token", "Gem", "GEM", uint8(18), new(big.Int))
	if err != nil {
		t.Fatal(err)
	}
	mint := func(n int64) {
		t.Helper()
		if err := node.Send(ctx, coin, "mint", node.Accounts[0], ledger.Whole(n, 18).Units); err != nil {
			t.Fatal(err)
		}
	}
	mint(1000)
	config := writeConfig(t, dir, node.URL, coin)
	where := []string{"--config", config, "--data", dir}

	code, out, errs := call(t, append([]string{"measure", "gem"}, where...)...)
	if code != exitOK || !strings.Contains(out, "measurement would be published.") || !strings.Contains(out, "Minted") {
		t.Fatalf("measure: exit %d\n%s%s", code, out, errs)
	}

	r := start(t, where...)
	total := func(want, status string) {
		t.Helper()
		within(t, 30*time.Second, want+" "+status, func() bool {
			code, header, body := fetch(t, r.supply+"/gem/totalsupply")
			return code == http.StatusOK && string(body) == want && header.Get("Supply-Status") == status
		})
	}
	total("1000", "fresh")
	if code, _, errs = call(t, append([]string{"release", "gem", "--reason", "x"}, where...)...); code != exitNo ||
		!strings.Contains(errs, "no figure is held") {
		t.Errorf("releasing while nothing is held: exit %d, %s", code, errs)
	}
	mint(1000)
	total("1000", "held")
	code, out, errs = call(t, "config", "check", config, "--online", "--data", dir)
	if !strings.Contains(out, "warning  gem would be held: ") ||
		!strings.Contains(out, "petsupply release gem --reason WHY") {
		t.Errorf("config check --online does not say that the figure would be held: exit %d\n%s%s", code, out, errs)
	}
	code, out, errs = call(t, append([]string{"release", "gem", "--reason", "announced"}, where...)...)
	if code != exitOK || !strings.Contains(out, "Released: total 2000") {
		t.Fatalf("release: exit %d\n%s%s", code, out, errs)
	}
	total("2000", "fresh")

	rpc := fmt.Sprintf("--rpc=53935=%s", node.URL)
	code, out, errs = call(t, "verify", r.supply+"/gem/evidence", rpc)
	if code != exitOK || !strings.Contains(out, "0 are false, 0 are not proven") {
		t.Errorf("verify: exit %d\n%s%s", code, out, errs)
	}
	within(t, 30*time.Second, "a proof of the released figure", func() bool {
		code, _, _ := fetch(t, r.supply+"/gem/proof")
		return code == http.StatusOK
	})
	code, out, errs = call(t, "verify", r.supply+"/gem/evidence")
	if code != exitOK || !strings.Contains(out, ", proven") ||
		!strings.Contains(out, "You still have to believe:\n- that block ") {
		t.Errorf("verify without a node: exit %d\n%s%s", code, out, errs)
	}
	code, out, _ = call(t, "verify", r.supply+"/gem/evidence", "--block=53935=0x"+strings.Repeat("1", 64))
	if code != exitNo || !strings.Contains(out, "--block of chain") {
		t.Errorf("verify with another block: exit %d\n%s", code, out)
	}
	for _, unclear := range [][]string{{r.supply + "/gem/proof", rpc},
		{"--block=53935=0x" + strings.Repeat("1", 64), "--block=53935=0x" + strings.Repeat("2", 64)}} {
		code, out, errs = call(t, append([]string{"verify", r.supply + "/gem/evidence"}, unclear...)...)
		if code != exitUsage || out != "" {
			t.Errorf("verify with %q: exit %d\n%s%s", unclear, code, out, errs)
		}
	}
	kept := filepath.Join(dir, "kept")
	for _, want := range []string{"proven: gem", "leaves, which are unchanged"} {
		code, out, errs = call(t, "audit", r.supply, "--since", kept)
		if code != exitOK || !strings.Contains(out, want) {
			t.Errorf("audit: exit %d, without %q\n%s%s", code, want, out, errs)
		}
	}
	other, err := tlog.NewKey([32]byte{1}).Verifier("localhost/log")
	must(t, err)
	code, out, _ = call(t, "audit", r.supply, "--key", other, "--json")
	if code != exitNo || !strings.Contains(out, `"ok": false`) {
		t.Errorf("audit with another key: exit %d\n%s", code, out)
	}
	_, _, key := fetch(t, r.supply+"/log/key")
	code, out, errs = call(t, "verify", r.supply+"/gem/evidence", "--key", strings.TrimSpace(string(key)))
	if code != exitOK || !regexp.MustCompile(`(?m)^ok +log +leaf \d+ of \d+ in `).MatchString(out) {
		t.Errorf("verify with the key of the log: exit %d\n%s%s", code, out, errs)
	}
	var published struct{ Snapshot string }
	_, _, body := fetch(t, r.supply+"/gem")
	if err := json.Unmarshal(body, &published); err != nil {
		t.Fatal(err)
	}
	code, out, errs = call(t, append([]string{"correct", published.Snapshot, "--reason", "an entry was missing"},
		where...)...)
	if code != exitOK || !strings.Contains(out, "Corrected: "+published.Snapshot+" of gem") {
		t.Errorf("correct: exit %d\n%s%s", code, out, errs)
	}
	if code, _, errs = call(t, append([]string{"correct", strings.Repeat("0", 64), "--reason", "x"},
		where...)...); code != exitNo || !strings.Contains(errs, "no such snapshot") {
		t.Errorf("correcting what was never published: exit %d, %s", code, errs)
	}
	for _, path := range []string{"/gem/history", "/gem", "/gem/evidence", "/gem/evidence?snapshot=" +
		published.Snapshot} {
		within(t, 30*time.Second, "the correction in "+path, func() bool {
			_, _, body := fetch(t, r.supply+path)
			return bytes.Contains(body, []byte(`"correction":{"reason":"an entry was missing"`))
		})
	}
	for path, want := range map[string]int{"/gem/totalsupply": http.StatusServiceUnavailable,
		"/gem?q=total": http.StatusServiceUnavailable,
		"/gem/totalsupply?at=" + time.Now().UTC().Format(time.RFC3339): http.StatusGone} {
		code, _, body := fetch(t, r.supply+path)
		if code != want || !bytes.Contains(body, []byte("an entry was missing")) {
			t.Errorf("%s of a withdrawn figure: %d %s; want %d and the reason", path, code, body, want)
		}
	}
	var history struct {
		Points []struct {
			Snapshot string
			AsOf     time.Time
		}
	}
	_, _, body = fetch(t, r.supply+"/gem/history")
	if err := json.Unmarshal(body, &history); err != nil || history.Points[0].Snapshot == published.Snapshot {
		t.Fatalf("the first snapshot: %v, %s", err, body)
	}
	first := history.Points[0]
	for _, query := range []string{"?snapshot=" + first.Snapshot, "?at=" + first.AsOf.Format(time.RFC3339Nano)} {
		code, out, errs = call(t, "verify", r.supply+"/gem/evidence"+query,
			"--key", strings.TrimSpace(string(key)), rpc)
		if code != exitOK || !regexp.MustCompile(`(?m)^ok +log +leaf \d+ of \d+ in `).MatchString(out) {
			t.Errorf("verify with %s and the key of the log: exit %d\n%s%s", query, code, out, errs)
		}
	}
	within(t, 30*time.Second, "the correction in the log, and an audit that holds", func() bool {
		code, out, _ := call(t, "audit", r.supply)
		return code == exitOK && strings.Contains(out, "2 petsupply-decision/1")
	})
	code, out, errs = call(t, append([]string{"correct", published.Snapshot, "--undo", "--reason",
		"no entry was missing"}, where...)...)
	if code != exitOK || !strings.Contains(out, "Taken back: "+published.Snapshot+" of gem") {
		t.Errorf("correct --undo: exit %d\n%s%s", code, out, errs)
	}
	within(t, 30*time.Second, "the figure again", func() bool {
		code, _, body := fetch(t, r.supply+"/gem/totalsupply")
		return code == http.StatusOK && string(body) == "2000"
	})
	if code, _, errs = call(t, append([]string{"correct", published.Snapshot, "--undo", "--reason", "x"},
		where...)...); code != exitNo || !strings.Contains(errs, "has none") {
		t.Errorf("taking a correction back twice: exit %d, %s", code, errs)
	}
	within(t, 30*time.Second, "an audit that knows what was taken back", func() bool {
		code, out, _ := call(t, "audit", r.supply)
		return code == exitOK && strings.Contains(out, "3 petsupply-decision/1")
	})
	_, _, evidence := fetch(t, r.supply+"/gem/evidence")
	altered := filepath.Join(dir, "altered.json")
	if err := os.WriteFile(altered, bytes.Replace(evidence, []byte(`"2000"`), []byte(`"2001"`), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, _ = call(t, "verify", altered, rpc)
	if code != exitNo || !strings.Contains(out, "NO") {
		t.Errorf("verify with one digit altered: exit %d\n%s", code, out)
	}
}

// writeConfig writes a file with one token whose held figures no further measurement releases.
func writeConfig(t *testing.T, dir, url string, coin common.Address) string {
	t.Helper()
	file := filepath.Join(dir, "petsupply.yaml")
	text := fmt.Sprintf(`
refresh: {every: 1s, hold_for: 1h}
chains:
  second: {id: 53935, rpc: ["%s"], finality: latest}
tokens:
  - path: gem
    symbol: GEM
    name: Gem
    decimals: 18
    ledger:
      - {label: Minted, bucket: issued, chain: second, erc20: "%s"}
`, url, coin.Hex())
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
