package main

import (
	"bytes"
	"context"
	"io"
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
	"petsupply/testkit/contracts"
	"petsupply/testkit/kingdom"
	"petsupply/testkit/stubnode"
)

// newGround returns a chain with pets and a token. A part of the token is burned.
func newGround(t *testing.T) (node *anvil.Node, token, pets string) {
	t.Helper()
	ctx := t.Context()
	node = anvil.Test(t, anvil.Options{Chain: 31337, BlockTime: time.Second})
	whole := func(n int64) *big.Int { return ledger.Whole(n, 6).Units }
	coin, err := node.Deploy(ctx, "Token", `Gem "of" the hills`, "GEM", uint8(6), whole(5000))
	must(t, err)
	must(t, node.Send(ctx, coin, "mint", node.Accounts[0], whole(1000)))
	must(t, node.Send(ctx, coin, "transfer", kingdom.Dead, whole(25)))
	petsAddr, err := node.Deploy(ctx, "Pets", contracts.Options{Version: 2, Offset: big.NewInt(1_000_000_000_000),
		Relative: true})
	must(t, err)
	must(t, node.Send(ctx, petsAddr, "hatch", node.Accounts[1], big.NewInt(3), big.NewInt(7)))
	must(t, node.Mine(ctx, 4))
	return node, coin.Hex(), petsAddr.Hex()
}

// TestInit goes from nothing to a served token and pets, without an editor: init, config check
// --online, serve.
func TestInit(t *testing.T) {
	t.Parallel() // it mostly waits
	node, token, pets := newGround(t)
	file := filepath.Join(t.TempDir(), "petsupply.yaml")
	code, out, said := call(t, "init", "--rpc", node.URL, "--token", token, "--pets", pets, "-o", file)
	if code != exitOK || !strings.Contains(out, "petsupply serve --config "+file) {
		t.Fatalf("init: %d\n%s%s", code, out, said)
	}
	raw, err := os.ReadFile(file)
	must(t, err)
	text := string(raw)
	for _, want := range []string{"id: 31337 ", "decimals: 6 ", `max_supply: "5000" `, "finality: latest ",
		"bucket: burned", "offset: 1000000000000", "getter: v2 ", "start_block: "} {
		if !strings.Contains(text, want) {
			t.Errorf("the file lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "blocks: ") {
		t.Errorf("anvil makes a block each second, but the file says:\n%s", text)
	}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && !strings.Contains(line, "# ") {
			t.Errorf("a line without a reason: %s", line)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v: addresses of nodes hold keys", info.Mode(), err)
	}
	code, out, errs := call(t, "config", "check", "--online", "--data", t.TempDir(), file)
	if code != exitOK || !strings.Contains(out, "faults: 0, warnings: 1") ||
		!strings.Contains(out, "realm local: pets are numbered up to 3, the newest that can be read is pet 1000000000003") {
		t.Errorf("config check: %d\n%s%s", code, out, errs)
	}
	r := start(t, "--config", file, "--data", t.TempDir())
	within(t, time.Minute, "the figure", func() bool { return getText(t, r.supply+"/gem/totalsupply") == "975" })
	within(t, time.Minute, "the pet", func() bool {
		return strings.Contains(getText(t, r.pets+"/token/1000000000001"),
			`"attributes"`)
	})
}

func getText(t *testing.T, url string) string {
	t.Helper()
	res, err := http.Get(url)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return string(body)
}

// logSize returns the number of leaves in the log of a service, as text from its checkpoint.
func logSize(t *testing.T, supply string) string {
	t.Helper()
	return strings.Split(getText(t, supply+"/log/checkpoint"), "\n")[1]
}

// ground is a node with a token, and a contract with a plain ERC-721 token.
func ground(t *testing.T) (node *stubnode.Node, token, plain string) {
	t.Helper()
	node = stubnode.Test(t)
	coin := &stubnode.Contract{First: 1}
	coin.Answer("totalSupply()", stubnode.Word(5))
	coin.Answer("decimals()", stubnode.Word(0))
	coin.Answer("symbol()", stubnode.Text("GEM"))
	pets := &stubnode.Contract{First: 1}
	pets.Answer("name()", stubnode.Text("Plain"))
	pets.Answer("totalSupply()", stubnode.Word(1))
	pets.Answer("tokenByIndex(uint256)", stubnode.Word(7), stubnode.Word(0))
	pets.Answer("ownerOf(uint256)", stubnode.Address(kingdom.Dead), stubnode.Word(7))
	node.Contracts[common.Address{0xa1}] = coin
	node.Contracts[common.Address{0xa2}] = pets
	return node, common.Address{0xa1}.Hex(), common.Address{0xa2}.Hex()
}

// A dialogue on a terminal: init explains wrong answers and asks again.
func TestInitAsks(t *testing.T) {
	node, token, _ := ground(t)
	file := filepath.Join(t.TempDir(), "p.yaml")
	answers := strings.Join([]string{"", "nonsense", node.URL, "", "0x12", token, "", "", ""}, "\n")
	var out, errs bytes.Buffer
	p := &program{getenv: os.Getenv, stdin: strings.NewReader(answers), stdout: &out, stderr: &errs,
		interactive: true}
	if err := (&initCmd{Out: file}).Run(t.Context(), p); err != nil {
		t.Fatalf("%v\n%s", err, &errs)
	}
	for _, want := range []string{"Address of a node: ", "want a node's http or https address", "a node of chain 5",
		"Contract of a token", `token "0x12"`, "Contract of pets"} {
		if !strings.Contains(errs.String(), want) {
			t.Errorf("lacks %q:\n%s", want, &errs)
		}
	}
	if code, out, errs := call(t, "config", "check", file); code != exitOK {
		t.Errorf("config check ends with %d: %s%s", code, out, errs)
	}
}

// Ctrl-C ends init at once while it waits for an answer.
func TestInitInterrupted(t *testing.T) {
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	in, _ := io.Pipe()
	asked := make(chan bool, 9)
	p := &program{getenv: os.Getenv, stdin: in, stdout: io.Discard, stderr: writerFunc(func() { asked <- true }),
		interactive: true}
	ended := make(chan error)
	go func() { ended <- (&initCmd{Out: filepath.Join(dir, "p.yaml")}).Run(ctx, p) }()
	<-asked
	cancel()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "nothing was written") {
		t.Error(err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A writerFunc is called at every write.
type writerFunc func()

func (f writerFunc) Write(b []byte) (int, error) { f(); return len(b), nil }
